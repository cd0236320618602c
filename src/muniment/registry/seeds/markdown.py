"""Markdown files as seeds: block files, SKILL.md, CLAUDE.md and AGENTS.md.

Rule of this file: a head decides first, then headings where the file's name or its loader asks for that, else the file is
one block. Nothing between is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from muniment.registry.seeds.blocks import Piece, pieces
from muniment.registry.seeds.head import Head
from muniment.registry.seeds.sections import Section, sections
from muniment.registry.seeds.skill import check_skill
from muniment.registry.seeds.values import Notice, Seed, SeedFile
from muniment.types import Band, Trust

PRIORITY: Final = 0.5
CONTEXT_PRIORITY: Final = 0.9
"""Of blocks of a trusted SKILL.md, CLAUDE.md or AGENTS.md that name none."""

_RUNS = re.compile(r"[\s\-\x00-\x1f\x7f-\x9f]+")


def markdown_seeds(file: SeedFile) -> tuple[Seed, ...]:
    """The blocks of a Markdown file in order. Raises SeedError with file and line."""
    several = not file.is_skill if file.several is None else file.several
    found = pieces(file, several=several)
    seeds = [seed for piece in found for seed in _seeds(piece, file)]
    if file.is_skill:
        head = found[0].head
        told = check_skill(seeds[0], file, compatibility=head.compatibility if head else "", has_head=head is not None)
        seeds[0] = replace(seeds[0], resources=file.resources, warnings=(*seeds[0].warnings, *told))
    return tuple(seeds)


def _seeds(piece: Piece, file: SeedFile) -> Iterator[Seed]:
    head = piece.head or Head()
    if head.name:
        yield _seed(head.name, piece, head, file)
        return
    if file.is_skill and piece.head:
        told = "this skill gives no name that can be used; it bears that of its folder."
        notice = Notice(code="skill_name", message=told, line=1)
        yield _seed(file.folder or file.stem, piece._replace(notices=(*piece.notices, notice)), head, file)
        return
    split = (file.is_skill or file.is_context) if file.split is None else file.split
    found = sections(piece.text, piece.line, file) if split else [Section(name="", text=piece.text, line=piece.line)]
    taken: dict[str, int] = {}
    for n, section in enumerate(found):
        wanted = section.name or ("section" if n else _RUNS.sub("_", file.stem) or "seed")
        name = _untaken(wanted, taken)
        notices = (*(() if n else piece.notices), *section.notices)
        own = replace(head, tags=(*head.tags, *section.tags), priority=_either(section.priority, head.priority))
        yield _seed(name, Piece(own, section.text, section.line, notices), own, file)


def _seed(name: str, piece: Piece, head: Head, file: SeedFile) -> Seed:
    trusted = file.trust is Trust.TRUSTED
    usual = CONTEXT_PRIORITY if trusted and (file.is_skill or file.is_context) else PRIORITY
    return Seed(
        name=name,
        text=piece.text,
        description=head.description,
        short=head.short,
        priority=_either(head.priority, usual) or 0.0,
        tags=tuple(dict.fromkeys(head.tags)),
        band=head.band if head.band is not None else Band.STABLE if trusted else Band.SESSION,
        requires=head.requires,
        line=piece.line,
        warnings=piece.notices,
    )


def _either(first: float | None, second: float | None) -> float | None:
    return second if first is None else first


def _untaken(name: str, taken: dict[str, int]) -> str:
    """`name`, or the first of `name_2`, `name_3`, … that is not taken, in any case. `taken` counts how often each was."""
    number, free = taken.get(name.casefold(), 0), name
    while free.casefold() in taken:
        number += 1
        free = f"{name}_{number}"
    taken[name.casefold()] = max(number, 1)
    taken.setdefault(free.casefold(), 1)
    return free
