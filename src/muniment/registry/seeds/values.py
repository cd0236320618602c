"""What a seed file is before and after it is read. Rule of this file: values only, frozen to the bottom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from muniment.errors import SeedError
from muniment.types import Band, Tool, Trust

TEXT_BYTES: Final = 1 << 20
"""Bytes of one Markdown or YAML file, as of one block."""
JSON_BYTES: Final = 16 << 20
"""Bytes of one JSON file; descriptions of a large API exceed a block by far."""
CONTEXT_STEMS: Final = frozenset({"claude", "agents"})
SKILL_STEM: Final = "skill"
MARKDOWN: Final = (".md", ".markdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something a reader should know about a file that was read all the same: a code, a sentence, and its line if it has one."""

    code: str
    message: str
    line: int = 0

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A file beside a SKILL.md: its path inside the skill's folder, its bytes, and its text (None: not text, or too long)."""

    path: str
    size: int
    text: str | None = None


@dataclass(frozen=True, slots=True)
class SeedFile:
    """A file's text, and what its loader decides about it. Nothing inside the text can change what stands here.

    `path` names it in errors, with slashes. `root` is the folder it was found under, a prefix of `path`. `namespace` is
    the first half of its seeds' keys; without it, it follows from the path. `several` says whether `---` may begin further
    blocks and `split` whether headings do; None leaves it to the file's name. `chain` names the files through which this
    one was reached, outermost first.
    """

    path: str
    text: str
    trust: Trust = Trust.TRUSTED
    root: str = ""
    namespace: str = ""
    several: bool | None = None
    split: bool | None = None
    resources: tuple[Resource, ...] = ()
    chain: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rsplit("/", 1)[-1]

    @property
    def stem(self) -> str:
        """The name without its extension."""
        return self.name.rsplit(".", 1)[0] or self.name

    @property
    def extension(self) -> str:
        """The last extension in small letters, with its dot; empty when there is none."""
        stem, dot, last = self.name.rpartition(".")
        return f".{last.lower()}" if dot and stem else ""

    @property
    def folder(self) -> str:
        """The name of the folder it lies in; empty when the path tells none."""
        folder = self.path.rsplit("/", 2)[-2] if "/" in self.path else ""
        return "" if folder in {".", ".."} else folder

    @property
    def is_skill(self) -> bool:
        """Whether this is a SKILL.md, in any case."""
        return self.extension in MARKDOWN and self.stem.lower() == SKILL_STEM

    @property
    def is_context(self) -> bool:
        """Whether this is a CLAUDE.md or an AGENTS.md, in any case, or a variant such as CLAUDE.local.md."""
        return self.extension in MARKDOWN and self.name.split(".", 1)[0].lower() in CONTEXT_STEMS

    def error(self, line: int, message: str, code: str, hint: str) -> SeedError:
        """An error at a line of this file."""
        return SeedError(message, place=f"{self.path}:{line}" if line else self.path, code=code, hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A block as a file spells it, before a registry gives it an id, an author and a place.

    `line` is the line of `path` its text starts at. `warnings` tell what was ignored or looks wrong. A seed with a `tool`
    is that tool's schema; `resources` are the files beside a SKILL.md.
    """

    name: str
    text: str
    namespace: str = ""
    description: str = ""
    short: str = ""
    priority: float = 0.5
    tags: tuple[str, ...] = ()
    band: Band = Band.STABLE
    trust: Trust = Trust.TRUSTED
    gated: bool = True
    requires: tuple[str, ...] = ()
    tool: Tool | None = None
    resources: tuple[Resource, ...] = ()
    path: str = ""
    line: int = 0
    chain: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()

    @property
    def key(self) -> str:
        """`namespace.name`, or the name alone where there is no namespace."""
        return f"{self.namespace}.{self.name}" if self.namespace else self.name

    @property
    def is_skill(self) -> bool:
        """Whether this is a SKILL.md that says what it is for, so that a card can stand in for it."""
        return bool(self.description) and self.path.rsplit("/", 1)[-1].rsplit(".", 1)[0].lower() == SKILL_STEM

    @property
    def place(self) -> str:
        """The file and line, as errors name it."""
        return f"{self.path}:{self.line}" if self.path and self.line else self.path
