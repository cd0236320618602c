"""Ways to tell a time that are built from parts: each part in more than one place, and what only looks like a time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from muniment.text.times import resolve

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)  # a Friday


def told(text, now=NOW):
    return [(text[one.start : one.end], _shown(one.values[0])) for one in resolve(text, reference=now)]


def _shown(value):
    return value.value or f"{value.start}..{value.end}" if value.value or value.start or value.end else value.timex


def instant(text, now=NOW):
    (one,) = resolve(text, reference=now)
    return one.when.since.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("text", "span", "value"),
    [
        ("let us meet at half eight", "half eight", "08:30:00"),
        ("half ten on Saturday", "half ten on Saturday", "2026-03-14 10:30:00"),
        ("from quarter past nine to half ten", "from quarter past nine to half ten", "09:15:00..10:30:00"),
        ("half-past seven", "half-past seven", "07:30:00"),
        ("half an hour past seven", "half an hour past seven", "07:30:00"),
        ("three quarters past seven", "three quarters past seven", "07:45:00"),
        ("an hour before midnight", "an hour before midnight", "23:00:00"),
        ("it's ten to six", "ten to six", "05:50:00"),
        ("at 10 to 8", "10 to 8", "07:50:00"),
        ("twenty to eleven pm", "twenty to eleven pm", "22:40:00"),
        ("it is ten after four", "ten after four", "04:10:00"),
        ("sevenish", "sevenish", "07:00:00"),
        ("be there at seven o' clock", "seven o' clock", "07:00:00"),
        ("from 0800 to 1600", "from 0800 to 1600", "08:00:00..16:00:00"),
        ("8 tomorrow night", "8 tomorrow night", "2026-03-21 20:00:00"),
        ("until 10 tonight", "until 10 tonight", "..2026-03-20 22:00:00"),
        ("since 8 this morning", "since 8 this morning", "2026-03-20 08:00:00.."),
        ("midnight tonight", "midnight tonight", "2026-03-21 00:00:00"),
        ("late tonight", "late tonight", "2026-03-20 22:00:00..2026-03-20 23:59:59"),
        ("late Friday night", "late Friday night", "2026-03-13 22:00:00..2026-03-13 23:59:59"),
        ("5 to 7 on Friday evening", "5 to 7 on Friday evening", "2026-03-13 17:00:00..2026-03-13 19:00:00"),
        ("coming afternoon", "coming afternoon", "2026-03-21 12:00:00..2026-03-21 16:00:00"),
        ("at supper", "at supper", "16:00:00..20:00:00"),
        ("we closed at the minute", "at the minute", "2026-03-20 12:00:00"),
    ],
)
def test_times_of_day(text, span, value):
    assert told(text) == [(span, value)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("in 2-3 days", "2026-03-22..2026-03-23"),
        ("two to three weeks ago", "2026-02-27..2026-03-06"),
        ("5-10 minutes", "300..600"),
        ("between two and four hours", "7200..14400"),
        ("in three weeks' time", "2026-04-10"),
        ("a week on Friday", "2026-03-27"),
        ("Friday week", "2026-04-03"),
        ("two years before", "2024-03-20"),
        ("five days prior", "2026-03-15"),
        ("prior 2 weeks", "2026-03-06..2026-03-20"),
        ("preceding week", "2026-03-09..2026-03-16"),
        ("next business day", "2026-03-23"),
        ("next weekday", "2026-03-23"),
        ("last 2 weekdays", "2026-03-18..2026-03-20"),
        ("5 Nov 19", "2019-11-05"),
        ("May the fourth", "2025-05-04"),
        ("2018-W07", "2018-02-12..2018-02-19"),
        ("2018-W07-3", "2018-02-14"),
        ("week ten", "2026-03-02..2026-03-09"),
        ("3Q18", "2018-07-01..2018-10-01"),
        ("third-quarter 2018", "2018-07-01..2018-10-01"),
        ("the second Monday next month", "2026-04-13"),
        ("next week between Sunday and Friday", "2026-03-22..2026-03-27"),
        ("from 5/1-5/7 2020", "2020-05-01..2020-05-07"),
        ("the last decade", "2010-01-01..2020-01-01"),
        ("every last Friday of the month", "XXXX-XX-WXX-5-#-1"),
        ("every first Monday of the month", "XXXX-XX-WXX-1-#1"),
        ("every single day", "P1D"),
        ("once every week", "P1W"),
        ("half-yearly", "P0.5Y"),
        ("my day", "2026-03-20"),
        ("next week Wed", "2026-03-25"),
        ("wed 3/11", "2026-03-11"),
    ],
)
def test_days_lengths_and_stretches(text, value):
    assert told(text) == [(text, value)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("in nineteen eighty four", [("nineteen eighty four", "1984-01-01..1985-01-01")]),
        ("earlier this week", [("earlier this week", "2026-03-16..2026-03-19")]),
        ("the months of July and August", [("July", "2025-07-01..2025-08-01"), ("August", "2025-08-01..2025-09-01")]),
        ("I'll be out May", [("May", "2026-05-01..2026-06-01")]),
        ("lunar new year", []),
        ("every rainy weekend", []),
        ("add 1/2 cup of sugar", []),
        ("1/3 of users left", []),
        ("flight 1815", []),
        ("room 1984", []),
        ("May the fourth one win", []),
        ("we may twenty times", []),
        ("he sat this week out", [("this week", "2026-03-16..2026-03-23")]),
        ("Sun Microsystems", []),
        ("I read The Sun", []),
        ("from 10 to 20 people", []),
        ("by half 10 people left", []),
        ("2-3 people", []),
    ],
)
def test_what_stands_beside_a_word_decides(text, found):
    assert told(text) == found


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("On 1 June I start at Acme", "2026-06-01"),
        ("On 1 June I moved", "2025-06-01"),
        ("On 1 June I joined Acme", "2025-06-01"),
        ("She starts her job on 1 June", "2026-06-01"),
        ("The lease ends on 1 June", "2026-06-01"),
        ("I have a dentist appointment on 1 June", "2026-06-01"),
        ("I have met her on 1 June", "2025-06-01"),
        ("We had the party on 1 June", "2025-06-01"),
    ],
)
def test_the_verb_tells_which_year_a_bare_date_is_of(text, day):
    assert [value for _, value in told(text, datetime(2026, 5, 1, 9, tzinfo=UTC))] == [day]


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("tomorrow at 3pm EST", "2026-03-21 20:00"),
        ("tomorrow at 3pm ET", "2026-03-21 19:00"),
        ("15:00 UTC+2 tomorrow", "2026-03-21 13:00"),
        ("tomorrow at 15:00 UTC-03:30", "2026-03-21 18:30"),
        ("3pm PST on 2026-01-05", "2026-01-05 23:00"),
        ("tomorrow at 3pm METRO time", "2026-03-21 15:00"),
    ],
)
def test_a_zone_told_beside_a_moment_is_the_one_it_is_in(text, utc):
    assert instant(text) == utc


def test_a_value_keeps_the_hour_as_it_was_told_in_its_zone():
    (one,) = resolve("tomorrow at 3pm EST", reference=NOW)
    assert one.values[0].value == "2026-03-21 15:00:00"
