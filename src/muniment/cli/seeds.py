"""Seed files as the commands `lint` and `compile` are given them: paths, folders, archives, or standard input.

Rule of this file: it only fetches. What a file means is decided in `registry.seeds`, which way it is read safely in `seedfiles`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from muniment.cli.files import STDIN, read_whole
from muniment.errors import InputError
from muniment.registry.seeds import SeedFile
from muniment.seedfiles import read_seed_files
from muniment.seedfiles.archives import is_archive, open_archive
from muniment.types import Trust

STDIN_NAME = "stdin."
EXAMPLE = "For example: muniment {command} skills/ AGENTS.md"


def files_named(paths: Sequence[str], *, command: str, trust: Trust | None = None) -> tuple[SeedFile, ...]:
    """Every seed file these paths name or hold, each once; `-` is standard input. Raises InputError when there is none.

    Without `trust`, all are trusted but archives.
    """
    check_named(paths, command=command)
    found: dict[str, SeedFile] = {}
    for path in paths:
        for file in [standard_input(trust)] if path == STDIN else read_seed_files([path], trust=trust):
            found.setdefault(os.path.normpath(file.path), file)
    if not found:
        raise none_found(paths)
    return tuple(found.values())


def check_named(paths: Sequence[str], *, command: str) -> None:
    """Raise InputError (usage) where no path is given, an empty one, or standard input twice."""
    hint = EXAMPLE.format(command=command)
    if not paths:
        raise InputError("no file or folder was named.", code="usage", hint=hint)
    if not all(path.strip() for path in paths):
        raise InputError("an empty path names nothing.", code="usage", hint=f"{hint}; . is the folder you are in.")
    if paths.count(STDIN) > 1:
        raise InputError(
            "standard input can be read only once.", place=STDIN, code="usage", hint="Name one of the two as a file."
        )


def none_found(paths: Sequence[str]) -> InputError:
    """The error for paths that hold no seed."""
    hint = "Name Markdown files, tool definitions in JSON or YAML, or folders and archives of them."
    return InputError("there is nothing here that can be read as blocks.", place=", ".join(paths), code="no_seeds", hint=hint)


def is_there(files: Sequence[SeedFile]) -> Callable[[str, str], bool]:
    """A function that says whether what one of these files refers to exists, beside it or in a folder above it.

    Up to the working folder, or to the folder or archive that was named where that lies elsewhere. Standard input has no
    place, so that everything it refers to is taken to be there.
    """
    roots = {file.path: file.root for file in files}
    here = Path.cwd().as_posix()
    packed = {root: frozenset(_listed(root)) for root in set(roots.values()) if root and is_archive(root)}

    def there(path: str, reference: str) -> bool:
        root = roots.get(path, "")
        if path.startswith(STDIN_NAME):
            return True
        if root in packed:
            inside = path.removeprefix(f"{root}/")
            return any(_resolved(folder, reference) in packed[root] for folder in _above(inside))
        top = "" if not PurePosixPath(path).is_absolute() else here if _is_below(path, here) else root
        return any(_exists(f"{folder}/{reference}") for folder in _above(path) if not top or _is_below(folder, top))

    return there


def _exists(path: str) -> bool:
    return os.path.exists(path)  # noqa: PTH110  (a Path would raise for a name that no file can have)


def _listed(archive: str) -> Iterator[str]:
    """Every file and folder in an archive."""
    for path in open_archive(Path(archive).read_bytes(), archive).sizes():
        yield path
        yield from _above(path)


def _above(path: str) -> list[str]:
    """The folders above a path, the nearest first; of a relative path, down to where it starts."""
    return [str(folder) for folder in PurePosixPath(path).parents]


def _is_below(folder: str, root: str) -> bool:
    return folder == root or PurePosixPath(root) in PurePosixPath(folder).parents


def _resolved(folder: str, reference: str) -> str:
    return os.path.normpath(f"{folder}/{reference}")


def standard_input(trust: Trust | None) -> SeedFile:
    """Standard input as tool definitions where it looks like JSON, else as Markdown. Raises InputError when it is no text."""
    try:
        text = read_whole(STDIN).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "Save it as UTF-8."
        raise InputError("this is not UTF-8 text.", place="stdin", code="invalid_unicode", hint=hint) from error
    kind = "json" if text.lstrip().startswith(("{", "[")) else "md"
    return SeedFile(path=f"{STDIN_NAME}{kind}", text=text, trust=trust or Trust.TRUSTED)
