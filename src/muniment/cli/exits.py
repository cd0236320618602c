"""The exit codes, and which error ends with which. docs/reference/cli.md promises them."""

from __future__ import annotations

from enum import IntEnum

from muniment.errors import EmbedderMismatch, InputError, MissingExtra, MunimentError, StoreError


class Exit(IntEnum):
    """How a command ended."""

    DONE = 0
    PARTLY = 1
    USAGE = 2
    STORE = 3
    INTERRUPTED = 130
    READER_GONE = 141


MEANINGS = {
    Exit.DONE: "done; an answer may still be degraded, and says so",
    Exit.PARTLY: "it ran, but something was refused, failed, not found, or found faulty",
    Exit.USAGE: "the command line, scope, settings or input cannot be used; nothing was written",
    Exit.STORE: "the store cannot be used: damaged, full, busy, read-only, of a newer version, or made with another embedder",
    Exit.INTERRUPTED: "interrupted with Ctrl-C; what was acknowledged is kept",
    Exit.READER_GONE: "the program reading the output went away",
}


def exit_of(error: MunimentError) -> Exit:
    """The exit code an error ends with."""
    if isinstance(error, StoreError | EmbedderMismatch):
        return Exit.STORE
    if isinstance(error, InputError | MissingExtra):
        return Exit.USAGE
    return Exit.PARTLY
