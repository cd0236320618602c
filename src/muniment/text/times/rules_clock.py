"""Times of day and parts of the day.

Rule of this file: a bare number is a time only where something says so (at, o'clock, am, in the morning). Without am, pm or a
part of the day, hours 1 to 12 stay open to both readings, the one told first.
"""

from __future__ import annotations

from dataclasses import replace

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.lexicon import PARTS
from muniment.text.times.readings import Clock, Length, Number, Part, Token
from muniment.text.times.rules_numbers import value_of

CLOCKS = Cascade()
_NOON = 12
_H = "{n2|w2}"
_NOT_NUMBER = "(?!{unit|other|month|dash|slash|colon|decimal|n2|length|percent|second|quarter|of|weekday|times|business|w2})"


def clock(hour: float, minute: float | None = None, *, half: int | None = None) -> Clock:
    """A time of day; `half` is 0 for am and 12 for pm. Raises ValueError when there is none such."""
    whole = int(hour)
    if whole != hour or not 0 <= whole <= 24 or (minute is not None and not 0 <= minute < 60):  # noqa: PLR2004  of a clock
        raise ValueError(hour)
    if half is not None and whole <= _NOON:
        whole = whole % _NOON + half
    return Clock(hour=whole, minute=None if minute is None else int(minute), sure=half is not None or not 1 <= whole <= _NOON)


def _half(token: Token | None) -> int | None:
    return None if token is None else int(value_of(token))


@CLOCKS.rule("(?P<t>{time}){unit}?(?P<p>{am|pm})")
def _told_half(found: Found) -> tuple[str, object] | None:
    told = found.all("t")[0].reading
    if not isinstance(told, Clock):
        return None
    half = _half(found.token("p")) or 0
    hour = told.hour % _NOON + half if told.hour <= _NOON else told.hour
    return "time", replace(told, hour=hour, sure=True)


@CLOCKS.rule("(?P<h>{w2}){dash}?{oh}{dash}?(?P<m>{w2})(?P<p>{am|pm})?")
def _oh_five(found: Found) -> tuple[str, object] | None:
    hour, minute = value_of(found.token("h")), value_of(found.token("m"))
    fits = hour <= 24 and 0 < minute < 10  # noqa: PLR2004  a clock
    return ("time", clock(hour, minute, half=_half(found.token("p")))) if fits else None


@CLOCKS.rule(
    "{at}?(?P<h>{decimal})(?P<p>{am|pm})",
    "(?P<h>{n2|w2})(?P<m>{w2})(?P<p>{am|pm})",
    "(?P<h>{n4|n})(?P<p>{am|pm})",
    "(?P<h>{n2})(?P<m>{n2})(?P<p>{am|pm})",
    "(?P<h>{n2|w2})(?:{dot}|{dash}?{ish}|{in}{article})?(?P<p>{am|pm})",
    "{at}(?P<h>{decimal})(?P<p>{am|pm})?",
)
def _with_half(found: Found) -> tuple[str, object] | None:
    token, half = found.all("h")[0], _half(found.token("p"))
    if any(one.name == "dot" for one in found.all(0)) and not found.glued():
        return None
    if token.name == "decimal":
        hour, _, minute = token.text.partition(".")
        return ("time", clock(int(hour), int(minute), half=half)) if len(minute) == 2 else None  # noqa: PLR2004  minutes
    if token.name in ("n4", "n"):
        if len(token.text) not in (3, 4):
            return None
        return "time", clock(int(token.text[:-2]), int(token.text[-2:]), half=half)
    minute_token = found.token("m") if "m" in found.match.groupdict() else None
    return "time", clock(value_of(token), value_of(minute_token) if minute_token else None, half=half)


@CLOCKS.rule(
    "(?P<h>" + _H + ")(?P<m>{w2|n2})?{oclock}(?P<p>{am|pm})?",
    "(?P<t>{time}){oclock}",
)
def _oclock(found: Found) -> tuple[str, object] | None:
    groups = found.match.groupdict()
    if groups.get("t"):
        return "time", found.all("t")[0].reading
    return "time", clock(
        value_of(found.token("h")), value_of(found.token("m")) if groups.get("m") else None, half=_half(found.token("p"))
    )


@CLOCKS.rule(
    "(?P<f>{length})(?P<s>{past|to})(?P<h>{n2|w2|time|noon|midnight})(?!{month|unit|slash|colon|ord}|{dash}{unit|other|n4|month})",
    "{a}?(?P<f>{half|quarter|n2|w2|length}){dash}?(?P<s>{past|after|to|before|of|till})(?P<h>{n2|w2|time|noon|midnight})(?!{month|unit|slash|colon|ord}|{dash}{unit|other|n4|month})",
)
def _minutes_past(found: Found) -> tuple[str, object] | None:
    token, side, hour = found.all("f")[0], found.name("s"), found.all("h")[0]
    base = hour.reading if isinstance(hour.reading, Clock) else clock(value_of(hour), half=None)
    if token.name == "length":
        counted = _minutes_of(token, hour, side)
        if counted is None:
            return None
        minutes = counted
    elif token.name in ("n2", "w2"):
        minutes = value_of(token)
        if not _are_minutes(found, int(minutes), base):
            return None
    else:
        minutes = {"half": 30.0, "quarter": 15.0}[token.name]
        if side in ("of", "till", "before", "after") and token.name == "half":
            return None
    if base.minute and token.name != "length":
        return None
    told = base.hour * 60 + (base.minute or 0)
    total = told + (minutes if side in ("past", "after") else -minutes)
    minute = int(total % 60)
    return "time", Clock(hour=int(total // 60) % 24, minute=minute, sure=base.sure or hour.name in ("noon", "midnight"))


def _minutes_of(token: Token, hour: Token, side: str) -> float | None:
    """How many minutes a length beside an hour is, where it is told in hours and minutes: "an hour before noon"."""
    units = dict(token.reading.units) if isinstance(token.reading, Length) and not token.reading.least else {}
    beside = side in ("before", "after")
    if units == {"quarter": 3.0}:
        return 45.0
    if not units or set(units) - {"minute", "hour"} or (beside and hour.name in ("n2", "w2")):
        return None
    total = units.get("minute", 0.0) + 60 * units.get("hour", 0.0)
    return total if beside or total < 60 else None  # noqa: PLR2004  minutes of an hour


_FIVES = (5, 10, 20, 25)


def _are_minutes(found: Found, minutes: int, hour: Clock) -> bool:
    """Whether a mere number beside an hour counts minutes, and does not join two hours or two other things."""
    token, side, before = found.all("f")[0], found.name("s"), found.before()
    if side == "past":
        return 1 <= minutes <= 59  # noqa: PLR2004  of an hour
    led = before is not None and (before.name in ("at", "around") or before.text.lower() in ("it's", "is", "was"))
    if minutes not in _FIVES or found.has("dash"):
        return False
    if side == "to":
        return led or (token.name == "w2" and minutes > _NOON and (hour.sure or found.name("h") == "w2"))
    return side == "after" and (led or token.name == "w2")


_LED_CLOCK = "(?<={at|around|by|till|from|before|after|since|to|between|and|dash})"


@CLOCKS.rule(
    _LED_CLOCK + "(?P<f>{half})(?P<h>{n2|w2|time})" + _NOT_NUMBER,
    "(?P<f>{half})(?P<h>{n2|w2|time})(?={on|in|at}?{date|part|daypart|tonight})",
)
def _half_eight(found: Found) -> tuple[str, object] | None:
    """As the British say half past eight."""
    hour = found.all("h")[0]
    base = hour.reading if isinstance(hour.reading, Clock) else clock(value_of(hour))
    if base.minute or not 1 <= (base.hour - 1) % _NOON + 1 <= _NOON or (hour.name != "time" and base.hour > _NOON):
        return None
    return "time", replace(base, minute=30)


@CLOCKS.rule(
    "{n2|w2|time}?(?P<w>{noon|midnight})",
    "{mid}{dash}?(?P<u>{unit})",
)
def _noon(found: Found) -> tuple[str, object] | None:
    groups = found.match.groupdict()
    if groups.get("u"):
        hour = {"night": 0, "day": 12}.get(str(found.all("u")[0].reading))
        if hour is None or found.all("u")[0].text.lower().endswith("s"):
            return None
        return "time", Clock(hour=hour, sure=True)
    return "time", Clock(hour=int(value_of(found.token("w"))), sure=True)


@CLOCKS.rule(
    "(?P<w>{midpart})",
    "{mid}{dash}?(?P<p>{part})",
)
def _mid_part(found: Found) -> tuple[str, object] | None:
    if found.match.groupdict().get("p"):
        hour = {"MO": 10, "AF": 14, "EV": 18}.get(str(found.all("p")[0].reading))
        return ("time", Clock(hour=hour, sure=True)) if hour else None
    return "time", Clock(hour=int(value_of(found.token("w"))), sure=True)


@CLOCKS.rule("{in|during}{article}?{business}(?P<u>{unit})")
def _business_hours(found: Found) -> tuple[str, object] | None:
    if found.all("u")[0].reading != "hour":
        return None
    return "daypart", Part(code="BH", start=8, end=18)


@CLOCKS.rule("{at}(?P<m>{meal})(?!{dash}?{timew})")
def _at_lunch(found: Found) -> tuple[str, object] | None:
    return "daypart", _part(_MEALS[found.all("m")[0].text.lower()], "")


_MEALS = {"lunch": "MEL", "brunch": "MEB", "dinner": "MED", "supper": "MED", "breakfast": "MEB"}


@CLOCKS.rule("(?<={to})(?P<h>{n2|w2})(?={mark|dot|comma|line}|$)")
def _moved_to(found: Found) -> tuple[str, object] | None:
    """Change the 3 pm appointment to 4."""
    at = found.match.start()
    if not any(token.name == "time" for token in found.tokens[max(0, at - 6) : at - 2]):
        return None
    return "time", clock(value_of(found.token("h")))


@CLOCKS.rule("(?P<h>{n4})(?P<u>{unit})")
def _military(found: Found) -> tuple[str, object] | None:
    text = found.all("h")[0].text
    if found.all("u")[0].reading != "hour" or not text.startswith("0"):
        return None
    return "time", Clock(hour=int(text[:2]), minute=int(text[2:]), sure=True) if int(text[2:]) < 60 else None  # noqa: PLR2004  minutes


@CLOCKS.rule("(?P<m>{unit}){dash}?{timew}")
def _night_time(found: Found) -> tuple[str, object] | None:
    return ("part", "NT") if found.all("m")[0].text.lower() == "night" else None


@CLOCKS.rule("(?P<m>{meal|part}){dash}?{timew}")
def _meal_time(found: Found) -> tuple[str, object] | None:
    code = _MEALS.get(found.all("m")[0].text.lower())
    return ("part", code) if code else None


def _part(code: str, mod: str) -> Part:
    start, end = PARTS[code]
    middle = (start + end) / 2
    return Part(code=code, start=middle if mod == "end" else start, end=middle if mod == "start" else end, mod=mod)


_MODS = {"early": "start", "earlier": "start", "late": "end", "later": "end"}


@CLOCKS.rule(
    "(?P<lead>{in|during}{article}|{in}(?={part})|{at})?(?:(?P<mod>{early|late|later|earlier})(?:{in}{article}|{at}(?={unit})|{dash})?)?(?P<p>{part|unit})",
    "(?P<p>{unit})(?={at|time|around|clockspan})",
    "(?<={time})(?P<p>{unit})",
)
def _part_of_day(found: Found) -> tuple[str, object] | None:
    token = found.all("p")[0]
    if token.name == "unit":
        led = found.has("mod") or found.has("lead") or "mod" not in found.match.groupdict()
        if token.reading != "night" or not led or token.text.lower() == "nights":
            return None
        code = "NI"
    else:
        code = str(token.reading)
    before = found.before()
    if found.name("lead") == "at" and code != "NI" and not code.startswith("ME"):
        return None
    if code in ("MO", "AF", "EV") and before is not None and before.text.lower() == "good":
        return "void", None
    return "daypart", _part(code, _MODS.get(found.name("mod"), ""))


def in_part(told: Clock, code: str) -> Clock | None:
    """A time of day as a part of the day makes it; None when it lies in no such part."""
    if told.sure and told.hour > _NOON:
        return told
    hour = told.hour % _NOON
    if code == "NI":
        hour += _NOON if hour >= 5 else 0  # noqa: PLR2004  nights end before five
    elif code in ("AF", "EV", "MED") or (code == "MEL" and hour < 10):  # noqa: PLR2004  of a clock or a calendar
        hour += _NOON
    elif code == "MEL" and told.hour == _NOON:
        hour = _NOON
    return replace(told, hour=told.hour if told.sure else hour, sure=True, bare=False)


def bare(token: Token) -> Clock | None:
    """A number taken for an hour."""
    if isinstance(token.reading, Clock):
        return token.reading
    if isinstance(token.reading, Number):
        if token.name == "decimal":
            hour, _, minute = token.reading.text.partition(".")
            return replace(clock(int(hour), int(minute)), bare=True) if len(minute) == 2 else None  # noqa: PLR2004  minutes
        if len(token.reading.text) in (3, 4) and token.reading.text.isdigit():
            return replace(clock(int(token.reading.text[:-2]), int(token.reading.text[-2:])), bare=True)
        return replace(clock(token.reading.value), bare=True)
    return None


@CLOCKS.rule("(?<={at|around|by|from|till|before|after})(?P<h>{n4|n})(?!{unit|other|dash|slash})")
def _four_figures(found: Found) -> tuple[str, object] | None:
    text, after = found.all("h")[0].text, found.after()
    if text.startswith("0") and len(text) == len("0930"):
        return "time", clock(int(text[:2]), int(text[2:]))
    hour, minute = int(text[:-2]), int(text[-2:])
    led, free = found.before(), after is None or after.name in _AFTER_FIGURES
    told = led is not None and led.name in ("at", "around") and minute in (15, 30, 45) and 1 <= hour < 24  # noqa: PLR2004  of a clock
    return ("time", clock(hour, minute)) if told and free else None


_AFTER_FIGURES = frozenset(
    {"comma", "dot", "mark", "line", "word", "on", "date", "part", "daypart", "tonight", "close", "and", "or", "till"}
)


@CLOCKS.rule("(?<={at|by|till|before|after|from|around|to|and|dash})(?P<l>{length})(?!{ago|later|before|after})")
def _at_hours(found: Found) -> tuple[str, object] | None:
    token = found.all("l")[0]
    length = token.reading
    if not isinstance(length, Length) or len(length.units) != 1 or length.units[0][0] != "hour":
        return None
    before, count = found.before(), int(length.units[0][1])
    joined = before is not None and before.name in ("to", "and", "dash")
    if token.text[:4].isdigit() and 1000 <= count < 2400 and not (joined and " " in token.text):  # noqa: PLR2004  four figures
        return "time", clock(count // 100, count % 100)
    return ("time", clock(length.units[0][1])) if before and before.name == "at" and token.text[-1] in "hH" else None


@CLOCKS.rule(
    "(?<!{month|between|from|dash|slash|colon|n2|date|hash|comma})(?P<h>{n2|w2})(?=(?:{comma}{n2|w2}){0,4}{comma}?{or}{at}?(?P<x>{time}))",
    "(?<={at})(?P<h>{n2|w2})(?=(?:{comma}{n2|w2}){0,4}{comma}?{and}{at}?(?P<x>{time}))",
    "(?<={time}{comma})(?P<h>{n2|w2})(?=(?:{comma}{n2|w2}){0,4}{comma}?{and|or}{at}?(?P<x>{time}))",
    "(?<={time}{comma})(?P<h>{n2|w2})(?=(?:{comma}{n2|w2}){0,4}{comma}?{and|or}{at}?(?P<x>{time}))",
)
def _hour_of_a_choice(found: Found) -> tuple[str, object] | None:
    """At 9, 10 or 11 am: the half of the day told last is that of all."""
    told, last = bare(found.all("h")[0]), found.all("x")[0].reading
    if told is None or not isinstance(last, Clock) or not 1 <= told.hour <= _NOON:
        return None
    return "time", clock(told.hour, half=_NOON * (last.hour >= _NOON) if last.sure else None)


@CLOCKS.rule("(?P<h>{w2})(?P<m>{w2})(?!{unit|other|length|percent|in|part}|{comma}{w2|n2|n|n4|month})")
def _two_numbers(found: Found) -> tuple[str, object] | None:
    hour, minute = value_of(found.token("h")), value_of(found.token("m"))
    if not 1 <= hour <= _NOON or minute < 10:  # noqa: PLR2004  two digits
        return None
    return "time", clock(hour, minute)


@CLOCKS.rule(
    "(?P<h>{time|n2|w2|decimal})(?P<m>{w2})?(?P<c>{comma|in}{0,2})(?P<p>{daypart})(?!{at}{n2|w2|time})",
    "(?<={at|around|by|till|before|after})(?P<h>{n4|n})(?P<c>{in}?)(?P<p>{daypart})",
    "(?<!{this|last|next|date|set|every})(?P<p>{daypart})(?P<c>{comma|at|around|by}{0,2})(?P<h>{time|n2|w2})(?!{unit|other|month|ord|length|n2|of}|{dash|to}{n2|w2|time|noon|midnight|daypart|date})",
)
def _clock_in_part(found: Found) -> tuple[str, object] | None:
    part, token = found.all("p")[0].reading, found.all("h")[0]
    if not isinstance(part, Part):
        return None
    groups = found.match.groupdict()
    in_front = found.match.start("h") < found.match.start("p")
    if (
        in_front
        and token.name != "time"
        and not found.has("c")
        and part.code not in ("MEL", "MED", "MEB")
        and not found.all("p")[0].text.lower().startswith(("in", "at"))
    ):
        return None
    if not in_front and token.name != "time" and not found.has("c"):
        return None
    told = bare(token)
    if told is None or (token.name == "decimal" and part.code == "MO" and told.minute is not None and told.hour > _NOON):
        return None
    if groups.get("m"):
        told = clock(told.hour, value_of(found.token("m")))
    made = in_part(told, part.code)
    return ("time", made) if made else None


@CLOCKS.rule(
    "(?P<h>{n2|w2})(?P<d>{dash})?(?P<i>{ish})",
    "(?<={at})(?P<h>{n2})(?P<m>{n2})(?!{unit|other|month|dash|slash|length|n2})",
    "(?<={at|around})(?P<h>{n2|w2})(?P<m>{w2})?" + _NOT_NUMBER,
)
def _bare_hour(found: Found) -> tuple[str, object] | None:
    groups, token, before = found.match.groupdict(), found.all("h")[0], found.before()
    minute = value_of(found.token("m")) if groups.get("m") else None
    hour, after = value_of(token), found.after()
    if (groups.get("i") is None and "i" in groups) or (hour == 1 and after is not None and after.text.lower() == "with"):
        return None  # at one with nature
    led = before is not None and before.name in ("at", "around")
    if not groups.get("i") and not led and (minute is None or minute < 10 or not 1 <= hour <= _NOON or token.name != "w2"):  # noqa: PLR2004  two digits
        return None
    if before is not None and before.name == "around" and not groups.get("i"):
        at = found.match.start() - 2
        if at < 0 or found.tokens[at].name not in ("at", "date", "daypart", "momentspan"):
            return None
    if not 0 <= hour <= 24:  # noqa: PLR2004  hours
        return None
    return "time", replace(clock(hour, minute), mod="approx" if groups.get("i") else "")


@CLOCKS.rule("(?P<h>{w2}){dash}(?P<m>{w2})(?!{unit|other|dash|length|w2|n2})")
def _dashed_words(found: Found) -> tuple[str, object] | None:
    hour, minute = value_of(found.token("h")), value_of(found.token("m"))
    return ("time", clock(hour, minute)) if 1 <= hour <= _NOON and minute >= 10 else None  # noqa: PLR2004  two digits
