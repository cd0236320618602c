"""Writes what a type checker and an editor know of an engine that acts for a credential: `python -m muniment.cli.acting_stub`.

Rule of this file: everything is taken from the engine's own verbs and the table of needs. Nothing of it exists at run time.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import muniment
from muniment.engine import Engine
from muniment.scope.rules_needs import GROUPS, NEEDS, Need

HEAD = """# An engine as a credential may use it, for type checkers and editors alone; made from the engine's own verbs.
#
# Rule of this file: no verb is written by hand (`make docs` does). What runs is `muniment.scope.acting`.
"""
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_BUILT_IN = frozenset("None str int float bool bytes object tuple list dict set frozenset".split())  # noqa: SIM905  # a table
_ITERATED = {"AsyncIterator": "Iterator", "AsyncIterable": "Iterable"}


def stub() -> str:
    """The whole file."""
    groups = asyncio.run(_groups())
    wanted: dict[str, set[str]] = {"collections.abc": {"Mapping"}}
    classes: list[str] = []
    for prefix, blocking in (("Acting", False), ("BlockingActing", True)):
        for group, kind in groups.items():
            verbs = [name for name in NEEDS if name.startswith(f"{group}.")]
            classes.append(_class(f"{prefix}{group.capitalize()}", _verbs(kind, verbs, wanted, blocking=blocking)))
        offered = [f"    {group}: {prefix}{group.capitalize()}" for group in groups]
        own = _verbs(Engine, [name for name in NEEDS if "." not in name], wanted, blocking=blocking)
        classes.append(_class(f"{prefix}Engine", [*offered, *own]))
    used = set(_WORD.findall("".join(classes)))
    imports = [
        f"from {module} import {', '.join(sorted(names & used))}" for module, names in sorted(wanted.items()) if names & used
    ]
    return "\n".join([HEAD, *imports, "", *classes])


async def _groups() -> dict[str, type]:
    async with muniment.open("memory://", embedder=None, tokens="estimate") as engine:
        return {name: type(getattr(engine, name)) for name in sorted(GROUPS)}


def _class(name: str, lines: list[str]) -> str:
    return "\n".join([f"class {name}:", *lines, ""])


def _verbs(kind: type, names: list[str], wanted: dict[str, set[str]], *, blocking: bool) -> list[str]:
    return [_verb(getattr(kind, name.rpartition(".")[2]), NEEDS[name], wanted, blocking=blocking) for name in names]


def _verb(verb: Callable[..., object], need: Need, wanted: dict[str, set[str]], *, blocking: bool) -> str:
    signature = inspect.signature(verb)
    changed = []
    for parameter in signature.parameters.values():
        if parameter.annotation is parameter.empty:  # self
            changed.append(parameter)
            continue
        told = str(parameter.annotation)
        _note(told, verb, wanted)
        if parameter.name == need.scope and re.search(r"\bScope\b", told):
            told = re.sub(r"\bScope\b", "Scope | Mapping[str, object]", told, count=1)
        default = parameter.default if parameter.default is parameter.empty else ...
        changed.append(parameter.replace(annotation=_Bare(told), default=default))
    answer = f"{signature.return_annotation}{' | None' if need.mute else ''}"
    _note(answer, verb, wanted)
    if blocking:
        answer = _WORD.sub(lambda word: _ITERATED.get(word[0], word[0]), answer)
        wanted["collections.abc"] |= set(_ITERATED.values())
    text = str(signature.replace(parameters=changed, return_annotation=_Bare(answer))).replace("= Ellipsis", "= ...")
    waits = "async " if inspect.iscoroutinefunction(verb) and not blocking else ""
    return f"    {waits}def {verb.__name__}{text}: ..."


class _Bare(str):
    """An annotation that is shown as it was written, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _note(annotation: str, verb: Callable[..., object], wanted: dict[str, set[str]]) -> None:
    """Note from where the names of an annotation come."""
    homes = dict(_imported(Path(inspect.getfile(verb))))
    for word in _WORD.findall(annotation):
        if word not in _BUILT_IN:
            wanted.setdefault(homes.get(word, verb.__module__), set()).add(word)


def _imported(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((one.name, node.module) for one in node.names)


if __name__ == "__main__":
    sys.stdout.write(stub())
