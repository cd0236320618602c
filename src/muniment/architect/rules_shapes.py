"""The shapes a value in an architecture file may have: how each is read from YAML, told to an editor, and described in a page.

Rule of this file: a shape gives a value or raises `Unfit` with every fault in it, each by its line and with what to do next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, Generic, Protocol, TypeVar

from muniment.errors import shown
from muniment.text.strict_yaml import Items, Json, Node, Scalar, Table

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
E = TypeVar("E", bound=StrEnum)

FOREVER: Final = "forever"
LONGEST: Final = timedelta(days=365_000)
UNITS: Final[Mapping[str, int]] = {
    "s": 1,
    "min": 60,
    "h": 3600,
    "d": 86_400,
    "day": 86_400,
    "week": 7 * 86_400,
    "month": 30 * 86_400,
    "year": 365 * 86_400,
}
"""Seconds of one unit of a duration. A month counts as 30 days and a year as 365."""

_SPAN: Final = re.compile(r"([0-9]{1,12}) ?([a-z]{1,6})")
_SPAN_FORM: Final = r"^(forever|[0-9]{1,12} ?(s|min|h|d|days?|weeks?|months?|years?))$"
_DECIMAL: Final = re.compile(r"[-+]?(?:[0-9]{1,17}(?:\.[0-9]{0,24})?|\.[0-9]{1,24})(?:[eE][-+]?[0-9]{1,3})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong in an architecture file: where it stands, what it is, what to do next, and a stable code."""

    line: int
    path: str
    what: str
    hint: str
    code: str = "type"


class Unfit(Exception):
    """A value that has not the shape wanted, with every fault found in it."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(*(fault.what for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A node and where it stands: the keys that lead to it, and its line."""

    node: Node
    path: str
    line: int

    def unfit(self, what: str, hint: str, code: str = "type") -> Unfit:
        """That this value cannot be used."""
        return Unfit(Fault(line=self.line, path=self.path, what=f"{self.path or 'this file'}: {what}", hint=hint, code=code))

    def text(self, form: str) -> str:
        """The text of a single value. Raises `Unfit`, asking for `form`, when it is a list or a mapping."""
        if isinstance(self.node, Scalar):
            return self.node.text
        kind = "a list" if isinstance(self.node, Items) else "a mapping"
        raise self.unfit(f"{kind} stands where one value is wanted", form)

    def table(self, form: str) -> Table:
        """The mapping that stands here; nothing at all is an empty one."""
        if isinstance(self.node, Table):
            return self.node
        if isinstance(self.node, Scalar) and self.node.plain and self.node.text in ("", "~", "null"):
            return Table({}, self.line, 1)
        raise self.unfit("keys with values are wanted here", form)


class Shape(Protocol[T_co]):
    """How a value is read, and how it is told to an editor (`schema`) and to a reader (`form`)."""

    @property
    def form(self) -> str: ...

    def read(self, at: Spot) -> T_co:
        """The value. Raises `Unfit`."""
        ...

    def schema(self) -> dict[str, Json]:
        """Its JSON Schema."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Text of at most `most` characters; with a `pattern`, all of it in that form, which `example` shows."""

    most: int = 2000
    pattern: str = ""
    example: str = ""

    @property
    def form(self) -> str:
        return f"text such as `{self.example}`" if self.example else "text"

    def read(self, at: Spot) -> str:
        text = at.text(f"Write {self.form}.")
        if len(text) > self.most:
            raise at.unfit(f"this is longer than {self.most:,} characters", "Make it shorter.", "range")
        if self.pattern and not re.fullmatch(self.pattern, text):
            raise at.unfit(f"{shown(text)} has not the form wanted", f"Write {self.form}.", "form")
        return text

    def schema(self) -> dict[str, Json]:
        out: dict[str, Json] = {"type": "string", "maxLength": self.most}
        return {**out, "pattern": f"^(?:{self.pattern})$"} if self.pattern else out


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of a few words. `empty` is a word that stands for none of them; `otherwise` says of other words what to do instead."""

    options: tuple[str, ...]
    empty: str = ""
    otherwise: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...]:
        return (*((self.empty,) if self.empty else ()), *self.options)

    @property
    def form(self) -> str:
        return f"{'one of ' * (len(self.words) > 1)}{', '.join(f'`{option}`' for option in self.words)}"

    def read(self, at: Spot) -> str:
        text = at.text(f"Write {self.form}.")
        if text in self.options:
            return text
        if self.empty and text in (self.empty, ""):
            return ""
        if text in self.otherwise:
            raise at.unfit(f"{shown(text)} cannot be", self.otherwise[text], "unknown_value")
        raise at.unfit(f"{shown(text)} is not known", nearest(text, self.words, f"Write {self.form}."), "unknown_value")

    def schema(self) -> dict[str, Json]:
        return {"enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class Member(Generic[E]):
    """A member of an enumeration, by its value. `without` are members that cannot be, and what to do instead."""

    of: type[E]
    without: Mapping[E, str] = field(default_factory=dict)

    @property
    def form(self) -> str:
        return self._choice.form

    @property
    def _choice(self) -> Choice:
        options = tuple(member.value for member in self.of if member not in self.without)
        return Choice(options=options, otherwise={member.value: hint for member, hint in self.without.items()})

    def read(self, at: Spot) -> E:
        return self.of(self._choice.read(at))

    def schema(self) -> dict[str, Json]:
        return self._choice.schema()


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number within bounds."""

    low: float
    high: float

    @property
    def form(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}"

    def read(self, at: Spot) -> float:
        text = at.text(f"Write {self.form}.")
        if not text.isascii() or not _DECIMAL.fullmatch(text):
            raise at.unfit(f"{shown(text)} is not a number", f"Write {self.form}.")
        number = float(text)
        if not self.low <= number <= self.high:
            raise at.unfit(f"{shown(text)} is out of range", f"Write {self.form}.", "range")
        return number

    def schema(self) -> dict[str, Json]:
        return {"type": "number", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A whole number within bounds."""

    low: int
    high: int

    @property
    def form(self) -> str:
        return f"a whole number from {self.low:,} to {self.high:,}"

    def read(self, at: Spot) -> int:
        text = at.text(f"Write {self.form}.")
        if not (text.isascii() and text.isdigit() and len(text) < 18):  # noqa: PLR2004  (digits that surely fit)
            raise at.unfit(f"{shown(text)} is not a whole number", f"Write {self.form}.")
        if not self.low <= int(text) <= self.high:
            raise at.unfit(f"{shown(text)} is out of range", f"Write {self.form}.", "range")
        return int(text)

    def schema(self) -> dict[str, Json]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""

    @property
    def form(self) -> str:
        return "`true` or `false`"

    def read(self, at: Spot) -> bool:
        text = at.text(f"Write {self.form}.")
        if text not in ("true", "false"):
            raise at.unfit(f"{shown(text)} is neither true nor false", f"Write {self.form}.")
        return text == "true"

    def schema(self) -> dict[str, Json]:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time, or `forever`."""

    @property
    def form(self) -> str:
        return "a duration such as `365d` or `18 months`, or `forever`"

    def read(self, at: Spot) -> timedelta | None:
        text = at.text(f"Write {self.form}.")
        if text == FOREVER:
            return None
        if (span := span_of(text)) is None:
            raise at.unfit(f"{shown(text)} is no duration", f"Write {self.form}.", "form")
        if not timedelta(0) < span <= LONGEST:
            raise at.unfit(f"{shown(text)} is out of range", "Write a duration above zero, up to 1000 years.", "range")
        return span

    def schema(self) -> dict[str, Json]:
        return {"type": "string", "pattern": _SPAN_FORM}


def span_of(text: str) -> timedelta | None:
    """The duration that `365d`, `18 months` or `90 min` is; None for text that is none."""
    match = _SPAN.fullmatch(text)
    unit = UNITS.get(match[2], UNITS.get(match[2].removesuffix("s"), 0) if len(match[2]) > 1 else 0) if match else 0
    if not match or not unit:
        return None
    seconds = int(match[1]) * unit
    return timedelta(seconds=seconds) if seconds < 10**13 else timedelta.max


def span_text(span: timedelta | None) -> str:
    """A duration in the largest unit that tells it in whole numbers; seconds at the least."""
    if span is None:
        return FOREVER
    seconds = span.days * 86_400 + span.seconds
    for unit in ("year", "month"):
        if seconds % UNITS[unit] == 0:
            count = seconds // UNITS[unit]
            return f"{count} {unit}{'s' if count > 1 else ''}"
    return next(f"{seconds // UNITS[unit]}{unit}" for unit in ("d", "h", "min", "s") if seconds % UNITS[unit] == 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed(Generic[T]):
    """A list of values of one shape, none of them twice; one value alone is a list of it."""

    of: Shape[T]
    most: int = 200

    @property
    def form(self) -> str:
        return f"a list, each {self.of.form}"

    def read(self, at: Spot) -> tuple[T, ...]:
        if isinstance(at.node, Table):
            raise at.unfit("a mapping stands where a list is wanted", f"Write {self.form}.")
        if isinstance(at.node, Scalar) and at.node.plain and at.node.text in ("", "~", "null"):
            return ()
        nodes = at.node.nodes if isinstance(at.node, Items) else (at.node,)
        if len(nodes) > self.most:
            raise at.unfit(f"this list has more than {self.most} entries", "Make it shorter.", "range")
        spots = [Spot(node=node, path=at.path, line=node.line) for node in nodes]
        values = gathered([(self.of.read, spot) for spot in spots])
        twice = [spot for place, spot in enumerate(spots) if values[place] in values[:place]]
        if twice:
            raise Unfit(*(_twice(spot) for spot in twice))
        return tuple(values)

    def schema(self) -> dict[str, Json]:
        items = self.of.schema()
        return {"anyOf": [{"type": "array", "items": items, "maxItems": self.most, "uniqueItems": True}, items]}


def _twice(spot: Spot) -> Fault:
    named = shown(spot.node.text) if isinstance(spot.node, Scalar) else "an entry"
    return Fault(line=spot.line, path=spot.path, what=f"{spot.path}: {named} stands twice", hint="Keep one.", code="duplicate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapped(Generic[T]):
    """Values of one shape by name; with `names`, only those. With `once` a schema tells the shape once, not for every name."""

    of: Shape[T]
    names: tuple[str, ...] = ()
    about: str = "name"
    once: bool = False

    @property
    def form(self) -> str:
        return f"by {self.about}, {self.of.form}"

    def read(self, at: Spot) -> dict[str, T]:
        table = at.table(f"Write {self.about}: value.")
        for_names = [_known(at, key, self.names, self.about) for key in table.nodes if self.names and key not in self.names]
        good = [key for key in table.nodes if not self.names or key in self.names]
        try:
            values = gathered(
                [(self.of.read, Spot(node=table.nodes[k], path=_below(at, k), line=table.lines.get(k, at.line))) for k in good]
            )
        except Unfit as unfit:
            raise Unfit(*for_names, *unfit.faults) from None
        if for_names:
            raise Unfit(*for_names)
        return dict(zip(good, values, strict=True))

    def schema(self) -> dict[str, Json]:
        if self.names and self.once:
            return {"type": "object", "propertyNames": {"enum": list(self.names)}, "additionalProperties": self.of.schema()}
        if self.names:
            return {"type": "object", "properties": dict.fromkeys(self.names, self.of.schema()), "additionalProperties": False}
        return {"type": "object", "additionalProperties": self.of.schema()}


def _below(at: Spot, key: str) -> str:
    return f"{at.path}.{key}" if at.path else key


def _known(at: Spot, key: str, names: Sequence[str], about: str) -> Fault:
    """That a key is none of those known, with the nearest one."""
    line = at.node.lines.get(key, at.line) if isinstance(at.node, Table) else at.line
    hint = nearest(key, names, f"Known are: {', '.join(names)}.")
    where = f"{at.path}: " if at.path else ""
    return Fault(line=line, path=_below(at, key), what=f"{where}there is no {about} {shown(key)}", hint=hint, code="unknown_key")


def nearest(word: str, known: Sequence[str], otherwise: str) -> str:
    """A question for the nearest known word, then what else could be written."""
    near = get_close_matches(word[:60], known, n=1)
    return f"Did you mean {near[0]!r}? {otherwise}" if near else otherwise


def gathered(reads: Sequence[tuple[Callable[[Spot], T], Spot]]) -> list[T]:
    """What each read gives. Raises `Unfit` with the faults of all that failed."""
    values: list[T] = []
    faults: list[Fault] = []
    for read, spot in reads:
        try:
            values.append(read(spot))
        except Unfit as unfit:
            faults += unfit.faults
    if faults:
        raise Unfit(*faults)
    return values


@dataclass(frozen=True, slots=True, kw_only=True)
class Key(Generic[T_co]):
    """One key of a mapping: its name, the shape of its value, and what it means."""

    name: str
    shape: Shape[T_co]
    about: str


class Named(Protocol):
    """Anything that has a name."""

    @property
    def name(self) -> str: ...


class Fields:
    """The keys of one mapping, read one by one; faults are collected, and a key that fails gives what it would be without."""

    def __init__(self, at: Spot, keys: Sequence[Named], faults: list[Fault], gone: Mapping[str, str] | None = None) -> None:
        self._faults = faults
        self._at = at
        self._table = Table({}, at.line, 1)
        try:
            self._table = at.table("Write one key a line, as key: value.")
        except Unfit as unfit:
            faults += unfit.faults
        names = [key.name for key in keys]
        unknown = [_known(at, name, names, "key") for name in self._table.nodes if name not in names]
        hints = {_below(at, name): hint for name, hint in (gone or {}).items()}
        faults += [replace(fault, hint=hints.get(fault.path, fault.hint)) for fault in unknown]

    def get(self, key: Key[T], otherwise: T) -> T:
        """The value of a key, or what it is without."""
        if key.name not in self._table.nodes:
            return otherwise
        try:
            return key.shape.read(self.spot(key.name))
        except Unfit as unfit:
            self._faults += unfit.faults
            return otherwise

    def spot(self, name: str) -> Spot:
        """Where a key stands, or where it would."""
        if name in self._table.nodes:
            return Spot(
                node=self._table.nodes[name], path=_below(self._at, name), line=self._table.lines.get(name, self._at.line)
            )
        return Spot(node=Scalar("", plain=True, line=self._at.line, column=1), path=_below(self._at, name), line=self._at.line)

    def refuse(self, key: Named, what: str, hint: str) -> None:
        """Note that the value of a key cannot be, given the others."""
        spot = self.spot(key.name)
        self._faults.append(Fault(line=spot.line, path=spot.path, what=f"{spot.path}: {what}", hint=hint, code="range"))

    def __contains__(self, name: str) -> bool:
        return name in self._table.nodes
