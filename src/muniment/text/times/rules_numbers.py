"""Numbers in words, lengths of time and plain frequencies.

Rule of this file: classes afterwards: `n2` a figure of one or two digits, `w2` such a number in words, `n4` what may be a year,
`n` any other, `ord` an ordinal, `few` a vague count, `length`, `set`.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.lexicon import FREQUENCIES, RRULE_DAYS, SMALL
from muniment.text.times.readings import Length, Number, Part, Repeat, Token
from muniment.types import Precision

NUMBERS = Cascade()
LENGTHS = Cascade()
COUNT = "{n2|n|n4|w2|decimal|few}"
_UNIT_LETTERS = {
    "second": "S",
    "minute": "M",
    "hour": "H",
    "day": "D",
    "night": "D",
    "weekend": "WE",
    "week": "W",
    "month": "M",
    "year": "Y",
}
_TIMES = {"quarter": ("month", 3), "decade": ("year", 10), "century": ("year", 100), "fortnight": ("week", 2)}
_ORDER = (
    "century",
    "decade",
    "year",
    "quarter",
    "month",
    "fortnight",
    "week",
    "weekend",
    "day",
    "night",
    "hour",
    "minute",
    "second",
)
_FREQUENCY = {
    "second": "SECONDLY",
    "minute": "MINUTELY",
    "hour": "HOURLY",
    "day": "DAILY",
    "night": "DAILY",
    "week": "WEEKLY",
    "month": "MONTHLY",
    "year": "YEARLY",
}


def plain(number: float) -> str:
    """A number without a needless fraction."""
    return str(int(number)) if number == int(number) else f"{number:g}"


def length_timex(units: Sequence[tuple[str, float]]) -> str:
    """ISO 8601 of a length, largest unit first."""
    days, clock = "", ""
    for unit, count in sorted(units, key=lambda one: _ORDER.index(one[0])):
        named, times = _TIMES.get(unit, (unit, 1))
        piece = f"{plain(count * times)}{_UNIT_LETTERS[named]}"
        if unit in ("hour", "minute", "second"):
            clock += piece
        else:
            days += piece
    return f"P{days}{'T' + clock if clock else ''}"


def value_of(token: Token | None) -> float:
    """The number a token stands for, 1 for none."""
    reading = token.reading if token else None
    if isinstance(reading, Number):
        return reading.value
    return float(reading) if isinstance(reading, (int, float)) else 1.0


def _numbered(value: int, text: str) -> tuple[str, Number]:
    name = "w2" if value < 100 else "n4" if 1000 <= value <= 2999 else "n"  # noqa: PLR2004  what can be a day, what a year
    return name, Number(value=value, text=text, worded=True)


@NUMBERS.rule("{tens}{dash}?(?P<one>{ord|second})")
def _tens_and_ordinal(found: Found) -> tuple[str, object] | None:
    one = int(value_of(found.token("one")))
    if len(found.all(0)) == 3 and not found.glued():  # noqa: PLR2004  with a dash
        return None
    return ("ord", int(value_of(found.all(0)[0])) + one) if one < 10 else None  # noqa: PLR2004  a digit


@NUMBERS.rule("{tens}{dash}?(?P<one>{small})")
def _tens_and_ones(found: Found) -> tuple[str, object] | None:
    one = int(value_of(found.token("one")))
    if len(found.all(0)) == 3 and not found.glued():  # noqa: PLR2004  with a dash
        return None
    return _numbered(int(value_of(found.all(0)[0])) + one, found.match[0]) if 0 < one < 10 else None  # noqa: PLR2004  a digit


@NUMBERS.rule("(?P<t>{tens}){and}(?P<one>{small})(?={unit})")
def _tens_and_more(found: Found) -> tuple[str, object] | None:
    one = int(value_of(found.token("one")))
    return _numbered(int(value_of(found.token("t"))) + one, "") if 0 < one < 10 else None  # noqa: PLR2004  a digit


@NUMBERS.rule("{small|tens}")
def _word(found: Found) -> tuple[str, object] | None:
    return _numbered(int(value_of(found.all(0)[0])), found.all(0)[0].text)


@NUMBERS.rule("(?P<h>{w2|n2|a}){hundred}(?:{and}?(?P<r>{w2|n2}))?")
def _hundreds(found: Found) -> tuple[str, object] | None:
    rest = int(value_of(found.token("r"))) if found.has("r") else 0
    return _numbered(int(value_of(found.token("h"))) * 100 + rest, "")


@NUMBERS.rule("(?P<h>{w2|n2|a}){thousand}(?:{and}?(?P<r>{w2|n2|n}))?")
def _thousands(found: Found) -> tuple[str, object] | None:
    rest = int(value_of(found.token("r"))) if found.has("r") else 0
    return _numbered(int(value_of(found.token("h"))) * 1000 + rest, "") if rest < 1000 else None  # noqa: PLR2004  of a clock or a calendar


@NUMBERS.rule("{some}(?={unit}{ago|later|hence|earlier|from})", "(?<={in|for}){some}(?={unit})")
def _some(found: Found) -> tuple[str, object] | None:
    after = found.after()
    return ("few", Number(value=3, text="few", worded=True)) if after and after.text.lower().endswith("s") else None


@NUMBERS.rule("{every}{and}{every}")
def _each_and_every(_found: Found) -> tuple[str, object] | None:
    return "every", None


@NUMBERS.rule("{a}?{couple}{of}?")
def _couple(_found: Found) -> tuple[str, object] | None:
    return "few", Number(value=2, text="couple", worded=True)


@NUMBERS.rule(
    "(?<!{article}){a}?(?P<f>{few})(?:{more}|{of}{article})?",
    "(?P<f>{few})",
)
def _few(found: Found) -> tuple[str, object] | None:
    token = found.token("f")
    if token is None or isinstance(token.reading, Number):
        return None
    return "few", Number(value=3, text="few", worded=True)


@LENGTHS.rule(
    "(?P<n>{once|twice})(?:{a|per|every})(?P<u>{unit})",
    "(?P<n>{n2|w2|few}){times}(?:{a|per|every})(?P<u>{unit})",
)
def _times_a(found: Found) -> tuple[str, object] | None:
    unit = str(found.all("u")[0].reading)
    return ("set", Repeat(timex=length_timex([(unit, 1)]), rule=f"FREQ={_FREQUENCY.get(unit, 'DAILY')}"))


@LENGTHS.rule("(?P<c>{w2|n2}){dash}?(?P<q>{unit}){of}{a}(?P<u>{unit})")
def _three_quarters(found: Found) -> tuple[str, object] | None:
    if found.all("q")[0].reading != "quarter" or value_of(found.token("c")) != 3:  # noqa: PLR2004  of four
        return None
    return "length", Length(units=((str(found.all("u")[0].reading), 0.75),))


@LENGTHS.rule(
    "(?<!{month|slash|colon|dash})(?P<a>{n2|w2})(?P<s>{dash|to|or})(?P<c>{n2|w2}){dash}?(?P<u>{unit})",
    "{between}(?P<a>{n2|w2})(?P<s>{and})(?P<c>{n2|w2})(?P<u>{unit})",
)
def _some_or_more(found: Found) -> tuple[str, object] | None:
    """Two to three weeks, 5-10 minutes."""
    least, most, unit = value_of(found.token("a")), value_of(found.token("c")), str(found.all("u")[0].reading)
    dashed = any(one.name == "dash" for one in found.all(0))
    if not 0 < least < most or (dashed and not found.glued("a") and found.name("s") == "dash") or unit == "quarter":
        return None
    return _described(found) or ("length", Length(units=((unit, most),), rounded=True, least=least))


@LENGTHS.rule(
    "(?P<c>" + COUNT + ")(?:{and}{a}?)?(?P<f>{half|fraction}){dash}?(?P<u>{unit})",
    "(?P<c>" + COUNT + "){and}{a}(?P<f>{quarter}){dash}?(?P<u>{unit})",
    "(?P<c>" + COUNT + "|{a}){dash}?(?P<u>{unit}){and}{a}?(?P<f>{half|quarter})",
    "(?P<f>{half|fraction}){dash}?(?:{a}|{of}{a})?{dash}?(?P<u>{unit})",
    "{a}?(?P<f>{quarter})(?:{of}{a}|{dash})?(?P<u>{unit})",
    "(?P<c>" + COUNT + "){dash}?(?P<u>{unit|second|quarter})",
    "(?P<c>" + COUNT + "){more|all|plus}(?P<u>{unit})",
    "(?:{another}|{a})(?P<u>{unit})",
)
def _length(found: Found) -> tuple[str, object] | None:
    unit = str(found.all("u")[0].reading)
    token = found.all("u")[0]
    if any(one.name == "dash" for one in found.all(0)) and not found.glued():
        return None
    if token.name in ("second", "quarter"):
        unit = token.name
    if not _counts(found, unit):
        return None
    if (named := _described(found)) is not None:
        return named
    groups, first = found.match.groupdict(), found.all(0)[0]
    count = value_of(found.token("c")) if groups.get("c") else 0.0 if groups.get("f") else 1.0
    if groups.get("f"):
        part = found.all("f")[0]
        count += part.reading if isinstance(part.reading, float) else 0.25 if part.name == "quarter" else 0.5
    if first.name == "n4" and (first.text.startswith("0") or (token.text == "week" and 1900 <= count <= 2100)):  # noqa: PLR2004  of a clock or a calendar
        return None  # 0700 hours is a time of day
    if token.name == "unit" and len(token.text) == 1 and first.name not in ("n2", "n", "decimal", "n4"):
        return None
    return "length", Length(units=((unit, count),), rounded=first.name == "few")


def _described(found: Found) -> tuple[str, object] | None:
    """An age ("3 years old") and the small ("a minute detail") are no lengths of time."""
    at, end = found.match.end(), len(found.tokens)
    if at < end and found.tokens[at].name == "dash":
        at += 1
    behind = found.tokens[at].text.lower() if at < end else ""
    small = found.all(0)[-1].text.lower() == "minute" and found.all(0)[0].name == "a" and behind in SMALL
    return ("void", None) if behind in ("old", "olds") or small else None


def _counts(found: Found, unit: str) -> bool:
    """Whether a number counts the unit behind it, and is no day, year or hour: not in "May 5 night" or "5 quarter to nine"."""
    first, before, after = found.all(0)[0], found.before(), found.after()
    fraction, counted = found.name("f"), found.has("c")
    if before is not None and before.name == "month" and (first.name == "n4" or unit in ("night", "quarter")):
        return False
    if (
        unit == "quarter"
        and after is not None
        and after.name in ("to", "past", "of")
        and not fraction
        and not found.all("u")[0].text.endswith("s")
    ):
        return False
    if unit == "night" and first.name == "n4":
        return False
    return fraction != "quarter" or counted or unit in ("hour", "year", "century")


@LENGTHS.rule("{all}{dash}?{article}?(?P<u>{unit})")
def _whole(found: Found) -> tuple[str, object] | None:
    return "length", Length(units=((str(found.all("u")[0].reading), 1.0),))


@LENGTHS.rule("(?P<c>{n2|w2|few|a|another}){dash}?(?:{business}(?P<u>{unit})|(?P<k>{workdays}))")
def _business(found: Found) -> tuple[str, object] | None:
    if found.has("u") and found.all("u")[0].reading != "day":
        return None
    return "length", Length(units=(("day", value_of(found.token("c"))),), business=True)


@LENGTHS.rule("{length}(?:(?:{and}|{comma}{and}?)?{length}){1,6}")
def _lengths(found: Found) -> tuple[str, object] | None:
    parts = [token.reading for token in found.all(0) if isinstance(token.reading, Length)]
    units = tuple(unit for part in parts for unit in part.units)
    names = [name for name, _ in units]
    if len(set(names)) < len(names) or any(part.business for part in parts):
        return None
    return "length", Length(units=units, rounded=parts[0].rounded)


@LENGTHS.rule(
    "{every}(?P<o>{ord|second|last})(?P<w>{weekday|shortday|weekdays}){of|in}(?:{article}|{every}|{a})(?P<u>{unit})",
    "{every}(?P<o>{ord|second})(?P<w>{weekday|shortday|weekdays})",
)
def _every_nth(found: Found) -> tuple[str, object] | None:
    day, nth = int(value_of(found.token("w"))), int(value_of(found.token("o"))) if found.name("o") != "last" else -1
    if "u" not in found.match.groupdict():
        return "set", weekly(day, nth)
    return _monthly(day, nth) if found.all("u")[0].reading == "month" else None


def _monthly(day: int, nth: int) -> tuple[str, object]:
    return "set", Repeat(timex=f"XXXX-XX-WXX-{day + 1}-#{nth}", rule=f"FREQ=MONTHLY;BYDAY={nth}{RRULE_DAYS[day]}")


@LENGTHS.rule("{every}(?P<o>{ord|second})(?P<u>{unit})")
def _every_nth_unit(found: Found) -> tuple[str, object] | None:
    unit, count = str(found.all("u")[0].reading), value_of(found.token("o"))
    named, times = _TIMES.get(unit, (unit, 1))
    return "set", _repeated(named, count * times, length_timex([(unit, count)]))


@LENGTHS.rule("{every}?{workdays}")
def _workdays(found: Found) -> tuple[str, object] | None:
    before, whole = found.before(), found.all(0)
    if whole[0].text.lower() == "weekday" or (len(whole) == 1 and before is not None and before.name in ("n2", "w2", "few")):
        return None
    return "set", Repeat(timex="XXXX-WXX-1/5", rule="FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")


@LENGTHS.rule("{every|on|from}?(?P<a>{weekdays})(?P<s>{to|till|dash})(?P<b>{weekdays})")
def _weekdays_through(found: Found) -> tuple[str, object] | None:
    first, last = int(value_of(found.token("a"))), int(value_of(found.token("b")))
    days = sorted((first + n) % 7 for n in range((last - first) % 7 + 1))
    names = ",".join(RRULE_DAYS[day] for day in days)
    return "set", Repeat(timex="XXXX-WXX-" + "/".join(str(day + 1) for day in days), rule=f"FREQ=WEEKLY;BYDAY={names}")


@LENGTHS.rule("{on}?(?P<w>{weekday})(?P<p>{part|unit})")
def _weekday_parts(found: Found) -> tuple[str, object] | None:
    """Monday nights, on Saturday mornings."""
    token = found.all("p")[0]
    code = "NI" if token.reading == "night" else str(token.reading)
    if not token.text.lower().endswith("s") or (token.name == "unit" and code != "NI"):
        return None
    made = weekly(int(value_of(found.token("w"))), 1)
    return "set", Repeat(timex=f"{made.timex}T{code}", rule=made.rule, precision=Precision.DAYPART)


@LENGTHS.rule("{every}{last}(?P<w>{weekday|weekdays})")
def _every_last(found: Found) -> tuple[str, object] | None:
    return _monthly(int(value_of(found.token("w"))), -1)


@LENGTHS.rule("{every}(?P<o>{ord})(?!{unit|weekday|shortday|weekdays|of|other|part|month|business|quarter|half|season})")
def _every_numbered_day(found: Found) -> tuple[str, object] | None:
    token, day = found.all("o")[0], int(value_of(found.token("o")))
    if not token.text[0].isdigit() or day > 31:  # noqa: PLR2004  days of a month
        return None
    return "set", Repeat(timex=f"XXXX-XX-{day:02d}", rule=f"FREQ=MONTHLY;BYMONTHDAY={day}")


@LENGTHS.rule(
    "{every|on}?(?P<w>{weekdays})(?:{comma|and}{1,2}(?P<v>{weekdays})){1,6}",
    "{every}(?P<w>{weekday|shortday})(?:{comma|and}{1,2}(?P<v>{weekday|shortday})){1,6}",
)
def _some_weekdays(found: Found) -> tuple[str, object] | None:
    days = sorted({int(value_of(token)) for token in found.all(0) if token.name in ("weekday", "weekdays", "shortday")})
    names = ",".join(RRULE_DAYS[day] for day in days)
    return "set", Repeat(timex="XXXX-WXX-" + "/".join(str(day + 1) for day in days), rule=f"FREQ=WEEKLY;BYDAY={names}")


@LENGTHS.rule(
    "{once}?{every|any}(?P<o>{other})(?P<u>{unit|weekday})",
    "{once}?{every}(?P<l>{length})",
    "{once}{every}(?P<u>{unit|weekday|quarter|season})",
    "{every|any}{dash}?(?P<u>{unit|weekday|shortday|weekdays|part|season|vagueseason|quarter}|{month}(?!{ord|n2|second}))",
)
def _every(found: Found) -> tuple[str, object] | None:  # noqa: PLR0911  one way of telling it after another
    groups = found.match.groupdict()
    if groups.get("l"):
        reading = found.all("l")[0].reading
        if not isinstance(reading, Length):
            return None
        unit, count = reading.units[0]
        named, times = _TIMES.get(unit, (unit, 1))
        return "set", _repeated(named, count * times, length_timex(reading.units))
    if groups.get("o") and found.all("o")[0].text.lower() not in ("other", "single"):
        return None
    token, skip = found.all("u")[0], 2 if groups.get("o") and found.all("o")[0].text.lower() == "other" else 1
    if token.name in ("weekday", "shortday", "weekdays"):
        return "set", weekly(int(value_of(token)), skip)
    if token.name == "part":
        return "set", Repeat(timex=f"T{token.reading}", rule="FREQ=DAILY", precision=Precision.DAYPART)
    if token.name in ("season", "vagueseason"):
        return "set", Repeat(timex=str(token.reading), rule="FREQ=YEARLY", precision=Precision.SEASON)
    if token.name == "month":
        month = int(value_of(token))
        return "set", Repeat(timex=f"XXXX-{month:02d}", rule=f"FREQ=YEARLY;BYMONTH={month}", precision=Precision.MONTH)
    unit = "quarter" if token.name == "quarter" else str(token.reading)
    if unit == "night":
        return "set", Repeat(timex="TNI", rule="FREQ=DAILY", precision=Precision.DAYPART)
    if unit == "weekend":
        return "set", Repeat(timex="P1WE", rule="FREQ=WEEKLY;BYDAY=SA,SU", precision=Precision.WEEK)
    named, times = _TIMES.get(unit, (unit, 1))
    return "set", _repeated(named, skip * times, length_timex([(unit, skip)]))


@LENGTHS.rule("{on}?(?P<u>{unit})")
def _on_weekends(found: Found) -> tuple[str, object] | None:
    if found.all("u")[0].text.lower() != "weekends":
        return None
    return "set", Repeat(timex="P1WE", rule="FREQ=WEEKLY;BYDAY=SA,SU", precision=Precision.WEEK)


@LENGTHS.rule("{on}?(?P<w>{weekdays})")
def _on_weekdays(found: Found) -> tuple[str, object] | None:
    return "set", weekly(int(value_of(found.token("w"))), 1)


@LENGTHS.rule("(?P<p>{prefix|half}){dash}?(?P<w>{often})")
def _twice_or_half(found: Found) -> tuple[str, object] | None:
    word = found.all("p")[0].text.lower() + found.all("w")[0].text.lower()
    both = FREQUENCIES.get(word)
    return ("set", Repeat(timex=both[0], rule=both[1])) if both else None


@LENGTHS.rule("{on}(?P<p>{part})", "(?P<p>{part})(?={at}{n2|w2|time})")
def _on_parts(found: Found) -> tuple[str, object] | None:
    part = found.all("p")[0]
    if not part.text.lower().endswith("s"):
        return None
    return "set", Repeat(timex=f"T{part.reading}", rule="FREQ=DAILY", precision=Precision.DAYPART)


@LENGTHS.rule("(?P<w>{often})")
def _often(found: Found) -> tuple[str, object] | None:
    timex, rule = FREQUENCIES[found.all("w")[0].text.lower()]
    return "set", Repeat(timex=timex, rule=rule)


def weekly(day: int, skip: int) -> Repeat:
    """What returns on one weekday, every `skip` weeks."""
    every = f";INTERVAL={skip}" if skip > 1 else ""
    return Repeat(timex=f"XXXX-WXX-{day + 1}", rule=f"FREQ=WEEKLY{every};BYDAY={RRULE_DAYS[day]}")


def _repeated(unit: str, count: float, timex: str) -> Repeat:
    if unit in ("weekend", "night"):
        unit = {"weekend": "week", "night": "day"}[unit]
    every = f";INTERVAL={int(count)}" if count > 1 else ""
    return Repeat(timex=timex, rule=f"FREQ={_FREQUENCY[unit]}{every}")


def part_of(token: Token) -> Part:
    """A part of the day of a token that has one."""
    if not isinstance(token.reading, Part):
        raise TypeError(token)
    return token.reading
