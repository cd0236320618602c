"""The small grammar of filters: a mapping of documented keys to a value, to one of several values, or to a time.

Rule of this file: pure, and nothing is passed over or turned into something else. What cannot be asked for is a QueryError that
names its place and the next step; `docs/reference/filters.md` is this file in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, TypeVar

from muniment.errors import QueryError, shown
from muniment.types import MOST_VALUES, Filter, Kind, Record, Role, check_instant

METADATA: Final = "metadata"
MOST_KEYS: Final = 32

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_OPERATOR = re.compile("eq|ne|gte?|lte?|n?in|n?or|and|not|any|all|exists|i?like|regex|contains|where|expr")
_OF_SCOPE = re.compile("(?:client|customer|user|tenant|org|organi[sz]ation|account|workspace|namespace|owner|scope)(?:_?ids?)?")
_SHOWN_KEYS = 20

Wanted = TypeVar("Wanted", bound=str)
Where = Filter | Mapping[str, object] | None
"""What narrows a read of records: a Filter, or a mapping of the keys of `RECORD_KEYS` and `metadata.NAME`."""
Read = Callable[[str, object], object]
"""Reads one value, given the key it stands under; raises QueryError."""


def check_filter(value: object) -> Filter:
    """What narrows a read of records: a Filter as it is, a mapping as it is read, and everything for None, {} and []."""
    if isinstance(value, Filter):
        return value
    return Filter(**read_where(value, RECORD_KEYS))  # type: ignore[arg-type]  # each was read as its field


def read_where(value: object, keys: Mapping[str, Read], *, metadata: bool = True) -> dict[str, object]:
    """The values of a mapping by key, each read by `keys`, and under "metadata" those of keys that begin with `metadata.`.

    Raises QueryError: unknown_filter, reserved (a rung of the scope), filter_key_invalid, filter_op_invalid, too_deep, and what
    `keys` raise.
    """
    if value is None or (isinstance(value, list | tuple) and not value):
        return {}
    if not isinstance(value, Mapping):
        hint = 'Give a mapping, for example {"speaker": "Ana"}, or leave it out.'
        raise QueryError(f"a filter is a mapping, not {type(value).__name__}.", place="where", code="type", hint=hint)
    if len(value) > MOST_KEYS:
        raise QueryError(f"{len(value)} keys are too many.", place="where", code="range", hint=f"Give at most {MOST_KEYS}.")
    found: dict[str, object] = {}
    for key, asked in value.items():
        head, dot, name = key.partition(".") if isinstance(key, str) else ("", "", "")
        if metadata and head == METADATA and dot and name.strip():
            known = found.setdefault(METADATA, {})
            assert isinstance(known, dict)
            known[name] = several(key, _flat(key, asked), one=_text)
        else:
            known_key = _known(key, keys, metadata=metadata)
            found[known_key] = keys[known_key](known_key, _flat(known_key, asked))
    return found


def _known(key: object, keys: Mapping[str, Read], *, metadata: bool) -> str:
    """Return `key` if it is one; raise QueryError with the next step otherwise."""
    if isinstance(key, str) and key in keys:
        return key
    names = [*keys, *([f"{METADATA}.NAME"] if metadata else [])]
    every = f"The keys are {', '.join(names)}."
    if not isinstance(key, str):
        raise QueryError(f"{type(key).__name__} is no key.", place="where", code="filter_key_invalid", hint=every)
    bare = key.strip(" \t$_;:=").casefold()
    if (key[:1] == "$" and _KEY.fullmatch(key[1:])) or "__" in key or _OPERATOR.fullmatch(bare):
        hint = "A key alone means equal to; a list means one of several; since and until bound a time."
        raise QueryError(
            f"{shown(key)} would be an operator, and there are none.", place="where", code="filter_op_invalid", hint=hint
        )
    if key == METADATA and metadata:
        hint = f'Name the part that is meant: {{"{METADATA}.NAME": "…"}}.'
        raise QueryError("metadata is compared part by part.", place=METADATA, code="filter_key_invalid", hint=hint)
    if not _KEY.fullmatch(key):
        raise QueryError(f"{shown(key)} is no key.", place="where", code="filter_key_invalid", hint=every)
    place = key[:_SHOWN_KEYS]
    if _OF_SCOPE.fullmatch(key.casefold()):
        hint = "Whose data is read is said by the scope alone; no filter can widen or move it."
        raise QueryError(f"{shown(key)} belongs to the scope.", place=place, code="reserved", hint=hint)
    near = get_close_matches(key.casefold(), keys, n=1, cutoff=0.5)
    meant = f"Did you mean {near[0]}? " if near else ""
    raise QueryError(f"there is no filter {shown(key)}.", place=place, code="unknown_filter", hint=f"{meant}{every}")


def _flat(key: str, value: object) -> object:
    """Return a value that has nothing inside but the values of one list; raise QueryError otherwise."""
    place = key[:_SHOWN_KEYS]
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    if any(isinstance(one, Mapping | list | tuple) for one in inside):
        raise QueryError(
            "values inside values cannot be asked for.", place=place, code="too_deep", hint="Give a value or a list."
        )
    if isinstance(value, Mapping):
        hint = "Give a value, or a list of those that may stand there. There are no operators."
        raise QueryError("a mapping cannot be compared.", place=place, code="filter_op_invalid", hint=hint)
    return value


def several(key: str, value: object, *, one: Read) -> object:
    """One value, or a tuple of several of which one must stand there, each as `one` reads it. Raises QueryError."""
    if not isinstance(value, list | tuple):
        return one(key, value)
    if not 1 <= len(value) <= MOST_VALUES:
        hint = f"Give 1 to {MOST_VALUES}, or leave the key out."
        raise QueryError(f"{len(value)} values were given.", place=key, code="range", hint=hint)
    return tuple(one(key, each) for each in value)


def _text(key: str, value: object) -> str:
    if isinstance(value, str):
        return value
    hint = "Give text, which is compared exactly, or leave the key out."
    raise QueryError(f"{type(value).__name__} is no text.", place=key[:_SHOWN_KEYS], code="type", hint=hint)


def text(key: str, value: object) -> object:
    """Text, or one of several."""
    return several(key, value, one=_text)


def single(key: str, value: object) -> object:
    """Text, and only one."""
    return _text(key, value)


def member(members: type[StrEnum]) -> Read:
    """Reads one of these, or one of several."""

    def read(key: str, value: object) -> StrEnum:
        if isinstance(value, str) and value in list(members):
            return members(value)
        hint = f"Use one of {', '.join(members)}."
        code = "range" if isinstance(value, str) else "type"
        raise QueryError(f"{shown(value)} cannot stand here.", place=key, code=code, hint=hint)

    return lambda key, value: several(key, value, one=read)


def moment(key: str, value: object) -> object:
    """An aware time: a datetime, or ISO 8601 text with its offset. Raises QueryError."""
    hint = "Give a time with its offset, such as 2026-03-01T12:00:00Z."
    if not isinstance(value, str | datetime):
        raise QueryError(f"{type(value).__name__} is no time.", place=key, code="type", hint=hint)
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise QueryError(f"{shown(value)} is no time.", place=key, code="range", hint=hint) from None
    return check_instant(key, at)


RECORD_KEYS: Final[Mapping[str, Read]] = {
    "conversation": text,
    "agent": text,
    "speaker": text,
    "role": member(Role),
    "kind": member(Kind),
    "since": moment,
    "until": moment,
    "valid_at": moment,
    "known_at": moment,
}


def one_of(wanted: object, had: object) -> bool:
    """Whether what stands there is what is wanted: anything for None, one of several for a tuple."""
    return wanted is None or (had in wanted if isinstance(wanted, tuple) else wanted == had)


def only_one(wanted: Wanted | tuple[Wanted, ...] | None) -> Wanted | None:
    """The one value that is wanted, for looking it up; None where it is any, or one of several."""
    return None if isinstance(wanted, tuple) else wanted


def holds(metadata: Mapping[str, str], wanted: Mapping[str, str | tuple[str, ...]]) -> bool:
    """Whether every part that is asked for is there and one of what is wanted. Other parts do not matter."""
    return all(name in metadata and one_of(value, metadata[name]) for name, value in wanted.items())


def passes(record: Record, where: Filter) -> bool:
    """Whether the filter lets the record through. A record without `said_at` passes no time bound."""
    return (
        one_of(where.conversation, record.conversation)
        and one_of(where.agent, record.agent)
        and one_of(where.speaker, record.speaker)
        and one_of(where.role, record.role)
        and one_of(where.kind, record.kind)
        and holds(record.metadata, where.metadata)
        and (where.known_at is None or record.recorded_at <= where.known_at)
        and in_time(record, where)
    )


def in_time(record: Record, where: Filter) -> bool:
    """Whether it was said between the filter's own instants, `since` inside and `until` outside."""
    at = record.said_at
    if where.since is not None and (at is None or at < where.since):
        return False
    return where.until is None or (at is not None and at < where.until)
