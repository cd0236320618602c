"""Cuts a text into tokens: numbers, numeric dates, clock times, known words; everything else is `other`.

Rule of this file: one linear walk. A run that mixes letters and digits is a time only when it is one of a few known shapes
(3pm, 21st, Dec31, Q3); otherwise it is an unknown word, so that codes are no dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, tzinfo
from functools import cache

from muniment.text.times.holidays import HOLIDAYS
from muniment.text.times.lexicon import FREQUENCIES, GLUED_UNITS, LEXICON
from muniment.text.times.months_abroad import MONTHS_ABROAD
from muniment.text.times.readings import Clock, Day, Moment, Number, Token
from muniment.text.times.reckoning import full_year, in_each_year
from muniment.types import Precision

_SHAPES = (
    r"""
      (?P<plain>[^\W\d_]{2,}(?=[\s,!?]|\.\s))
    | (?P<iso>(?<![\d])\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?(?![\d:]|\s?[ap]\.?\s?m\b))
    | (?P<ymd>(?<!\d)(?<!\d[-/.])\d{4}(?P<s1>[-/.]|\ (?=\d\d\ \d\d(?!\d)))\d{1,2}(?P=s1)\d{1,2}(?![\d]|[-/]\d(?!\d?[-/]\d)))
    | (?P<dmy>(?<!\d)(?:(?<!\d[-/.])|(?<=\d{4}[-/.])|(?<=/\d-)|(?<=/\d\d-))
      \d{1,2}(?P<s2>[-/.])\d{1,2}(?P=s2)(?:\d{4}|\d{2})(?!\d|[.:]\d|/\d))
    | (?P<named>(?<!\w)(?:\d{4}[-/.][a-z]{3,9}[-/.]\d{1,2}
      |[a-z]{3,9}[-/.]\d{1,2}[-/.]\d{4}|\d{1,2}[-/.][a-z]{3,9}[-/.](?:\d{4}|\d\d))(?!\w))
    | (?P<abroad>(?<![\w.,/-])\d{1,2}(?:\.|er|\ ?[º°])?\ (?:de\ )?(?:"""
    + "|".join(sorted(MONTHS_ABROAD, key=len, reverse=True))
    + r""")(?:\ (?:de[l]?\ )?\d{4}(?!\d))?(?!\w))
    | (?P<clock>(?<![\d:.])(?<!UTC[-+])(?<!GMT[-+])\d{1,2}:\d\d(?::\d\d)?(?!:?\d))
    | (?P<halves>(?<![\d/])(?:\d{1,3}\s(?:1/2|1/4|3/4)(?=\s?[a-z])
      |(?:1/2|1/4|3/4)(?=[\s-]?(?:an?\s)?(?:hour|day|week|month|year)))|\d{1,3}\s?[½¼¾])
    | (?P<slash>(?<![\d/])(?<!\d[.,])\d{1,2}/\d{1,2}(?![\d/]|\.\d|\s+of\s+(?!(?:this|last|next)\b|\d)
      |[ -](?:cups?|teaspoons?|tsp|tablespoons?|tbsp|inch(?:es)?|miles?|pounds?|lbs?|full|done|empty|way)\b))
    | (?P<money>[$€£¥]\s?\d[\d,.]*)
    | (?P<big>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+|\s?%)|\d+(?:\.\d+)?\s?%)
    | (?P<grouped>\d{1,3}(?:,\d{3})+(?!\d))
    | (?P<weekof>\bw/[ce]\b)
    | (?P<decade>(?<![\w.])(?:'\d0|\d\d\d0|\d0(?=['\u2019]))\s?['\u2019]?s\b)
    | (?P<mixed>(?<!\w)(?:\d+(?:\.\d+)?(?![ap]\s?\.\s?m\b)[a-z½]|[a-z]+\d)\w*)
    | (?P<decimal>\d+\.\d+)
    | (?P<number>\d+)
    | (?P<meridiem>(?<![^\W\d_])[ap]\s?\.\s?m\b(?:\s?\.)?|(?<=[\w]\s)[ap]\sm\b|(?<=\d:\d\d)[ap](?![^\W_]))
    | (?P<oclock>\bo['-]?\s?clock\b)
    | (?P<fraction>[½¼¾])
    | (?P<word>[^\W\d_]+(?:['\u2019][^\W\d_]+)*)
    | (?P<line>\n)
    | (?P<sign>[<>]\s?=|[^\s\w])
    | (?P<junk>\w)
    """
)
_MIXED = re.compile(
    r"(?P<n>\d+(?:\.\d+)?)(?P<tail>st|nd|rd|th|(?:a|p)m?|h(?=\d)|'?s|[a-z]+)(?P<rest>\d*)|(?P<head>[a-z]+)(?P<digits>\d+)(?P<end>st|nd|rd|th)?",
    re.IGNORECASE,
)
_HOURS = re.compile(r"(\d{1,3})(h|hrs?)(\d{1,2})(m|mins?)", re.IGNORECASE)
_SIGNS = {
    ",": "comma",
    ".": "dot",
    "-": "dash",
    "\u2013": "dash",
    "\u2014": "dash",
    "~": "dash",
    "/": "slash",
    "(": "open",
    ")": "close",
    "'": "quote",
    "\u2019": "quote",
    ">": "gt",
    "<": "lt",
    ">=": "ge",
    "<=": "le",
    "=": "eq",
    "&": "and",
    "@": "at",
    "|": "bar",
    "#": "hash",
    "+": "plus",
    ":": "colon",
    "\n": "line",
}
_PLAIN = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212\u2019\u00a0\u202f", "------'  ")
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_ALWAYS = (24, 7)
_NOON = 12
_MOST_WORDS = 4
_HOLIDAY_STARTS = frozenset(name.split()[0].rstrip(".") for name in HOLIDAYS)


@cache
def _shapes() -> re.Pattern[str]:
    return re.compile(_SHAPES, re.VERBOSE | re.IGNORECASE)


def scan(text: str, now: datetime, zone: tzinfo = UTC) -> list[Token]:
    """The tokens of a text, in order; times with an offset of their own are told in `zone`."""
    text = text.translate(_PLAIN)
    out: list[Token] = []
    for match in _shapes().finditer(text):
        kind = match.lastgroup or ""
        if kind in ("plain", "word"):
            out.extend(_word(match[0], match.start(), match.end()))
        elif kind in ("sign", "line"):
            sign = match[0].replace(" ", "")
            told = sign != ":" or text[match.end() : match.end() + 1].isdigit()
            out.append(Token(_SIGNS.get(sign, "mark") if told else "mark", match.start(), match.end(), match[0]))
        elif kind == "number":
            out.append(_number(match[0], match.start(), match.end()))
        elif kind == "mixed":
            out.extend(_mixed(match[0], match.start()))
        else:
            out.append(_special(match, kind, now, zone))
    return _holidays(_joints(out), text)


_WORDS = frozenset({"other", "word", "my", "that", "it", "no", "line", "mark"})


def _joints(tokens: list[Token]) -> list[Token]:
    """Dashes and slashes with space around and a word behind are the sentence's own, and join no times."""
    for n, token in enumerate(tokens):
        if token.name in ("dash", "slash"):
            behind = tokens[n + 1] if n + 1 < len(tokens) else None
            spaced = behind is None or token.end < behind.start
            if spaced and (behind is None or behind.name in _WORDS) and (not n or tokens[n - 1].end < token.start):
                tokens[n] = token._replace(name="mark")
    return tokens


def _word(word: str, start: int, end: int) -> Iterator[Token]:
    low = word.lower().replace("\u2019", "'")
    name, value = LEXICON.get(low, ("", None))
    if name:
        yield Token(name, start, end, word, value)
    elif low.endswith("ish") and (hour := LEXICON.get(low[:-3], ("", None)))[0] == "small":
        yield from (Token("small", start, end - 3, word[:-3], hour[1]), Token("ish", end - 3, end, word[-3:], ""))
    elif low.endswith("'s") and (found := LEXICON.get(low[:-2])):
        yield Token(found[0], start, end - 2, word[:-2], found[1])
        yield Token("poss", end - 2, end, word[-2:])
    else:
        yield Token("other", start, end, word)


def _number(digits: str, start: int, end: int) -> Token:
    length = len(digits)
    name = {1: "n2", 2: "n2", 4: "n4"}.get(length, "n")
    if length > 9:  # noqa: PLR2004  no count of anything
        return Token("other", start, end, digits)
    return Token(name, start, end, digits, Number(value=int(digits), text=digits))


def _mixed(run: str, start: int) -> Iterator[Token]:
    """A run of letters and digits: the shapes that are times, else one unknown word."""
    if glued := _HOURS.fullmatch(run):
        for at, unit in ((1, "hour"), (3, "minute")):
            yield _number(glued[at], start + glued.start(at), start + glued.end(at))
            yield Token("unit", start + glued.start(at + 1), start + glued.end(at + 1), glued[at + 1], unit)
        return
    match = _MIXED.fullmatch(run)
    end = start + len(run)
    if match and match["n"]:
        yield from _numbered(match, run, start)
        return
    if match:
        head, digits = match["head"], match["digits"]
        name, value = LEXICON.get(head.lower(), ("", None))
        cut = start + len(head)
        if name in ("month", "namelike") and len(digits) in (1, 2, 4):
            yield Token("month", start, cut, head, value)
            yield _ordinal(digits, cut, end) if match["end"] else _number(digits, cut, end)
            return
        if head.lower() in ("q", "h") and digits in "1234"[: 4 if head.lower() == "q" else 2]:
            yield Token(head.lower() + "n", start, end, run, int(digits))
            return
        if head.lower() == "w" and len(digits) <= 2 and 1 <= int(digits) <= 53:  # noqa: PLR2004  weeks of a year
            yield Token("weekno", start, end, run, int(digits))
            return
        if head.lower() in ("fy", "sy", "cy") and len(digits) in (2, 4):
            yield Token({"fy": "fiscal", "sy": "school", "cy": "calendaryear"}[head.lower()], start, cut, head, head.upper())
            yield _number(digits, cut, end)
            return
    yield Token("other", start, end, run)


def _ordinal(digits: str, start: int, end: int) -> Token:
    return Token("ord", start, end, digits, int(digits))


def _numbered(match: re.Match[str], run: str, start: int) -> Iterator[Token]:  # noqa: C901, PLR0911  one shape after another
    number, tail, rest = match["n"], match["tail"], match["rest"]
    cut, end = start + len(number), start + len(run)
    low = tail.lower()
    if low in ("st", "nd", "rd", "th") and not rest and number.isdigit() and len(number) <= 3:  # noqa: PLR2004  days and weeks
        yield _ordinal(number, start, end)
        return
    if low == "s" and number.isdigit() and len(number) in (2, 4) and number.endswith("0") and not rest:
        yield Token("decade", start, end, run, int(number))
        return
    if low == "h" and rest and len(rest) == 2 and number.isdigit() and int(number) < 24 and int(rest) < 60:  # noqa: PLR2004  of a clock or a calendar
        hour = int(number)
        yield Token("time", start, end, run, Clock(hour=hour, minute=int(rest), sure=not 1 <= hour <= _NOON))
        return
    if low == "q" and number in ("1", "2", "3", "4") and len(rest) in (2, 4):
        yield from (Token("qn", start, cut + 1, run[: len(number) + 1], int(number)), _number(rest, cut + 1, end))
        return
    if low == "q" and number.isdigit() and (quarter := rest if len(number) == 4 else number) in ("1", "2", "3", "4"):  # noqa: PLR2004  a year
        if rest:
            yield _number(number, start, cut)
        yield Token("qn", cut if rest else start, end, run, int(quarter))
        return
    if low == "x" and not rest and number.isdigit() and len(number) <= 2:  # noqa: PLR2004  2x a week
        yield from (_number(number, start, cut), Token("times", cut, end, tail))
        return
    name, value = LEXICON.get(low, ("", None))
    if name in ("month", "namelike") and number.isdigit() and len(number) <= 2 and len(rest) in (2, 4):  # noqa: PLR2004  a year
        last = end - len(rest)
        yield from (_number(number, start, cut), Token("month", cut, last, tail, value), _number(rest, last, end))
        return
    if low in ("am", "pm", "a", "p") and not rest:
        name, value = ("am", 0) if low[0] == "a" else ("pm", 12)
    elif low in GLUED_UNITS and not rest:
        name, value = "unit", GLUED_UNITS[low]
    if name and not rest:
        yield (
            Token("decimal", start, cut, number, Number(value=float(number), text=number))
            if "." in number
            else _number(number, start, cut)
        )
        yield Token(name, cut, end, tail, value)
        return
    yield Token("other", start, end, run)


def _special(match: re.Match[str], kind: str, now: datetime, zone: tzinfo) -> Token:  # noqa: C901, PLR0912  one way of telling it after another
    text, start, end = match[0], match.start(), match.end()
    name: str = "other"
    reading: object = None
    try:
        if kind in ("ymd", "dmy", "named"):
            day = _day(text, kind, now.date())
            name, reading = ("date", Day(timex=day.isoformat(), options=(day,))) if day else ("void", None)
            if day is None and kind == "named":
                name = "other"
        elif kind == "abroad":
            name, reading = _abroad(text, match.string[max(0, start - 4) : start], now.date())
        elif kind == "slash":
            name, reading = _slash(text, now.date())
        elif kind == "clock":
            name, reading = _clock(text)
        elif kind == "iso":
            name, reading = _iso(text, zone)
        elif kind == "halves":
            name, reading = _halves(text)
        elif kind == "decimal":
            name, reading = "decimal", Number(value=float(text), text=text)
        elif kind == "decade":
            name, reading = "decade", int("".join(c for c in text if c.isdigit()))
        elif kind == "grouped":
            name, reading = "n", Number(value=int(text.replace(",", "")), text=text)
        elif kind == "oclock":
            name = "oclock"
        elif kind == "weekof":
            name = "weekof"
        elif kind == "meridiem":
            name, reading = ("am", 0) if text[0] in "aA" else ("pm", 12)
        elif kind == "fraction":
            name, reading = "fraction", _FRACTIONS[text]
    except (ValueError, OverflowError):
        name, reading = "void", None  # shaped like a date, but there is no such day
    return Token(name, start, end, text, reading)


def _halves(text: str) -> tuple[str, object]:
    """A whole number with a fraction behind it, or a fraction alone."""
    if text[-1] in _FRACTIONS:
        return "decimal", Number(value=int(text[:-1]) + _FRACTIONS[text[-1]], text=text)
    part = int(text[-3]) / int(text[-1])
    return ("decimal", Number(value=int(text[:-4]) + part, text=text)) if text[:-4] else ("fraction", part)


def _day(text: str, kind: str, today: date) -> date | None:
    """A date in figures.

    Where day and month can be told apart by size they are; else slashes and dashes are month first, dots day first.
    """
    a, b, c = re.split(r"[-/.\s]", text)
    if kind == "named":
        parts = [a, b, c]
        word = next(part for part in parts if part.isalpha())
        name, value = LEXICON.get(word.lower(), ("", None))
        if name not in ("month", "namelike") or not isinstance(value, int):
            return None
        numbers = [part for part in parts if part != word]
        year, day = (numbers[0], numbers[1]) if len(numbers[0]) == 4 else (numbers[1], numbers[0])  # noqa: PLR2004  a year's digits
        return date(full_year(int(year), today), value, int(day))
    if kind == "ymd":
        year, month, day_ = int(a), int(b), int(c)
        return date(year, day_, month) if month > 12 >= day_ else date(year, month, day_)  # noqa: PLR2004  months of a year
    first, second, year = int(a), int(b), full_year(int(c), today)
    day_first = first > 12 or ("." in text and second <= 12)  # noqa: PLR2004  months of a year
    return date(year, second, first) if day_first else date(year, first, second)


_ARTICLES = re.compile(r"\b(?:le|du|au|el|al|il|am|den|dem|vom|bis|zum|dia|em|o|no)\s$", re.IGNORECASE)


def _abroad(text: str, lead: str, today: date) -> tuple[str, object]:
    """A day and a month of another language; without a year only where something beside the number says so."""
    words = text.lower().replace("º", "").replace("°", "").split()
    digits = words[0].rstrip(".er")
    month = next(MONTHS_ABROAD[word] for word in words if word in MONTHS_ABROAD)
    day, year = int(digits), int(words[-1]) if words[-1].isdigit() and len(words) > 1 else 0
    if year:
        only = date(year, month, day)
        return "date", Day(timex=only.isoformat(), options=(only,))
    if not (words[0] != digits or "de" in words or _ARTICLES.search(lead)):
        return "other", None
    options = in_each_year(today, month, day)
    return (
        ("date", Day(timex=f"XXXX-{month:02d}-{day:02d}", options=options, month=month, day=day, yearless=True))
        if options
        else ("void", None)
    )


def _slash(text: str, today: date) -> tuple[str, object]:
    first, second = (int(part) for part in text.split("/"))
    if (first, second) == _ALWAYS:
        return "other", None
    month, day = (second, first) if first > 12 else (first, second)  # noqa: PLR2004  months of a year
    if not 1 <= month <= 12 or not 1 <= day <= 31:  # noqa: PLR2004  of a clock or a calendar
        return "other", None
    options = in_each_year(today, month, day)
    if not options:
        return "void", None
    return "date", Day(timex=f"XXXX-{month:02d}-{day:02d}", options=options, month=month, day=day, yearless=True)


def _clock(text: str) -> tuple[str, object]:
    hour, minute, *second = (int(part) for part in text.split(":"))
    midnight = hour == 24 and not minute and not any(second)  # noqa: PLR2004  24:00 ends a day
    if (hour > 23 and not midnight) or minute > 59 or (second and second[0] > 60):  # noqa: PLR2004  of a clock or a calendar
        return "other", None
    sure = not 1 <= hour <= _NOON or (text[0] == "0")
    return "time", Clock(
        hour=hour, minute=minute, second=min(second[0], 59) if second else None, sure=(sure and hour != 0) or hour == 0
    )


def _iso(text: str, zone: tzinfo) -> tuple[str, object]:
    at = datetime.fromisoformat(text.replace(" ", "T"))
    local = (at.astimezone(zone) if at.tzinfo else at).replace(tzinfo=None, fold=0)
    precise = Precision.SECOND if text.count(":") >= 2 else Precision.MINUTE  # noqa: PLR2004  hours, minutes and seconds
    timex = local.isoformat(timespec="seconds" if precise is Precision.SECOND else "minutes")
    return "moment", Moment(timex=timex, options=(local,), precision=precise)


def _holidays(tokens: list[Token], text: str) -> list[Token]:
    """Puts one token in the place of a holiday's words."""
    if not any(token.text.lower() in _HOLIDAY_STARTS for token in tokens):
        return tokens
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.text.lower() in _HOLIDAY_STARTS:
            for n in range(min(_MOST_WORDS + 3, len(tokens) - i), 0, -1):
                words = " ".join(text[token.start : tokens[i + n - 1].end].lower().replace("\u2019", "'").split())
                if words in HOLIDAYS and tokens[i + n - 1].name != "line":
                    end = tokens[i + n - 1].end
                    token = Token("holiday", token.start, end, text[token.start : end], HOLIDAYS[words])
                    i += n - 1
                    break
        out.append(token)
        i += 1
    return out


__all__ = ["FREQUENCIES", "scan"]
