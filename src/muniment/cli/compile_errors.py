"""What the package refuses, in the words of whoever typed the command: options and files instead of arguments and keys.

Rule of this file: codes stay as they are; only places, hints, and which files two things of one name come from are said anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from muniment.errors import BlockError, BudgetError, SeedError, shown
from muniment.registry.seeds import Library, Seed, SeedFile

_OPTIONS: Final = {"budget": "4000", "reserve": "500", "top": "8", "threshold": "0.5"}
"""Arguments that options of the same name are given for, each with an example."""
_RENAME: Final = "Rename one of them, or leave one out."


@contextmanager
def as_options() -> Iterator[None]:
    """Name the option where an argument is out of range."""
    try:
        yield
    except (BlockError, BudgetError) as error:
        if error.code == "range" and error.place in _OPTIONS:
            option = f"--{error.place}"
            if "leaves no room" not in error.message:
                error.hint = f"For example {option} {_OPTIONS[error.place]}."
            error.place = option
        raise


def library_of(files: Sequence[SeedFile]) -> Library:
    """A library of these files. Raises SeedError, without advice that only a program could follow."""
    try:
        return Library.read(files)
    except SeedError as error:
        if error.code == "duplicate_name":
            error.hint = _RENAME
        raise


@contextmanager
def naming_tools(seeds: Sequence[Seed], same: Callable[[str], str]) -> Iterator[None]:
    """Name the files of tools that cannot be offered together; `same` gives what a name is called in a prompt."""
    try:
        yield
    except BlockError as error:
        if error.code != "tool_clash":
            raise
        raise _clash(seeds, same) or error from error


def _clash(seeds: Sequence[Seed], same: Callable[[str], str]) -> BlockError | None:
    first: dict[str, Seed] = {}
    for seed in seeds:
        if seed.tool and (other := first.setdefault(same(seed.tool.name), seed)) is not seed:
            told = f"two tools are called {shown(seed.tool.name)}: one of {other.path}, one of {seed.path}."
            return BlockError(told, place=seed.place, code="tool_clash", hint=_RENAME)
    return None
