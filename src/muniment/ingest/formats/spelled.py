"""Frozen values as JSON and back, by their own field types, so that a field that is added travels without being named here.

What stands at its default is left out, and so is `seq`, which every store gives anew. Rule of this file: nothing is converted
silently; what does not fit a field is refused with the path to it.
"""

from __future__ import annotations

import base64
import binascii
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from muniment.errors import FormatError, shown
from muniment.ingest.rules import member, wrong_type
from muniment.ingest.times import read_time
from muniment.types import RUNGS, Scope

HINT = "Export it again from the store it came from."

T = TypeVar("T")


def spelled(value: object) -> object:  # noqa: PLR0911  # one line for each kind of value
    """`value` in what JSON has: a dataclass as an object, a time in ISO 8601, bytes in base64, keys that are no text as pairs."""
    if isinstance(value, Scope):
        return dict(value.rungs)
    if is_dataclass(value) and not isinstance(value, type):
        held = {field: getattr(value, field.name) for field in fields(value) if field.name != "seq"}
        return {field.name: spelled(one) for field, one in held.items() if one != _default(field)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Mapping):
        pairs: list[tuple[Any, object]] = [(spelled(key), spelled(held)) for key, held in value.items()]
        return dict(pairs) if all(isinstance(key, str) for key, _ in pairs) else sorted(pairs, key=repr)
    if isinstance(value, tuple | list):
        return [spelled(one) for one in value]
    return value


def value_of(kind: type[T], value: object, place: str) -> T:
    """The dataclass that `spelled` gave as `value`. Raises InputError naming the field that is missing or does not fit."""
    if not isinstance(value, Mapping):
        raise wrong_type(place, value)
    given: dict[str, object] = {}
    for name, (hint, needed) in _shape(_class(kind)).items():
        at = f"{place}.{name}"
        if name in value:
            given[name] = _read(hint, value[name], at)
        elif needed:
            raise FormatError("this field is missing.", place=at, code="field_missing", hint=HINT)
    return kind(**given)


def _read(hint: Any, value: Any, at: str) -> object:  # noqa: PLR0911  # one line for each kind of type
    while isinstance(hint, NewType):
        hint = hint.__supertype__
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, Union):
        return None if value is None else _read(next(one for one in inside if one is not types.NoneType), value, at)
    if origin is tuple and isinstance(value, list):
        return _row(inside, value, at)
    if origin is not None:
        return _pairs(inside, value, at)
    if hint is Scope:
        return scope_of(value, at)
    if is_dataclass(hint):
        return value_of(_class(hint), value, at)
    if hint in _READ or issubclass(hint, StrEnum):
        text = str(_plain(str, value, at))
        return _READ[hint](text, at) if hint in _READ else member(hint, text, at)
    return _plain(hint, value, at)


def _row(inside: tuple[Any, ...], value: list[object], at: str) -> tuple[object, ...]:
    hints = [inside[0]] * len(value) if Ellipsis in inside else list(inside)
    if len(hints) != len(value):
        raise wrong_type(at, value)
    return tuple(_read(hint, one, f"{at}[{n}]") for n, (hint, one) in enumerate(zip(hints, value, strict=True)))


def _pairs(inside: tuple[Any, ...], value: object, at: str) -> dict[object, object]:
    key, held = inside
    if key is str and isinstance(value, Mapping):
        return {name: _read(held, one, f"{at}.{name}") for name, one in value.items()}
    if key is str or not isinstance(value, list) or not all(isinstance(one, list) for one in value):
        raise wrong_type(at, value)
    rows = (_row(inside, one, f"{at}[{n}]") for n, one in enumerate(value))
    return {row[0]: row[1] for row in rows}


def _plain(kind: type, value: object, at: str) -> object:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise wrong_type(at, value)
    return value


def scope_of(value: object, at: str) -> Scope:
    """The scope of an object of rungs. Raises InputError for what is none."""
    if not isinstance(value, Mapping):
        raise wrong_type(at, value)
    wrong = [rung for rung in value if rung not in RUNGS]
    if wrong:
        raise FormatError(f"{shown(wrong[0])} is no rung of a scope.", place=at, code="scope_invalid", hint=HINT)
    return Scope(**value)


def _bytes(text: str, at: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FormatError("this is not base64.", place=at, code="malformed", hint=HINT) from error


def _time(text: str, at: str) -> datetime:
    try:
        return read_time(text)
    except FormatError as error:
        error.place = at
        raise


_READ = {datetime: _time, bytes: _bytes}


def _class(hint: Any) -> Any:
    """The same, for the type checker, which knows no type for a type that was read from an annotation."""
    return hint


@cache
def _shape(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The type of each field that travels, and whether it must be there."""
    hints = get_type_hints(kind)
    return {f.name: (hints[f.name], _default(f) is MISSING) for f in fields(kind) if f.name != "seq"}


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()
