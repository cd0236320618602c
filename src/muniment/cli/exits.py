"""The exit codes, and which error ends with which. docs/reference/cli.md promises them."""

from __future__ import annotations

from enum import IntEnum

from muniment.errors import AccessError, EmbedderMismatch, InputError, MissingExtra, MunimentError, StoreError


class Exit(IntEnum):
    """How a command ended."""

    DONE = 0
    PARTLY = 1
    USAGE = 2
    STORE = 3
    FAULT = 70
    INTERRUPTED = 130
    READER_GONE = 141


MEANINGS = {
    Exit.DONE: "done; an answer that is degraded says so",
    Exit.PARTLY: "something was refused, failed, not found, or found faulty",
    Exit.USAGE: "the command line, scope, settings, key or input cannot be used",
    Exit.STORE: "the store is not there, cannot be used, or belongs to another embedder",
    Exit.FAULT: "a fault in muniment itself; please report it",
    Exit.INTERRUPTED: "interrupted; what was acknowledged is kept",
    Exit.READER_GONE: "the reader of the output went away",
}


OWN_FAULT = "internal"


def exit_of(error: MunimentError) -> Exit:
    """The exit code an error ends with."""
    if isinstance(error, StoreError | EmbedderMismatch):
        return Exit.STORE
    if isinstance(error, InputError | MissingExtra | AccessError):
        return Exit.USAGE
    return Exit.FAULT if error.reason == OWN_FAULT else Exit.PARTLY
