"""Dates in questions become windows reckoned from a given now; what is no date gives none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.text.times import tells_time, windows

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)  # a Friday


def read(question, now=NOW):
    return [str(window) for window in windows(question, now)]


@pytest.mark.parametrize(
    ("question", "window"),
    [
        ("on 31 July, 2023", "2023-07-31"),
        ("October 13, 2023", "2023-10-13"),
        ("December 1,2023", "2023-12-01"),
        ("on 2023-05-08", "2023-05-08"),
        ("the 3rd of June 2024", "2024-06-03"),
        ("in January 2022", "2022-01-01 to 2022-01-31"),
        ("in 2021", "2021-01-01 to 2021-12-31"),
        ("summer 2022", "2022-06-01 to 2022-08-31"),
        ("yesterday", "2026-03-19"),
        ("the day before yesterday", "2026-03-18"),
        ("last week", "2026-03-09 to 2026-03-15"),
        ("last weekend", "2026-03-14 to 2026-03-15"),
        ("this year", "2026-01-01 to 2026-12-31"),
        ("last winter", "2025-12-01 to 2026-02-28"),
        ("last Saturday", "2026-03-14"),
        ("next Monday", "2026-03-23"),
        ("two weeks ago", "2026-03-03 to 2026-03-09"),
        ("10 days ago", "2026-03-10"),
        ("in the past three months", "2025-12-20 to 2026-03-20"),
        ("in the past month", "2026-02-20 to 2026-03-20"),
        ("since May 2025", "from 2025-05-01"),
        ("before June 2023", "until 2023-05-31"),
        ("after 2023-05-01", "from 2023-05-02"),
        ("until June 2023", "until 2023-06-30"),
        ("the week before 16 November 2023", "2023-11-09 to 2023-11-15"),
        ("two days after 2023-05-01", "2023-05-03"),
        ("between August 11 and August 15 2023", "2023-08-11 to 2023-08-15"),
        ("from May to July 2022", "2022-05-01 to 2022-07-31"),
        ("from July to October", "July to October of any year"),
        ("in may", "May of any year"),
        ("on the 13th of October", "October 13 of any year"),
        ("in the 1990s", "1990-01-01 to 1999-12-31"),
        ("since May 5", "from 2025-05-05"),
        ("between May 3 and 7", "May 3 to May 7 of any year"),
        ("between May 30 and June 2", "May 30 to June 2 of any year"),
        ("last March", "2025-03-01 to 2025-03-31"),
        ("in summer", "June to August of any year"),
        ("on Friday", "2026-03-13"),
        ("on Wednesday", "2026-03-18"),
        ("in the first week of October 2025", "2025-09-29 to 2025-10-05"),
    ],
)
def test_what_a_question_names(question, window):
    assert read(f"What happened {question}?") == [window]


def test_D12_last_month_is_a_window_reckoned_from_now():
    assert read("what did I do last month") == ["2026-02-01 to 2026-02-28"]
    assert read("what did I do last month", datetime(2026, 1, 31, tzinfo=UTC)) == ["2025-12-01 to 2025-12-31"]


def test_D10_a_day_without_a_year_is_that_day_alone():
    (window,) = windows("what happened on March 18?", NOW)
    assert (window.month, window.day, window.since) == (3, 18, None)


@pytest.mark.parametrize(
    "question",
    [
        "May I ask?",
        "march to the store",
        "It costs $2020",
        "on 2026-02-30",
        "Feb 30",
        "room 2023-A",
        "decide",
        "at 10:30",
        "",
    ],
)
def test_what_is_no_date_gives_no_window(question):
    assert read(question) == []


def test_beside_a_date_relative_words_are_about_that_date():
    assert read("What did Ana finish last Friday, on 23 January, 2022?") == ["2022-01-23"]
    assert read("last week or yesterday") == ["2026-03-09 to 2026-03-15", "2026-03-19"]


def test_days_are_those_of_the_zone_of_now():
    tokyo = timezone(timedelta(hours=9))
    (window,) = windows("yesterday", datetime(2026, 3, 20, 1, tzinfo=tokyo))
    assert window.since == datetime(2026, 3, 18, 15, tzinfo=UTC)
    assert window.until == datetime(2026, 3, 19, 15, tzinfo=UTC)


def test_telling_a_time():
    assert tells_time("We moved two years ago")
    assert tells_time("On Monday it rained")
    assert not tells_time("We may sail on")


@given(st.text(max_size=80), st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.just(UTC)))  # noqa: DTZ001  made aware by timezones
def test_any_text_at_any_time_is_read_without_error(text, now):
    for phrase in ("", " 500 years ago", " last month", " next year", " this winter", " yesterday", " past 999 months"):
        for window in windows(text + phrase, now):
            assert str(window)
            assert not (window.since and window.until) or window.since < window.until


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("March", (2026, 3, 1), (2026, 4, 1)),
        ("December", (2025, 12, 1), (2026, 1, 1)),
        ("5 March", (2026, 3, 5), (2026, 3, 6)),
        ("29 February", (2024, 2, 29), (2024, 3, 1)),
        ("December to February", (2025, 12, 1), (2026, 3, 1)),
        ("March 2025", (2025, 3, 1), (2025, 4, 1)),
    ],
)
def test_the_latest_of_any_year_is_the_last_that_has_begun(text, since, until):
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    (window,) = windows(f"as of {text}", now)
    latest = window.latest(now)
    assert (latest.since, latest.until) == (datetime(*since, tzinfo=UTC), datetime(*until, tzinfo=UTC))
    assert latest.month == 0
