"""What lint is given and what it finds. Rule of this file: values only, so that every rule file can share them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from muniment.types import Band, Block, Tool


class Severity(IntEnum):
    """How bad a finding is; a larger one is worse."""

    NOTE = 1
    WARNING = 2
    ERROR = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A line of a file, counted from 1, and what stands there. `path` is empty for a block of a registry."""

    path: str
    line: int
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LintFinding:
    """One thing that a rule found, where, what to do about it, and the other place when it takes two."""

    rule: str
    severity: Severity
    place: Place
    message: str
    hint: str
    block: str = ""
    other: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Oddity:
    """What was odd about a file that could be read all the same: a code, a sentence, and its line, 0 where it has none."""

    code: str
    message: str
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One block as lint sees it. `line` is where `text` begins in its file, counted from 1.

    `namespace` is what its file or folder adds to the name, `warnings` what was odd when it was read, `resources` the files
    beside a skill.
    """

    name: str
    text: str
    path: str = ""
    line: int = 1
    band: Band = Band.STABLE
    description: str = ""
    tool: Tool | None = None
    namespace: str = ""
    requires: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    warnings: tuple[Oddity, ...] = ()

    @property
    def is_skill(self) -> bool:
        """Whether its file is a SKILL.md."""
        return self.path.rpartition("/")[2].lower() == "skill.md"

    @property
    def is_context(self) -> bool:
        """Whether its file is a CLAUDE.md or an AGENTS.md, whose blocks are named by their headings."""
        return self.path.rpartition("/")[2].lower().partition(".")[0] in {"agents", "claude"}

    def at(self, line: int = 0, text: str = "") -> Place:
        """The place of a line of the text, counted from 0."""
        return Place(path=self.path, line=self.line + line, text=text)


def subject_of(block: Block) -> Subject:
    """A block of a registry, which stands in no file."""
    return Subject(
        name=block.name,
        text=block.text,
        band=block.band,
        description=block.description,
        tool=block.tool,
        requires=block.requires,
    )


def _anywhere(path: str, reference: str) -> bool:  # noqa: ARG001  (nothing is known of files)
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """All that is checked together.

    `count` counts tokens. `files` has the whole text of each file by its path. `exists(path, reference)` says whether what the
    file at `path` refers to is there.
    """

    subjects: tuple[Subject, ...]
    count: Callable[[str], int]
    files: Mapping[str, str] = field(default_factory=dict)
    exists: Callable[[str, str], bool] = _anywhere
