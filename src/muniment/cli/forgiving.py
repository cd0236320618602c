"""Seed files read one by one for `lint`: one that cannot be read is told, and keeps none of the others from being looked at.

Rule of this file: only what is wrong with a single file is forgiven. A path that does not exist, an archive that would write
outside and a link out of a folder refuse the call as they do everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from muniment.cli.files import STDIN
from muniment.cli.seeds import standard_input
from muniment.errors import SeedError
from muniment.registry.seeds import SeedFile
from muniment.seedfiles import read_seed_files
from muniment.seedfiles.archives import is_archive, open_archive
from muniment.seedfiles.discover import seed_files
from muniment.seedfiles.disk import Folder
from muniment.seedfiles.trees import Allowance, Tree, place
from muniment.types import Trust

MOST: Final = 100
"""Files of one path that may be unreadable before the call is refused."""
_OF_ONE_FILE: Final = frozenset({"not_utf8", "unreadable", "too_large"})


def read_each(paths: Sequence[str]) -> tuple[tuple[SeedFile, ...], tuple[SeedError, ...]]:
    """Every seed file below `paths` that can be read, each once, and an error for every other, by its place."""
    found: dict[str, SeedFile] = {}
    broken: dict[str, SeedError] = {}
    for path in paths:
        for file in _read(path, broken):
            found.setdefault(os.path.normpath(file.path), file)
    return tuple(found.values()), tuple(broken.values())


def _read(path: str, broken: dict[str, SeedError]) -> list[SeedFile]:
    if path == STDIN:
        return [standard_input(None)]
    named = Path(path)
    if named.is_dir():
        return _each(Folder(named, named.as_posix()), Trust.TRUSTED, broken)
    if named.is_file() and is_archive(named.name):
        return _each(open_archive(named.read_bytes(), named.as_posix()), Trust.UNTRUSTED, broken)
    try:
        return read_seed_files([path])
    except SeedError as error:
        if error.code not in _OF_ONE_FILE or not named.exists():
            raise
        broken[error.place] = error
        return []


def _each(tree: Tree, trust: Trust, broken: dict[str, SeedError]) -> list[SeedFile]:
    """The files of a tree, read again without each one that turns out to be unreadable."""
    rest = _Without(tree)
    while True:
        try:
            files = list(seed_files(rest, trust=trust, allowance=Allowance()))
        except SeedError as error:
            if error.code not in _OF_ONE_FILE or len(rest.unread) == MOST or not rest.leave(error.place):
                raise
            broken[error.place] = error
        else:
            return [file for file in files if file.path not in rest.unread]


class _Without:
    """A tree in which some files are empty, so that all others keep their place among them."""

    def __init__(self, tree: Tree) -> None:
        self.label = tree.label
        self.unread: set[str] = set()
        self._tree = tree
        self._paths = {place(tree, path): path for path in tree.sizes()}
        self._empty: set[str] = set()

    def leave(self, told: str) -> bool:
        """Read the file of this place, with or without a line, as empty; False when there is none or it is so already."""
        name = told if told in self._paths else told.rpartition(":")[0]
        if name not in self._paths or name in self.unread:
            return False
        self.unread.add(name)
        self._empty.add(self._paths[name])
        return True

    def sizes(self) -> Mapping[str, int]:
        """Bytes of every file."""
        return {path: 0 if path in self._empty else size for path, size in self._tree.sizes().items()}

    def size(self, path: str) -> int | None:
        """Bytes of one file."""
        return 0 if path in self._empty else self._tree.size(path)

    def read(self, path: str) -> bytes:
        """All bytes of one file."""
        return b"" if path in self._empty else self._tree.read(path)
