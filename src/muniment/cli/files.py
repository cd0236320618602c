"""Reading what the user names and writing what they ask for, with every way that can go wrong said in a sentence.

Rule of this file: whole or nothing. A file is written beside its place and then moved there; one that exists is replaced
only when asked.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from muniment.errors import InputError

STDIN = "-"
MOST_BYTES = 1 << 30
"""Bytes of one input, which is read whole."""
_CHUNK = 1 << 20


def read_whole(name: str) -> bytes:
    """All bytes of the file `name`, or of standard input for `-`. Raises InputError when it cannot be read or is too large."""
    with opened(name) as source:
        pieces, total = [], 0
        while piece := _read(source, name):
            pieces.append(piece)
            total += len(piece)
            if total > MOST_BYTES:
                hint = "Split it and ingest the parts."
                raise InputError(f"this is larger than {MOST_BYTES >> 30} GiB.", place=name, code="too_large", hint=hint)
        return b"".join(pieces)


def _read(source: BinaryIO, name: str) -> bytes:
    try:
        return source.read(_CHUNK)
    except OSError as error:
        raise _unreadable(name, error) from error


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """A file, a pipe or, for `-`, standard input, open for reading bytes. Raises InputError when there is none to read."""
    if name == STDIN:
        yield _standard_input()
        return
    with _open(name) as source:
        mode = os.fstat(source.fileno()).st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            hint = "Name a file, or use - for standard input."
            raise InputError("this is a device, not a file.", place=name, code="not_a_file", hint=hint)
        yield source


def _open(name: str) -> BinaryIO:
    try:
        return Path(name).open("rb")
    except IsADirectoryError as error:
        hint = f"Name the files in it, for example: {Path(name) / '*'}"
        raise InputError("this is a folder.", place=name, code="not_a_file", hint=hint) from error
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from error


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("standard input is closed.", place=STDIN, code="unreadable", hint="Pipe something in, or name a file.")
    return sys.stdin.buffer


def _unreadable(name: str, error: OSError | ValueError) -> InputError:
    known: dict[type, str] = {FileNotFoundError: "there is no such file", PermissionError: "you may not read this file"}
    why = known.get(type(error))
    told = (
        why or f"it cannot be read ({error.strerror if isinstance(error, OSError) and error.strerror else 'not a usable name'})"
    )
    return InputError(f"{told}.", place=name, code="unreadable", hint="Check the name and its permissions.")


@contextmanager
def written(path: Path, *, replace: bool) -> Iterator[BinaryIO]:
    """A new file that appears at `path`, complete, when the block ends well, and not at all when it does not.

    Raises InputError when something is there already and `replace` is False, or when it cannot be written.
    """
    if path.is_dir():
        raise InputError("this is a folder.", place=str(path), code="not_a_file", hint="Name a file in it.")
    if path.exists() and not replace:
        raise InputError(
            "this file exists already.", place=str(path), code="exists", hint="Choose another name, or add --replace."
        )
    try:
        number, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise _unwritable(path, error) from error
    part = Path(name)
    try:
        with os.fdopen(number, "wb") as target:
            yield target
            target.flush()
            os.fsync(target.fileno())
        part.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        part.unlink(missing_ok=True)


def _unwritable(path: Path, error: OSError) -> InputError:
    hint = "Check that the folder exists, may be written by you, and has room."
    return InputError(
        f"this cannot be written ({error.strerror or 'unknown reason'}).", place=str(path), code="unwritable", hint=hint
    )
