"""Families of ways a time is told: each in more than one of its forms, and which reading a sentence means."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.text.times import resolve
from muniment.text.times.reckoning import islamic

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)  # a Friday


def told(text, **more):
    return [(text[one.start : one.end], _shown(one.values[0])) for one in resolve(text, reference=NOW, **more)]


def _shown(value):
    return value.value or f"{value.start}..{value.end}" if value.value or value.start or value.end else value.timex


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("May 5 - 15 June 2024", "2024-05-05..2024-06-15"),
        ("the 5th of May \u2013 the 3rd of June 2024", "2024-05-05..2024-06-03"),
        ("from may fifth to may 27th, 2024", "2024-05-05..2024-05-27"),
        ("from week 3 to 7", "2026-01-12..2026-02-09"),
        ("Q3 '24", "2024-07-01..2024-10-01"),
        ("2024Q3", "2024-07-01..2024-10-01"),
        ("the 3rd quarter, 2024", "2024-07-01..2024-10-01"),
        ("quarter to date", "2026-01-01..2026-03-20"),
        ("the past decade", "2010-01-01..2020-01-01"),
        ("the first weekend of next month", "2026-04-04..2026-04-06"),
        ("mid-week", "2026-03-17..2026-03-21"),
        ("before the end of the decade", "..2030-01-01"),
        ("in advance of May 3, 2024", "..2024-05-03"),
        ("2012 and above", "2012-01-01.."),
    ],
)
def test_stretches_of_days(text, value):
    assert told(text) == [(text, value)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two mondays ago", "2026-03-09"),
        ("three fridays from now", "2026-04-10"),
        ("the Monday after next", "2026-03-30"),
        ("the day after next", "2026-03-22"),
        ("the last day of February 2024", "2024-02-29"),
        ("some weeks ago", "2026-02-27"),
        ("1,000 days ago", "2023-06-24"),
        ("friday (3/13/2026)", "2026-03-13"),
        ("14May2024", "2024-05-14"),
        ("May twenty eleven", "2011-05-01..2011-06-01"),
        ("1/2 hour", "1800"),
        ("1½ hours", "5400"),
        ("a quarter of an hour", "900"),
        ("tri-weekly", "P3W"),
        ("each and every day", "P1D"),
        ("on weekends", "P1WE"),
    ],
)
def test_days_lengths_and_what_returns(text, value):
    assert told(text) == [(text, value)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("night of May 3, 2024", "2024-05-03 20:00:00..2024-05-03 23:59:59"),
        ("tomorrow, late at night", "2026-03-21 22:00:00..2026-03-21 23:59:59"),
        ("end of day tomorrow", "2026-03-21 23:59:59"),
        ("at this time tomorrow", "2026-03-21 12:00:00"),
        ("from half past eight - 5pm", "08:30:00..17:00:00"),
        ("three oh five pm", "15:05:00"),
        ("tomorrow at 8ish", "2026-03-21 08:00:00"),
        ("next friday evening to next sunday morning", "2026-03-27 16:00:00..2026-03-29 12:00:00"),
        ("from tonight until tomorrow morning", "2026-03-20 20:00:00..2026-03-21 12:00:00"),
    ],
)
def test_times_of_days(text, value):
    assert told(text) == [(text, value)]


def test_hours_of_a_range_of_days_are_not_those_of_its_last_day():
    assert [words for words, _ in told("open Monday to Friday, 9am-5pm")] == ["Monday to Friday", "9am-5pm"]


def test_that_year_is_the_one_told_before():
    assert told("We wed in May 2019. That year was good.")[1] == ("That year", "2019-01-01..2020-01-01")
    assert told("that week was good") == [("that week", "2026-03-16..2026-03-23")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("el 3 de mayo de 2024", "2024-05-03"),
        ("le 1er août 2024", "2024-08-01"),
        ("am 5. Dezember 2024", "2024-12-05"),
        ("em 7 de março de 2024", "2024-03-07"),
        ("il 5 maggio", "2025-05-05"),
    ],
)
def test_dates_in_other_languages(text, value):
    assert [shown for _, shown in told(text)] == [value]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("We met on Tuesday", 17),
        ("We will meet on Tuesday", 24),
        ("We're leaving on Tuesday", 24),
        ("I'm going to Rome on Tuesday", 24),
        ("The exam is on Tuesday", 24),
        ("I read a book on Tuesday", 17),
        ("He said he will call. We met on Tuesday", 17),
        ("On Tuesday we met", 17),
        ("Tuesday", 17),
    ],
)
def test_a_sentence_that_looks_ahead_means_the_reading_to_come(text, day):
    (timed,) = resolve(text, reference=NOW)
    assert timed.when.since == datetime(2026, 3, day, tzinfo=UTC)
    assert {value.value for value in timed.values} == {"2026-03-17", "2026-03-24"}


def test_who_asks_may_say_which_reading_is_meant():
    assert told("Tuesday", ahead=True) == [("Tuesday", "2026-03-24")]
    assert told("we will meet on Tuesday", ahead=False) == [("Tuesday", "2026-03-17")]
    assert told("since May we will", ahead=True) == [("since May", "2026-05-01..")]


@pytest.mark.parametrize(
    "text",
    [
        "24/7 support",
        "3/4 of the people",
        "version 10.12.2019.1",
        "This may or may not be right.",
        "the year-old dog",
        "5 mars bars",
    ],
)
def test_what_only_looks_like_a_time(text):
    assert told(text) == []


@given(st.integers(624, 9000), st.integers(1, 12), st.integers(1, 29))
def test_every_year_but_a_few_has_each_day_of_the_islamic_calendar(year, month, day):
    try:
        assert islamic(year, month, day).year == year
    except ValueError:
        assert islamic(year + 1, month, day).year == year + 1  # its days come eleven earlier each year


def test_days_of_the_islamic_calendar():
    assert islamic(2026, 1, 1) == date(2026, 6, 16)
    assert told("Ramadan 2024")[0][1] == "2024-03-10"


@pytest.mark.parametrize(
    "piece",
    [
        "monday 9-5pm ",
        "that week ",
        "will on friday ",
        "eod friday ",
        "5. mai ",
        "may 5 - 7 june ",
        "friday morning to ",
        "q1 18 ",
    ],
)
def test_work_grows_with_the_text_and_no_further(piece):
    resolve((piece * 50_000)[:50_000], reference=NOW)


TOLD = [
    "tomorrow at 5",
    "May 5th",
    "4/22",
    "the last week of July",
    "last Easter",
    "lunchtime",
    "from 3 until 12 of September",
    "Wednesday from 10-4",
    "in the morning at 7",
    "2014 to 2018",
    "in two weeks",
    "every Tuesday at 5pm",
    "half past seven in the evening",
]
AROUND = [
    "{}: the plan",
    "we went ({})",
    "{} - we went",
    "we went - {}",
    'he said "{}" to me',
    "we slept,{}",
    "we went {}\nand slept",
    "{} / Bob",
    "{} with Jim",
    "{} works for me",
    "Hi, {} please",
    "[{}]",
    "{}, then home",
    "{} at the office",
    "{} because it rained",
    "{} to see Bob",
    "{} EST",
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("phrase", TOLD)
def test_words_and_marks_beside_a_time_leave_it_whole(phrase, around):
    start = around.index("{}")
    found = [(one.start, one.end) for one in resolve(around.replace("{}", phrase), reference=NOW)]
    assert found == [(start, start + len(phrase))]
