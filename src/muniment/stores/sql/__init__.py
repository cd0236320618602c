"""SQL texts of the stores: named statements and numbered migrations, each in a .sql file beside this one.

A statement begins with `-- name: word`. Comment lines that follow say what it is for and are not part of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_MIGRATION = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: its number, its name, and the statements that take the version before to this one."""

    version: int
    name: str
    script: str


def statements(dialect: str) -> Mapping[str, str]:
    """The named statements of `<dialect>.sql` and `<dialect>_<part>.sql`. Raises ValueError when a name stands there twice."""
    named = re.compile(rf"{dialect}(?:_\w+)?\.sql")
    texts = [file.read_text(encoding="utf-8") for file in files(__name__).iterdir() if named.fullmatch(file.name)]
    parts = [part for text in texts for part in _NAME.split(text)[1:]]
    found: dict[str, str] = {}
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        if name in found:
            raise ValueError(f"statement {name} stands twice in the statements of {dialect}")
        found[name] = "\n".join(line for line in body.strip().splitlines() if not line.startswith("--"))
    return found


def migrations(dialect: str) -> tuple[Migration, ...]:
    """The migrations in the folder `<dialect>`, oldest first, numbered from 1 without a gap."""
    folder = (files(__name__) / dialect).iterdir()
    found = [(match, file) for file in folder if (match := _MIGRATION.fullmatch(file.name))]
    steps = [Migration(int(match[1]), match[2], file.read_text(encoding="utf-8")) for match, file in found]
    steps.sort(key=lambda step: step.version)
    if [step.version for step in steps] != list(range(1, len(steps) + 1)):
        raise ValueError(f"the migrations of {dialect} are not numbered 1, 2, 3 and so on")
    return tuple(steps)
