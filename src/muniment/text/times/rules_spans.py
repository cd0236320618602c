"""Months, seasons, years and decades, and the beginnings, middles and ends of any stretch of days.

Rule of this file: a stretch told without its year has two readings; "late" is the second half, "the end of a year" its last
third.
"""

from __future__ import annotations

from datetime import date, timedelta

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.lexicon import NUMBERED, SEASON_MONTHS
from muniment.text.times.readings import Number, Span
from muniment.text.times.reckoning import (
    DAY,
    full_year,
    month_span,
    months_on,
    shifted,
    week_timex,
    year_span,
)
from muniment.text.times.rules_days import months_of, which_week, year_of
from muniment.text.times.rules_numbers import plain, value_of
from muniment.text.times.rules_weeks import NEAR, months, near_unit, unit_span, year_near
from muniment.types import Precision

SPANS = Cascade()
_YEARS = (1500, 2199)


def month_of(today: date, month: int, year: int) -> tuple[str, object]:
    """A month, of the nearest two years when `year` is 0."""
    if year:
        return months(f"{year:04d}-{month:02d}", date(year, month, 1), 1, Precision.MONTH, month=month, year=year)
    first = today.year if month < today.month else today.year - 1
    options = tuple(month_span(one, month) for one in (first, first + 1))
    return "span", Span(timex=f"XXXX-{month:02d}", options=options, precision=Precision.MONTH, month=month, yearless=True)


@SPANS.rule(
    "(?P<m>{month})(?P<ds>{dot}?{comma|of|in|dash|slash}{0,2})(?P<y>{n4}|{w2}{w2}|{quote}{n2})",
    "(?P<y>{n4})(?:{comma|dash|slash|dot}?)(?P<m>{month})",
    "(?P<m>{month}){of}(?P<y>{n2})(?!{month|slash|dash|colon})",
    "(?P<m>{month}){comma|of|in}?{article}?(?P<r>{last|this|next|coming})(?P<u>{unit})",
    "(?P<r>{last|this|next|coming})(?P<u>{unit}){poss}?{in}?(?P<m>{month})",
    "(?P<r>{last|past|this|next|coming})(?P<m>{month})",
    "(?P<m>{month})(?P<y>{n2})(?!{am|pm|colon|dash|slash|ord})",
)
def _month_and_year(found: Found) -> tuple[str, object] | None:
    month, groups, today = months_of(found.token("m")), found.match.groupdict(), found.now.date()
    if groups.get("y"):
        year = full_year(int(value_of(found.token("y"))), today) if found.name("y") == "n2" else year_of(found)
        if found.all(0)[-1].name == "n2" and len(found.all(0)) == 2 and int(value_of(found.token("y"))) <= 31:  # noqa: PLR2004  may be a day
            return None
        return month_of(today, month, year) if year else None
    step = which_week(found.name("r"))
    if groups.get("u"):
        if found.all("u")[0].reading != "year":
            return None
        return month_of(today, month, today.year + step)
    if found.name("r") in ("past", "coming"):
        year = today.year + step * ((month >= today.month) if step < 0 else (month <= today.month))
        return month_of(today, month, year)
    return month_of(today, month, today.year + step)


@SPANS.rule("(?P<u>{unit}){of}(?P<m>{month})", "(?P<m>{month})")
def _month(found: Found) -> tuple[str, object] | None:
    if found.match.groupdict().get("u") and found.all("u")[0].text.lower() != "month":
        return None
    return month_of(found.now.date(), months_of(found.token("m")), 0)


@SPANS.rule(
    "(?P<y>{n4})(?P<s>{dash|slash})(?P<n>{n2})(?!{dash|slash|colon|n2})",
    "(?P<n>{n2})(?P<s>{dash|slash})(?P<y>{n4})(?!{slash|colon})",
)
def _numeric_month(found: Found) -> tuple[str, object] | None:
    year, month = year_of(found), int(value_of(found.token("n")))
    before, start = found.before(), found.all(0)[0].start
    if (
        not year
        or not 1 <= month <= 12  # noqa: PLR2004  of a clock or a calendar
        or (before and before.end == start and before.name in ("dash", "slash", "n2", "other", "dot"))
    ):
        return None
    if before and before.name in ("n", "n2"):
        return None
    return month_of(found.now.date(), month, year)


@SPANS.rule("(?P<d>{decimal})")
def _dotted_month(found: Found) -> tuple[str, object] | None:
    text = found.all(0)[0].text
    year, _, month = text.partition(".")
    before = found.before()
    if before is not None and before.end == found.all(0)[0].start and before.name in ("dot", "other", "date"):
        return None
    if len(year) != 4 or not 1 <= int(month) <= 12 or not _YEARS[0] <= int(year) <= _YEARS[1]:  # noqa: PLR2004  a year and a month
        return None
    return month_of(found.now.date(), int(month), int(year))


@SPANS.rule(
    "(?P<y>{n4})(?P<k>{fiscal|school|calendaryear})(?P<u>{unit})",
    "(?P<r>{last|this|next|coming})?(?P<k>{fiscal|school|calendaryear})(?P<u>{unit})?(?P<y>{n4}|{n2})?",
)
def _special_year(found: Found) -> tuple[str, object] | None:
    kind, groups, today = found.name("k"), found.match.groupdict(), found.now.date()
    has_unit = bool(groups.get("u"))
    if (has_unit and found.all("u")[0].reading != "year") or (not has_unit and not groups.get("y")):
        return None
    if kind == "school" and not has_unit and found.all("k")[0].text.lower() != "sy":
        return None
    year = full_year(int(value_of(found.token("y"))), today) if groups.get("y") else 0
    if found.has("r") and not year:
        year = today.year + which_week(found.name("r"))
    if kind == "calendaryear":
        return "span", Span(timex=f"{year:04d}", options=(year_span(year),), precision=Precision.YEAR) if year else None
    code = "FY" if kind == "fiscal" else "SY"
    pair = year_span(year or today.year)
    return "span", Span(timex=f"{code}{year or 'XXXX'}", options=(pair,), precision=Precision.YEAR, unresolved=True)


@SPANS.rule(
    "(?P<s>{season|vagueseason}){comma|of|in}?{article}?(?:(?P<y>{n4}|{quote}{n2})|(?P<r>{last|this|next|coming})(?P<u>{unit}))",
    NEAR + "(?P<s>{season|vagueseason})",
    "(?P<r>{last|past|this|next|coming})(?P<s>{season|vagueseason})",
    "(?<={from|between})(?P<s>{vagueseason})(?={to|till|and|dash}{season|vagueseason|span})",
    "(?<={season|vagueseason|span}{to|till|and|dash})(?P<s>{vagueseason})",
    "(?:(?<={in|during|early|late|mid|since|till|before|after|by|of}{article})|(?<={in|during|early|late|mid|since|till|before|after|by})|(?<={all})|(?<={end|begin|mid}{of})|(?<={early|late|mid}{dash})|(?<={early|late}{as}))(?P<s>{season|vagueseason})",
    "(?P<s>{season})",
)
def _season(found: Found) -> tuple[str, object] | None:
    code, groups, today = str(found.all("s")[0].reading), found.match.groupdict(), found.now.date()
    first, count = SEASON_MONTHS[code]
    if groups.get("y") or groups.get("u") or groups.get("r"):
        year = year_of(found) if groups.get("y") else year_near(found) if groups.get("u") else 0
        if year is None:
            return None
        if not year:
            step = which_week(found.name("r"))
            starts = [date(one, first, 1) for one in range(today.year - 2, today.year + 3)]
            current = [one for one in starts if one <= today < months_on(one, count)]
            if step < 0:
                start = [one for one in starts if months_on(one, count) <= today][-1]
            elif step > 0:
                start = next(one for one in starts if one > today)
            else:
                start = current[0] if current else date(today.year, first, 1)
            year = start.year
            if step > 0:
                year = max(start.year, today.year + 1) if found.name("r") == "next" else start.year
        start = date(year, first, 1)
        return months(f"{year:04d}-{code}", start, count, Precision.SEASON, unresolved=True)
    starts = [date(one, first, 1) for one in range(today.year - 2, today.year + 3)]
    past = [one for one in starts if one <= today][-1]
    options = tuple((one, months_on(one, count)) for one in (past, months_on(past, 12)))
    return "span", Span(timex=code, options=options, precision=Precision.SEASON, unresolved=True, yearless=True, month=first)


@SPANS.rule(
    "{article}?(?P<d>{decade})",
    "{article}?(?P<d4>{n4})(?P<q>{quote})?(?P<s>{unit})",
    "{article}(?P<d2>{n2})(?P<q>{quote})(?P<s>{unit})",
)
def _decade(found: Found) -> tuple[str, object] | None:
    groups, today = found.match.groupdict(), found.now.date()
    if groups.get("s") and found.all("s")[0].text.lower() != "s":
        return None
    before, at = found.before(), found.match.start()
    if before is not None and before.name in ("early", "late", "mid") and at > 1:
        before = found.tokens[at - 2]
    if before is not None and before.name == "my":
        return None  # in his 40s
    number = int(value_of(found.token("d") if groups.get("d") else found.token("d4") if groups.get("d4") else found.token("d2")))
    if number % 10:
        return None
    return decade_of(number, today)


def decade_of(number: int, today: date) -> tuple[str, object] | None:
    """A decade by its first year, or by the last two digits of that."""
    if number >= 1000:  # noqa: PLR2004  four digits
        pair = (date(number, 1, 1), date(number + 10, 1, 1))
        return "span", Span(timex=f"({pair[0]},{pair[1]},P10Y)", options=(pair,), precision=Precision.DECADE)
    century = today.year - today.year % 100
    first = century + number if century + number <= today.year else century - 100 + number
    options = tuple((date(one, 1, 1), date(one + 10, 1, 1)) for one in (first, first + 100))
    return "span", Span(
        timex=f"(XX{number:02d}-01-01,XX{(number + 10) % 100:02d}-01-01,P10Y)", options=options, precision=Precision.DECADE
    )


@SPANS.rule(
    "{article}?(?P<c>{w2})?{dash}?(?P<t>{tenses})",
    "{article}(?P<c>{w2})(?P<t>{thousands})",
    "{article}(?P<c>{n4}){and}?(?P<t>{tenses})",
)
def _worded_decade(found: Found) -> tuple[str, object] | None:
    century = int(value_of(found.token("c"))) if found.has("c") else 0
    number = int(value_of(found.token("t")))
    before, at = found.before(), found.match.start()
    aged = at >= 2 and found.tokens[at - 2].name == "my"  # noqa: PLR2004  "in my early thirties"
    parted = before is not None and before.name in ("early", "late", "mid") and not aged
    if not century and found.all(0)[0].name != "article" and not parted:
        return None
    if century >= 1000:  # noqa: PLR2004  "two thousand and tens"
        return decade_of(century + number, found.now.date())
    if found.name("t") == "thousands":
        return decade_of(century * 1000, found.now.date())
    return decade_of(century * 100 + number, found.now.date())


@SPANS.rule("{article}?(?P<o>{ord|second})(?P<u>{unit})")
def _century(found: Found) -> tuple[str, object] | None:
    if found.all("u")[0].reading != "century":
        return None
    first = (int(value_of(found.token("o"))) - 1) * 100
    pair = (date(max(first, 1), 1, 1), date(first + 100, 1, 1))
    return "span", Span(timex=f"({pair[0]},{pair[1]},P100Y)", options=(pair,), precision=Precision.CENTURY)


@SPANS.rule("{this}?(?P<u>{unit|quarter}){to}(?P<d>{datew})", "(?P<u>{todate})")
def _year_to_date(found: Found) -> tuple[str, object] | None:
    unit = str(found.all("u")[0].reading) if found.name("u") != "quarter" else "quarter"
    today = found.now.date()
    if unit == "quarter":
        first = date(today.year, 3 * ((today.month - 1) // 3) + 1, 1)
        return "span", Span(
            timex=f"({first},{today},P{(today - first).days}D)", options=((first, today),), precision=Precision.DAY
        )
    pair = near_unit(unit, 0, today)
    if pair is None or unit not in ("year", "month", "week"):
        return None
    timex = str(pair[0].year) if unit == "year" else f"{pair[0]:%Y-%m}" if unit == "month" else week_timex(pair[0])
    return "span", Span(timex=timex, options=((pair[0], found.now.date()),), precision=Precision.DAY)


@SPANS.rule(
    "(?P<u>{unit})(?P<y>{n4|n})(?!{unit|quote})",
    "(?P<y>{n4})(?!{unit|quote})",
)
def _year(found: Found) -> tuple[str, object] | None:  # noqa: PLR0911  one way of telling it after another
    year, token, groups = int(value_of(found.token("y"))), found.all("y")[0], found.match.groupdict()
    before, after = found.before(), found.after()
    if groups.get("u"):
        if found.all("u")[0].reading != "year" or not 1 <= year <= date.max.year - 1:
            return None
        return "span", Span(timex=f"{year:04d}", options=(year_span(year),), precision=Precision.YEAR, year=year)
    if not _YEARS[0] <= year <= _YEARS[1]:
        return None
    if isinstance(token.reading, Number) and token.reading.worded:
        return None if not before or before.name not in _YEAR_LEADS else _span_of_year(year)
    glued = (
        before is not None
        and before.end == token.start
        and before.name not in ("dash", "open", "ge", "le", "gt", "lt", "quote", "comma", "mark")
    ) or (after is not None and after.start == token.end and after.name in ("slash", "other", "colon", "hash", "plus"))
    if glued:
        return None
    if _in_figures(found) or (before is not None and before.text.lower() in NUMBERED):
        return None
    if before is not None and before.name in ("to", "till", "dash", "and"):
        first = found.tokens[found.match.start() - 2]
        if first.name == "n4" and first.text.startswith("0") and len(first.text) == len("0930"):
            return None  # from 0800 to 1600
    led = before is not None and before.name in _YEAR_LEADS
    if (
        not led
        and after is not None
        and after.name in ("other", "length")
        and (before is None or before.name in ("other", "word", "line"))
    ):
        return None
    return _span_of_year(year)


@SPANS.rule(
    "(?<={in|since|till|before|after|by|of|during|from|to|early|late|mid|dash|around|than|between|and|summer|season})(?P<y>{quote}{n2})(?!{quote|unit})",
    "(?<={in|since|till|before|after|by|of|during|from|early|late|mid|unit})(?P<y>{w2}{w2})(?!{unit|other|w2|n2|percent|length|oclock|am|pm})",
)
def _short_year(found: Found) -> tuple[str, object] | None:
    year = year_of(found)
    return _span_of_year(year) if year else None


_FIGURES = frozenset({"n", "n2", "n4", "ord", "big", "span"})
_BETWEEN_FIGURES = frozenset({"dash", "slash", "plus", "hash", "colon", "eq"})


def _in_figures(found: Found) -> bool:
    """Whether a number stands in a run of figures such as a phone number or in a code, and so is no year."""
    tokens, at = found.tokens, found.match.start()
    if at > 1 and tokens[at - 1].name == "dash" and tokens[at - 2].name == "other" and tokens[at - 2].text.isupper():
        return tokens[at - 2].end == tokens[at - 1].start and tokens[at - 1].end == tokens[at].start
    figures, first = 0, at
    while first >= 1 and tokens[first - 1].name in _BETWEEN_FIGURES | _FIGURES:
        first -= 1
        figures += tokens[first].name in _FIGURES
        if figures > 1 or tokens[first].name in ("n", "n2", "hash", "plus"):
            return True
    last, end = found.match.end(), len(tokens)
    return (
        last + 1 < end and tokens[last].name in ("dash", "slash") and tokens[last + 1].name in ("n", "n2", "other", "word", "a")
    )


_YEAR_LEADS = frozenset(
    {
        "in",
        "of",
        "since",
        "till",
        "before",
        "after",
        "during",
        "from",
        "to",
        "between",
        "by",
        "and",
        "or",
        "late",
        "early",
        "mid",
        "dash",
    }
    | {"than", "until", "end", "begin", "article", "ge", "le", "gt", "lt", "equal", "around"}
)


def _span_of_year(year: int) -> tuple[str, object]:
    return "span", Span(timex=f"{year:04d}", options=(year_span(year),), precision=Precision.YEAR, year=year)


@SPANS.rule(
    "(?P<t>{article})?(?P<r>{last|this|next|coming|same})(?P<u>{unit})",
    "(?P<r>{last|this|next|coming|same})(?P<u>{unit})",
    "(?P<t>{article|my})(?P<u>{unit})(?!{dash}{other}|{of}{span}|{span}|{before|after}{date|span})",
)
def _near_unit(found: Found) -> tuple[str, object] | None:
    token, groups = found.all("u")[0], found.match.groupdict()
    unit = str(token.reading)
    which = found.name("r") if groups.get("r") else "this"
    if token.text.lower().endswith("s") and unit != "century":
        return None
    if groups.get("t") and groups.get("r") and unit not in ("decade", "century", "fortnight"):
        return None
    if groups.get("t") and not groups.get("r") and unit in ("decade", "century", "day", "night", "hour", "minute", "second"):
        return None
    if groups.get("t") and not groups.get("r") and found.name("t") == "my" and unit != "weekend":
        return None
    return unit_span(unit, 0 if which == "same" else which_week(which), found.now.date())


def part_of_span(span: Span, mod: str, *, long: bool) -> Span:
    """The start, mid or end of a stretch. `long` cuts a year into thirds ("the beginning of"), not halves ("early")."""
    options = []
    for start, end in span.options:
        options.append(_cut(start, end, mod, long=long))
    return Span(
        timex=span.timex,
        options=tuple(options),
        precision=span.precision,
        yearless=span.yearless,
        unresolved=span.unresolved,
        mod=mod,
        month=span.month,
        pointed=True,
    )


def _cut(start: date, end: date, mod: str, *, long: bool) -> tuple[date, date]:
    size = (end - start).days
    if size <= 7:  # noqa: PLR2004  a week
        cut = start + timedelta(days=min(3, size // 2))
        return (start, cut) if mod == "start" else (cut, end) if mod == "end" else (start + DAY, end - 2 * DAY)
    if size <= 31:  # noqa: PLR2004  a month
        middle = start + 15 * DAY
        return (start, middle) if mod == "start" else (middle, end) if mod == "end" else (start + 9 * DAY, start + 20 * DAY)
    if size <= 366:  # noqa: PLR2004  a year, a season or a quarter
        count = (end.year - start.year) * 12 + end.month - start.month
        third, two = count // 3, 2 * count // 3
        if mod == "mid":
            return months_on(start, third), months_on(start, two)
        half = count // 2 if not long else third if mod == "start" else two
        return (start, months_on(start, half)) if mod == "start" else (months_on(start, half), end)
    years = end.year - start.year
    if mod == "mid":
        return date(start.year + years * 3 // 10, 1, 1), date(start.year + years * 7 // 10, 1, 1)
    cut = date(start.year + (years * 3 // 10 if mod == "start" else years * 7 // 10), 1, 1)
    return (start, cut) if mod == "start" else (cut, end)


@SPANS.rule(
    "(?P<p>{begin|end|mid}){of|article|dash}{0,2}(?P<s>{span})",
    "(?P<p>{early|late|mid}){dash|in|on}?{article}?(?P<s>{span})",
    "(?P<p>{earlier|later})(?P<in>{in})?{article}?(?P<s>{span})",
)
def _part_of_span(found: Found) -> tuple[str, object] | None:
    span, name, today = found.all("s")[0].reading, found.name("p"), found.now.date()
    if not isinstance(span, Span) or span.mod:
        return None
    first = found.all(0)[0]
    if first.name == "article" and name not in ("begin", "end", "mid"):
        return None
    mod = {"begin": "start", "early": "start", "earlier": "start", "mid": "mid"}.get(name, "end")
    made = part_of_span(span, mod, long=name in ("begin", "end") or (name == "mid"))
    if name in ("earlier", "later") and len(span.options) == 1 and span.options[0][0] <= today < span.options[0][1]:
        start, end = made.options[0]
        made = Span(
            timex=made.timex,
            options=((start, min(end, max(today, start + DAY))) if name == "earlier" else (max(start, today), end),),
            precision=Precision.DAY,
            mod=made.mod,
        )
        if made.options[0][0] >= made.options[0][1]:
            return None
    return "span", made


@SPANS.rule("(?P<p>{end|mid|begin}){of}{article}?(?P<u>{unit})", "(?P<p>{mid}){dash}?(?P<u>{unit})", "{article}?(?P<e>{eod})")
def _end_of_unit(found: Found) -> tuple[str, object] | None:
    groups = found.match.groupdict()
    unit = str(found.all("e")[0].reading if groups.get("e") else found.all("u")[0].reading)
    if unit not in ("week", "month", "year", "decade", "century"):
        return None
    made = unit_span(unit, 0, found.now.date())
    mod = {"mid": "mid", "begin": "start"}.get(found.name("p") if groups.get("p") else "", "end")
    return ("span", part_of_span(made[1], mod, long=False)) if made and isinstance(made[1], Span) else None


@SPANS.rule("(?P<k>{rest}){of}?{article|my|this}?(?P<s>{span|unit|date})")
def _rest(found: Found) -> tuple[str, object] | None:
    today, token = found.now.date(), found.all("s")[0]
    if token.name == "unit":
        pair = near_unit(str(token.reading), 0, today)
        span = Span(timex="", options=(pair,), precision=Precision.DAY) if pair else None
    else:
        span = token.reading if isinstance(token.reading, Span) else None
    if span is None or len(span.options) > 1 or not span.options[0][0] <= today < span.options[0][1]:
        return None
    end = span.options[0][1] - DAY
    timex = f"({today},{end},P{(end - today).days}D)"
    return "span", Span(timex=timex, options=((today, end),), tails=(end + DAY,), precision=Precision.DAY)


__all__ = ["SPANS", "month_of", "near_unit", "part_of_span", "plain", "shifted", "unit_span"]
