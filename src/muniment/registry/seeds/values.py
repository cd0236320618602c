"""What a seed file is before and after it is read. Rule of this file: values only, frozen to the bottom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from muniment.errors import SeedError, shown
from muniment.types import Band, Tool, Trust

TEXT_BYTES: Final = 1 << 20
"""Bytes of one Markdown or YAML file, as of one block."""
JSON_BYTES: Final = 16 << 20
"""Bytes of one JSON file; descriptions of a large API exceed a block by far."""
CONTEXT_STEMS: Final = frozenset({"claude", "agents"})
SKILL_STEM: Final = "skill"
MARKDOWN: Final = (".md", ".markdown")
_SKILL_NAMES: Final = tuple(f"{SKILL_STEM}{extension}" for extension in MARKDOWN)


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

    def __post_init__(self) -> None:
        if not all_are((self.path, self.text), str):
            what, hint = "a SeedFile holds a path and a text, both str.", "Decode bytes first; read_seed_files reads from disk."
            raise SeedError(what, code="type", hint=hint)

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

    def __post_init__(self) -> None:
        for key in ("name", "text", "namespace", "description", "short", "path"):
            if not all_are((getattr(self, key),), str):
                raise _unfit(self, key, "a text", f"Give a str, not {shown(getattr(self, key))}.")
        if type(self.priority) not in {int, float} or not 0 <= self.priority <= 1:
            raise _unfit(self, "priority", "a number from 0 to 1", "0.5 is the usual one.", code="range")
        for key in ("tags", "requires"):
            words = getattr(self, key)
            if not isinstance(words, tuple | list) or not all_are(words, str):
                raise _unfit(self, key, "a tuple of texts", f"Write {key}=('a', 'b').")
            object.__setattr__(self, key, tuple(words))
        if not all_are((self.band,), Band) or not all_are((self.trust,), Trust):
            raise _unfit(self, "band or trust", "one of those there are", "Give a muniment.types.Band and Trust.")

    @property
    def key(self) -> str:
        """`namespace.name`, or the name alone where there is no namespace."""
        return f"{self.namespace}.{self.name}" if self.namespace else self.name

    @property
    def is_skill(self) -> bool:
        """Whether this is a SKILL.md that says what it is for, so that a card can stand in for it."""
        return bool(self.description) and self.path.rsplit("/", 1)[-1].lower() in _SKILL_NAMES

    @property
    def place(self) -> str:
        """The file and line, as errors name it."""
        return f"{self.path}:{self.line}" if self.path and self.line else self.path


def all_are(values: Iterable[object], kind: type) -> bool:
    """Whether all of these are of a kind, for what a caller without a type checker may give."""
    return all(isinstance(value, kind) for value in values)


def seeds_of(given: Iterable[Seed]) -> tuple[Seed, ...]:
    """What was given as seeds. Raises SeedError with code type when it is anything but seeds in a row."""
    if not all_are((given,), Iterable) or not all_are(found := tuple(given), Seed):
        what = "seeds are given as a list of Seed."
        raise SeedError(what, code="type", hint="Put one in brackets: [seed]. parse(file) gives those of a file.")
    return found


def _unfit(seed: Seed, key: str, wanted: str, hint: str, *, code: str = "type") -> SeedError:
    return SeedError(f"{key} of the seed {shown(seed.name)} is not {wanted}.", place=key, code=code, hint=hint)
