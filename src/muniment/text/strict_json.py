"""JSON as the standard means it: no duplicate keys, NaN, infinity, lone surrogates or numbers beyond 64 bits, and bounded depth.

Two ways to read: `loads` raises at the first fault; `loads_marked` leaves a `Fault` where the fault is, so that one bad
item of a long list does not cost the others. Rule of this file: text in, plain values out; no object is ever built from a name.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from muniment.errors import FormatError

MAX_DEPTH = 64
MAX_KEYS = 65_536
MAX_KEY = 1024
"""Characters in one key."""

_MOST_DIGITS = 20  # as many as the largest 64-bit number has
_SMALLEST, _LARGEST = -(2**63), 2**64 - 1
_SHOWN = 40
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# A string, to its end or the end of the text, or one bracket. Possessive, so that no input makes it look at a character twice.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fault:
    """What stands in place of a value that cannot be used: a reason code and a sentence."""

    code: str
    message: str


def loads(text: str, *, place: str = "") -> object:
    """The value `text` spells: None, bool, int, float, str, list or dict. Raises FormatError with reason and place."""
    value = loads_marked(text, place=place)
    found = first_fault(value)
    if found:
        path, fault = found
        raise FormatError(fault.message, place=_at(place, path), code=fault.code, hint="Correct this value and send it again.")
    return value


def loads_marked(text: str, *, place: str = "") -> object:
    """Like `loads`, with a `Fault` in place of every bad number, non-number or object with duplicate or too many keys.

    Strings may hold lone surrogates; `first_fault` finds them. Raises FormatError for text that is not JSON or too deep.
    """
    _check_depth(text, place)
    try:
        value: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _malformed(error, len(text), place) from error
    return value


def first_fault(value: object, path: str = "") -> tuple[str, Fault] | None:
    """The first fault inside a value from `loads_marked` and its path, such as `messages[3].content`; None when all is well."""
    if isinstance(value, Fault):
        return path, value
    if isinstance(value, str):
        return (path, _SURROGATE) if _LONE_SURROGATE.search(value) else None
    if isinstance(value, list):
        return next((found for i, item in enumerate(value) if (found := first_fault(item, f"{path}[{i}]"))), None)
    if isinstance(value, dict):
        return next((found for key, item in value.items() if (found := _pair_fault(key, item, path))), None)
    return None


_SURROGATE = Fault("invalid_unicode", "this text holds half of a character pair (a lone surrogate).")


def _pair_fault(key: str, item: object, path: str) -> tuple[str, Fault] | None:
    if _LONE_SURROGATE.search(key):
        return path, _SURROGATE
    return first_fault(item, f"{path}.{key[:_SHOWN]}" if path else key[:_SHOWN])


def _check_depth(text: str, place: str) -> None:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for token in _TOKEN.finditer(text):
        mark = token.group()[0]
        depth += (mark in "[{") - (mark in "]}")
        if depth > MAX_DEPTH:
            raise FormatError(
                f"this JSON is nested deeper than {MAX_DEPTH} levels.",
                place=_at(place, _position(text, token.start())),
                code="too_deep",
                hint="Flatten it; no format read here needs such depth.",
            )


def _malformed(error: json.JSONDecodeError, length: int, place: str) -> FormatError:
    if error.msg == "Extra data":
        what = "there is more text after the JSON value"
    elif error.pos >= length or error.msg.startswith("Unterminated string"):
        what = "the JSON stops before it is complete"
    else:
        what = "this is not JSON"
    return FormatError(
        f"{what} (line {error.lineno}, column {error.colno}).",
        place=place,
        code="malformed",
        hint="Check that it was written to its end, and mend this spot.",
    )


def _position(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def _at(place: str, path: str) -> str:
    return f"{place}: {path}" if place and path else place or path


def _object(pairs: list[tuple[str, object]]) -> object:
    whole = dict(pairs)
    if len(whole) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # add returns None
        return Fault("duplicate_key", f"the key {twice[:_SHOWN]!r} stands twice in one object.")
    if len(whole) > MAX_KEYS:
        return Fault("too_many_keys", f"one object has {len(whole)} keys; at most {MAX_KEYS} are read.")
    if any(len(key) > MAX_KEY for key in whole):
        return Fault("key_too_long", f"a key is longer than {MAX_KEY} characters.")
    return whole


def _whole(digits: str) -> object:
    number = int(digits) if len(digits) <= _MOST_DIGITS else None
    return number if number is not None and _SMALLEST <= number <= _LARGEST else _out_of_range(digits)


def _fraction(digits: str) -> object:
    number = float(digits)
    return number + 0.0 if math.isfinite(number) else _out_of_range(digits)  # + 0.0 makes -0.0 plain zero


def _out_of_range(digits: str) -> Fault:
    return Fault("number_out_of_range", f"the number {digits[:_SHOWN]} is outside what can be kept exactly.")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_whole, parse_float=_fraction, parse_constant=_out_of_range)
