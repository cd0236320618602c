"""What the Agent Skills specification asks of a SKILL.md, told as notices: a skill that breaks it is read all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.errors import shown
from muniment.registry.seeds.values import Notice, Seed, SeedFile

MOST_NAME: Final = 64
MOST_DESCRIPTION: Final = 1024
MOST_COMPATIBILITY: Final = 500
MOST_LINES: Final = 500

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def check_skill(seed: Seed, file: SeedFile, *, compatibility: str = "", has_head: bool = True) -> Iterator[Notice]:
    """A notice for every point in which a skill is not as specified."""
    if not has_head:
        yield _notice("skill_head", "a SKILL.md begins with --- and a name and description; this one does not.")
        return
    if not _NAME.fullmatch(seed.name) or len(seed.name) > MOST_NAME:
        wanted = f"1 to {MOST_NAME} small letters, digits and single hyphens"
        yield _notice("skill_name", f"the name of a skill is {wanted}; this one is {shown(seed.name)}.")
    if file.folder and seed.name != file.folder:
        yield _notice("skill_folder", f"a skill bears the name of its folder, {shown(file.folder)}; this is {shown(seed.name)}.")
    if not seed.description:
        yield _notice("skill_description", "a skill needs a description: it decides when the skill is used.")
    if len(seed.description) > MOST_DESCRIPTION:
        told = f"a description has at most {MOST_DESCRIPTION:,} characters; this one has {len(seed.description):,}."
        yield _notice("skill_description", told)
    if len(compatibility) > MOST_COMPATIBILITY:
        told = f"compatibility has at most {MOST_COMPATIBILITY} characters; this one has {len(compatibility):,}."
        yield _notice("skill_compatibility", told)
    if (count := seed.text.count("\n") + 1) > MOST_LINES:
        told = f"the text of a skill has at most {MOST_LINES} lines; this one has {count:,}. Move parts into files beside it."
        yield _notice("skill_length", told)


def _notice(code: str, message: str) -> Notice:
    return Notice(code=code, message=message, line=1)
