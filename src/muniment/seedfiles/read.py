"""The two ways in: every seed file below some paths, and the chain of context files from a root to a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from muniment.errors import SeedError
from muniment.registry.seeds.values import Notice, SeedFile
from muniment.seedfiles.archives import is_archive, open_archive
from muniment.seedfiles.discover import Reader, first_of, seed_files
from muniment.seedfiles.disk import Folder, read_file, unreadable
from muniment.seedfiles.trees import Allowance
from muniment.types import Trust

CHAIN_BYTES: Final = 32 * 1024
"""How much of a chain of AGENTS.md files some tools read before they cut it off."""


def read_seed_files(paths: Iterable[str | os.PathLike[str]], *, trust: Trust | None = None) -> list[SeedFile]:
    """The seed files that `paths` name, in their order: files, folders, and archives (zip, skill, tar, tar.gz, tgz).

    Of a folder: every Markdown file, JSON and YAML files that define tools, and with a SKILL.md the files beside it as its
    resources. Files and folders are trusted and archives are not, unless `trust` says otherwise. A path given twice is read
    once. Raises SeedError for the first path that cannot be read; nothing is returned by halves.
    """
    allowance = Allowance()
    found: dict[str, SeedFile] = {}
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        for file in _files(Path(path), trust, allowance):
            found.setdefault(os.path.normpath(file.path), file)
    return list(found.values())


def _files(path: Path, trust: Trust | None, allowance: Allowance) -> Iterator[SeedFile]:
    try:
        is_folder = path.is_dir()
        path.stat()
    except (OSError, ValueError) as error:
        raise unreadable(path.as_posix(), error) from error
    own = trust or Trust.TRUSTED
    if is_folder:
        yield from seed_files(Folder(path, path.as_posix()), trust=own, allowance=allowance)
        return
    if is_archive(path.name):
        data = read_file(path, path.as_posix())
        allowance.take(len(data), path.as_posix())
        archive = open_archive(data, path.as_posix())
        yield from seed_files(archive, trust=trust or Trust.UNTRUSTED, allowance=allowance)
        return
    label = path.parent.as_posix()
    tree = Folder(path.parent, "" if label == "." else label, named=path.name)
    for file in Reader(tree, own, allowance).named(path.name):
        yield replace(file, root="")


def read_chain(
    folder: str | os.PathLike[str], *, root: str | os.PathLike[str], name: str = "AGENTS.md", trust: Trust = Trust.TRUSTED
) -> list[SeedFile]:
    """The context files that hold in `folder`: that of `root` first, then those of the folders between, its own last.

    An override beside one (AGENTS.override.md) stands in for it. Each has the ones before it as its `chain`, and the last
    one a notice when all are longer than the 32 KiB that some tools read. Later files win by their place only.
    """
    top = Path(root)
    for path in (top, Path(folder)):
        try:
            path.stat()
        except (OSError, ValueError) as error:
            raise unreadable(path.as_posix(), error) from error
    below = os.path.relpath(os.path.realpath(folder), os.path.realpath(top)).replace(os.sep, "/")
    if below.split("/")[0] == "..":
        hint = "Name a root above the folder."
        raise SeedError("this folder does not lie below the root.", place=Path(folder).as_posix(), code="outside", hint=hint)
    tree = Folder(top, top.as_posix())
    reader = Reader(tree, trust, Allowance())
    parts = [part for part in below.split("/") if part != "."]
    files: list[SeedFile] = []
    for n in range(len(parts) + 1):
        found = first_of("/".join([*parts[:n], name]), tree)
        files += reader.named(found) if found else ()
    if files and (size := sum(len(file.text.encode()) for file in files)) > CHAIN_BYTES:
        told = f"the files of this chain are {size:,} bytes long together; some tools read the first {CHAIN_BYTES:,} only."
        files[-1] = replace(files[-1], notices=(*files[-1].notices, Notice(code="chain_length", message=told)))
    return files
