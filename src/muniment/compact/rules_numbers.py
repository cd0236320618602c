"""The numbers of a text, in figures and in words, each with its unit in one form.

Rule of this file: pure and linear. 1.2k and 1,200 are one number, half is 0.5, minus counts, nothing is reckoned from one unit
into another. Where a figure can be read in two ways, both are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from muniment.compact.words_stated import GLUED, MONEY, NO_COUNT, ORDERS, ORDINALS, SCALES, SMALL, TENS, UNITS

TOKEN = re.compile(
    r"[$€£¥₹]|°[cf]\b|\d{1,3}(?:,\d{3})+(?:\.\d+)?%?|\d+(?:\.\d+)?%?|[½¼¾]|[^\W\d_]+(?:[-'\u2019][^\W_]+)*|[^\w\s]", re.IGNORECASE
)
ORDER = "th"
"""The unit of a number that counts places."""
_ORDER_ENDINGS = frozenset(("st", "nd", "rd", "th"))
_SHORT_SCALES = {"k": 1_000, "m": 1_000_000, "mio": 1_000_000, "b": 1_000_000_000, "bn": 1_000_000_000}
_FRACTIONS = {"half": Decimal("0.5"), "½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}
_PARTS = {"third": "1/3", "thirds": "2/3", "quarter": "0.25", "quarters": "0.75"}
_MINUS = frozenset("-\u2212\u2013")
_CURRENCIES = frozenset(("usd", "eur", "gbp", "chf"))
_SPACED = frozenset("glhm")
"""Units of one letter that also stand apart from their number."""
_RANKED = (["place"], ["floor"], ["quarter"], ["round"], ["edition"], ["grade"], ["prize"])
_LONGEST = 40
_GROUP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A number with its place. `also` are other ways to read it."""

    value: str
    start: int
    end: int
    unit: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    start: int
    end: int
    small: bool


def numbers(text: str) -> Iterator[Counted]:
    """The numbers of a text in order."""
    tokens = [_Token(found[0].casefold(), found.start(), found.end(), found[0].islower()) for found in TOKEN.finditer(text)]
    at = 0
    while at < len(tokens):
        one, at = _number(tokens, at)
        if one is not None:
            yield one


def _number(tokens: Sequence[_Token], at: int) -> tuple[Counted | None, int]:
    told = _part(tokens, at) or _figure(tokens, at) or _worded(tokens, at)
    if told is None:
        return None, at + 1
    value, after, also = told
    unit, start, end, after = _unit(tokens, at, after)
    if tokens[at].word.endswith("%"):
        unit = "percent"
    if not unit and tokens[at].word in ORDINALS:
        unit = ORDER
    if value in {"0.5", "0.25", "0.75"} and not unit:
        also = (*also, format(Decimal(value).scaleb(2).normalize(), "f"))
    if at and (tokens[at - 1].word in {"minus", "negative"} or _is_minus(tokens, at - 1, start)):
        value, start = f"-{value}", tokens[at - 1].start
        also = tuple(f"-{one}" for one in also)
    return Counted(value=value, start=start, end=end, unit=unit, also=also), after


def _is_minus(tokens: Sequence[_Token], at: int, start: int) -> bool:
    sign = tokens[at]
    return (
        sign.word in _MINUS
        and sign.end == start
        and (at == 0 or tokens[at - 1].end < sign.start or tokens[at - 1].word in "([:=$€£")
    )


def _unit(tokens: Sequence[_Token], at: int, after: int) -> tuple[str, int, int, int]:
    start, end = tokens[at].start, tokens[after - 1].end
    before = tokens[at - 1].word if at else ""
    if before in UNITS and ((len(before) == 1 and not before.isalpha()) or before in _CURRENCIES):
        return UNITS[before], tokens[at - 1].start, end, after
    if after < len(tokens):
        one = tokens[after]
        if one.word in _ORDER_ENDINGS and one.start == end:
            return ORDER, start, one.end, after + 1
        if (unit := UNITS.get(one.word)) and (len(one.word) > 1 or not one.word.isalpha() or _stands(one, end)):
            return unit, start, one.end, after + 1
        if one.word == "%":
            return "percent", start, one.end, after + 1
    if after + 1 < len(tokens) and tokens[after].word == "-" and (unit := UNITS.get(tokens[after + 1].word)):
        return unit, start, tokens[after + 1].end, after + 2
    return "", start, end, after


def _stands(one: _Token, end: int) -> bool:
    return one.start == end or (one.word in _SPACED and one.small and one.start == end + 1)


def plain(figure: str) -> str:
    """A figure without blanks for the eye; a nought at its end stays, as version 1.10 is not 1.1."""
    try:
        value = Decimal(figure.replace(",", ""))
    except InvalidOperation:
        return figure
    if "," not in figure and figure.endswith("0") and not figure.endswith(".00"):
        return format(value, "f")
    return format(value.normalize(), "f")


def _figure(tokens: Sequence[_Token], at: int) -> tuple[str, int, tuple[str, ...]] | None:
    word = tokens[at].word
    if not word[0].isdecimal():
        return (format(_FRACTIONS[word], "f"), at + 1, ()) if word in _FRACTIONS and not word.isalpha() else None
    figure = word.rstrip("%")
    if len(figure) > _LONGEST or not figure.isascii():
        return figure, at + 1, ()
    scale, extra, after = _scale(tokens, at)
    if scale != 1 or extra:
        value = Decimal(figure.replace(",", "")) * scale + extra
        return format(value.normalize(), "f"), after, ()
    whole, dot, part = figure.partition(".")
    grouped = dot and len(part) == _GROUP and len(whole) <= _GROUP and "," not in figure and whole != "0"
    return plain(figure), after, (whole + part,) if grouped else ()


def _scale(tokens: Sequence[_Token], at: int) -> tuple[int, Decimal, int]:
    """What follows a figure and belongs to it: a scale, or half of one more."""
    after = at + 1
    if after == len(tokens):
        return 1, Decimal(0), after
    one = tokens[after]
    if one.word in SCALES:
        return SCALES[one.word], Decimal(0), after + 1
    big = one.word != "m" or not one.small or (at and tokens[at - 1].word in UNITS)
    if one.word in _SHORT_SCALES and one.start == tokens[at].end and big:
        return _SHORT_SCALES[one.word], Decimal(0), after + 1
    if _words(tokens, after, 3) == ["and", "a", "half"]:
        return 1, Decimal("0.5"), after + 3
    if one.word in _FRACTIONS and not one.word.isalpha():
        return 1, _FRACTIONS[one.word], after + 1
    return 1, Decimal(0), after


def _words(tokens: Sequence[_Token], at: int, size: int) -> list[str]:
    return [one.word for one in tokens[at : at + size]]


def _part(tokens: Sequence[_Token], at: int) -> tuple[str, int, tuple[str, ...]] | None:
    """Half, a third of, two thirds of, three quarters."""
    word = tokens[at].word
    if word == "half":
        return "0.5", at + 1 + (_words(tokens, at + 1, 1) in (["a"], ["an"])), ()
    part = _PARTS.get(tokens[at + 1].word) if at + 1 < len(tokens) else None
    if part and word in {"a", "one", "two", "three"} and _words(tokens, at + 2, 1) in (["of"], ["full"], ["majority"]):
        return part, at + 2, ()
    return None


def _worded(tokens: Sequence[_Token], at: int) -> tuple[str, int, tuple[str, ...]] | None:
    word = tokens[at].word
    if word in ORDINALS and ((at and tokens[at - 1].word in ORDERS) or _words(tokens, at + 1, 1) in _RANKED):
        return str(ORDINALS[word]), at + 1, ()
    value, place = _cardinal(tokens, at)
    if place == at or (word == "one" and place == at + 1 and place < len(tokens) and tokens[place].word in NO_COUNT):
        return None
    if _words(tokens, place, 3) == ["and", "a", "half"]:
        return format(Decimal(value) + Decimal("0.5"), "f"), place + 3, ()
    return str(value), place, ()


def _cardinal(tokens: Sequence[_Token], at: int) -> tuple[int, int]:
    whole = part = 0
    place = at
    while place < len(tokens) and place - at < _LONGEST:
        word = tokens[place].word
        tens, dash, ones = word.partition("-")
        if dash and tens in TENS and ones in SMALL:
            part += TENS[tens] + SMALL[ones]
        elif word in SMALL and (place == at or part % 10 == 0):
            part += SMALL[word]
        elif word in TENS and part % 100 == 0:
            part += TENS[word]
        elif word in SCALES and (place > at or word == "dozen" or (at and tokens[at - 1].word in {"a", "one"})):
            part = max(part, 1) * SCALES[word]
            if SCALES[word] >= SCALES["thousand"]:
                whole, part = whole + part, 0
        elif not (word == "and" and part >= SCALES["hundred"] and _goes_on(tokens, place + 1)):
            break
        place += 1
    return whole + part, place


def _goes_on(tokens: Sequence[_Token], at: int) -> bool:
    return at < len(tokens) and (tokens[at].word in SMALL or tokens[at].word in TENS or "-" in tokens[at].word)


def is_money(unit: str) -> bool:
    """Whether a unit is one of money."""
    return unit in MONEY


PLAIN = re.compile(r"\d+(?:st|nd|rd|th|s|k|m|bn|b|am|pm|x|%)?", re.IGNORECASE)
"""What looks like a code and is a number."""
GLUED_NUMBER = re.compile(rf"\d+(?:\.\d+)?(?:{'|'.join(sorted(GLUED, key=len, reverse=True))})\b", re.IGNORECASE)
