"""A folder on disk as a tree. Rule of this file: only regular files below the root are opened, and no link leads out of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, Final

from muniment.errors import SeedError
from muniment.seedfiles.trees import MOST_BYTES, MOST_FILES, in_order, is_closed, place

_MOST_FOLDERS: Final = 64
"""Folders in folders."""
_CHUNK: Final = 1 << 16


class Folder:
    """Files below a folder. Hidden ones are left out, but for `.claude`, `.codex` and `.agents`."""

    def __init__(self, root: Path, label: str, *, named: str | None = None) -> None:
        """`named` is a file that the caller named: it is read wherever a link of that name leads."""
        self.label = label
        self._named = named
        self._root = root
        self._real = Path(os.path.realpath(root))
        self._sizes: dict[str, int] | None = None

    def sizes(self) -> Mapping[str, int]:
        """Bytes of every regular file. A link that stays inside is not followed: what it names is found in its own place."""
        if self._sizes is None:
            found = dict(self._walk())
            self._sizes = {path: found[path] for path in sorted(found, key=in_order)}
        return self._sizes

    def size(self, path: str) -> int | None:
        """Bytes of one regular file. Raises SeedError when it lies outside the root, by a link."""
        try:
            found = (self._root / path).stat()
        except (OSError, ValueError):
            return None
        self._check_inside(self._root / path, path)
        return found.st_size if stat.S_ISREG(found.st_mode) else None

    def read(self, path: str) -> bytes:
        """All bytes of one file."""
        self._check_inside(self._root / path, path)
        return read_file(self._root / path, place(self, path))

    def _walk(self) -> Iterator[tuple[str, int]]:
        todo, count = [(self._root, "")], 0
        while todo:
            here, prefix = todo.pop()
            for entry in _entries(here, place(self, prefix)):
                name = f"{prefix}{entry.name}"
                count += 1
                if count > MOST_FILES:
                    hint = "Name the folders that hold the seeds."
                    raise SeedError(
                        f"there are more than {MOST_FILES:,} files.", place=self.label, code="too_many_files", hint=hint
                    )
                if entry.is_symlink():
                    self._check_inside(Path(entry.path), name)
                elif entry.is_dir():
                    if not is_closed(entry.name) and prefix.count("/") < _MOST_FOLDERS:
                        todo.append((Path(entry.path), f"{name}/"))
                elif entry.is_file() and not entry.name.startswith("."):
                    yield name, entry.stat().st_size

    def _check_inside(self, file: Path, path: str) -> None:
        real = Path(os.path.realpath(file))
        if path != self._named and real != self._real and self._real not in real.parents:
            raise SeedError(
                "this is a link that leads out of the folder.",
                place=place(self, path),
                code="link_outside",
                hint="Put the file itself there, or name its own folder as well.",
            )


def _entries(folder: Path, name: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError as error:
        raise unreadable(name, error) from error


def read_file(path: Path, name: str) -> bytes:
    """All bytes of a regular file. Raises SeedError when it is none, is larger than a call may read, or cannot be read."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as source:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                hint = "Name a file, a folder or an archive."
                raise SeedError("this is neither a file nor a folder.", place=name, code="not_a_file", hint=hint)
            return _whole(source, name)
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from error


def _whole(source: BinaryIO, name: str) -> bytes:
    pieces, total = [], 0
    while piece := source.read(_CHUNK):
        pieces.append(piece)
        total += len(piece)
        if total > MOST_BYTES:
            what = f"this is larger than {MOST_BYTES:,} bytes."
            raise SeedError(what, place=name, code="too_large", hint="Unpack it, and name the folders that hold the seeds.")
    return b"".join(pieces)


def unreadable(name: str, error: OSError | ValueError) -> SeedError:
    """What an error of the system means for whoever named the path."""
    known: dict[type, str] = {FileNotFoundError: "there is no such file", PermissionError: "you may not read this"}
    why = error.strerror if isinstance(error, OSError) and error.strerror else "not a usable name"
    what = known.get(type(error), f"this cannot be read ({why})")
    return SeedError(f"{what}.", place=name, code="unreadable", hint="Check the name and its permissions.")
