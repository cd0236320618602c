"""The head of a block: which keys it may hold, and what each may say.

Rule of this file: a head describes a block and never gives it power. Who wrote it, where it came from, whether it may be
removed or must stand in a prompt are the loader's to say; the same keys in a file are ignored, with a notice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from muniment.errors import SeedError, shown
from muniment.registry.seeds.values import Notice, SeedFile
from muniment.text.strict_yaml import Items, Node, Scalar, Table
from muniment.types import Band, Trust

_T = TypeVar("_T")

MOST_NAME: Final = 200
"""Characters in a block's name."""

_NUMBER = re.compile(r"[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][-+]?\d{1,3})?")
_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")
_BANDS: Final = {"stable": Band.STABLE, "session": Band.SESSION, "volatile": Band.VOLATILE}
_RANKS: Final = ("priority", "band", "requires")
_READ: Final = frozenset({"name", "description", "short", "priority", "tags", "band", "requires", "lines"})
_LOADERS: Final = frozenset(
    {
        "author",
        "source",
        "removable",
        "run",
        "created",
        "accesses",
        "id",
        "required",
        "trust",
        "role",
        "gated",
        "position",
        "group",
        "embedding",
    }
)
_ELSEWHERE: Final = frozenset(  # keys that other tools read in the same files
    {
        "license",
        "metadata",
        "allowed-tools",
        "version",
        "compatibility",
        "model",
        "argument-hint",
        "disable-model-invocation",
        "user-invocable",
        "globs",
        "alwaysApply",
        "applyTo",
        "paths",
        "title",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a head says. `priority` and `band` are None where it says nothing; `lines` is the exact length of the body."""

    name: str = ""
    description: str = ""
    short: str = ""
    priority: float | None = None
    tags: tuple[str, ...] = ()
    band: Band | None = None
    requires: tuple[str, ...] = ()
    lines: int | None = None
    compatibility: str = ""
    notices: tuple[Notice, ...] = ()


def read_head(table: Table, file: SeedFile) -> Head:
    """The head that `table` spells. Raises SeedError with file and line for a value that cannot be used.

    In a SKILL.md, and in a head without a name, which other tools wrote, such a value is ignored with a notice instead.
    """
    named = "name" in table.nodes
    reader = _Values(table, file, lenient=file.is_skill or not named)
    notices = [_ignored(key, table.lines[key]) for key in table.nodes if key not in _READ]
    ranked = file.trust is Trust.TRUSTED
    if not ranked:
        notices += [_unranked(key, table.lines[key]) for key in _RANKS if key in table.nodes]
    taken = reader.taken
    head = Head(
        name=taken("name", reader.name, ""),
        description=taken("description", lambda: reader.text("description"), ""),
        short=taken("short", lambda: reader.text("short"), ""),
        priority=taken("priority", reader.priority, None) if ranked else None,
        tags=taken("tags", lambda: reader.words("tags"), ()),
        band=taken("band", reader.band, None) if ranked else None,
        requires=taken("requires", lambda: reader.words("requires"), ()) if ranked else (),
        lines=taken("lines", reader.lines, None) if named else None,
        compatibility=taken("compatibility", lambda: reader.text("compatibility"), "") if file.is_skill else "",
    )
    return replace(head, notices=(*(notice for notice in notices if notice), *reader.notices))


def read_priority(text: str, file: SeedFile, line: int) -> float:
    """The number from 0 to 1 that `text` spells."""
    value = float(text) if _NUMBER.fullmatch(text) else -1.0
    if not 0 <= value <= 1:
        raise file.error(line, f"a priority is a number from 0 to 1, not {shown(text)}.", "range", "0.5 is the usual one.")
    return value


def read_words(texts: Sequence[str], file: SeedFile, line: int) -> tuple[str, ...]:
    """`texts` without repeats, in their order; each is visible text."""
    for text in texts:
        if not text.strip() or len(text) > MOST_NAME or _UNPRINTABLE.search(text):
            hint = f"Use 1 to {MOST_NAME} visible characters."
            raise file.error(line, f"{shown(text)} cannot be used as a word here.", "word_invalid", hint)
    return tuple(dict.fromkeys(text.strip() for text in texts))


class _Values:
    """The values of one head, each checked as it is taken."""

    def __init__(self, table: Table, file: SeedFile, *, lenient: bool) -> None:
        self.notices: list[Notice] = []
        self._table = table
        self._file = file
        self._lenient = lenient

    def taken(self, key: str, read: Callable[[], _T], other: _T) -> _T:
        """What `read` gives; `other` and a notice when that cannot be used and this head is lenient."""
        try:
            return read()
        except SeedError as error:
            if not self._lenient:
                raise
            told = f"{key} is ignored: {error.message}"
            self.notices.append(Notice(code="value_ignored", message=told, line=self._table.lines[key]))
            return other

    def name(self) -> str:
        if "name" not in self._table.nodes:
            return ""
        line, name = self._table.lines["name"], self.text("name")
        if not name or len(name) > MOST_NAME or _UNPRINTABLE.search(name):
            hint = f"Use 1 to {MOST_NAME} characters in one line, for example pdf-forms."
            raise self._file.error(line, f"{shown(name)} cannot be the name of a block.", "name_invalid", hint)
        return name

    def text(self, key: str) -> str:
        node = self._table.nodes.get(key)
        if node is None:
            return ""
        if not isinstance(node, Scalar):
            raise self._unfit(key, "text", "Write it in one line, or under | or > with its lines indented.")
        return node.text.strip()

    def priority(self) -> float | None:
        node = self._table.nodes.get("priority")
        if node is None:
            return None
        return read_priority(node.text if isinstance(node, Scalar) else "a list", self._file, self._table.lines["priority"])

    def band(self) -> Band | None:
        text = self.text("band").lower()
        if "band" not in self._table.nodes:
            return None
        if text not in _BANDS:
            hint = "Use stable, session or volatile. What is pinned is decided where the registry is filled."
            raise self._file.error(self._table.lines["band"], f"a file cannot ask for the band {shown(text)}.", "range", hint)
        return _BANDS[text]

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, or one text with spaces or commas between its words."""
        node = self._table.nodes.get(key)
        if node is None:
            return ()
        if isinstance(node, Scalar):
            return read_words(node.text.replace(",", " ").split(), self._file, self._table.lines[key])
        if not isinstance(node, Items) or not all(isinstance(item, Scalar) for item in node.nodes):
            raise self._unfit(key, "a list of texts", f"Write {key}: [a, b].")
        return read_words([_text(item) for item in node.nodes], self._file, self._table.lines[key])

    def lines(self) -> int | None:
        if "lines" not in self._table.nodes:
            return None
        text = self.text("lines")
        if not text.isascii() or not text.isdigit() or len(text) > 7:  # noqa: PLR2004  # a file has no more lines than that
            raise self._unfit("lines", "a count of lines", "Leave it out: it is written by programs only.")
        return int(text)

    def _unfit(self, key: str, wanted: str, hint: str) -> Exception:
        return self._file.error(self._table.lines[key], f"{key} is not {wanted}.", "type", hint)


def _text(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _ignored(key: str, line: int) -> Notice | None:
    if key in _LOADERS:
        told = f"{key} is ignored: it is decided by who loads this file, not by the file."
        return Notice(code="loaders_key", message=told, line=line)
    if key in _ELSEWHERE:
        return None
    return Notice(code="unknown_key", message=f"the key {shown(key)} is not known here and is ignored.", line=line)


def _unranked(key: str, line: int) -> Notice:
    told = f"{key} is ignored: an untrusted file does not rank its own blocks."
    return Notice(code="untrusted_rank", message=told, line=line)
