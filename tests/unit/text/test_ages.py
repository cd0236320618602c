"""How long ago, in words, from the moment that is given and in its zone; nothing finer than it was told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.text.ages import age, dated, told_when
from muniment.types import Precision, When

NOON = datetime(2026, 11, 12, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (datetime(2026, 11, 12, 1, tzinfo=UTC), "today"),
        (datetime(2026, 11, 12, 23, tzinfo=UTC), "today"),
        (datetime(2026, 11, 11, 23, tzinfo=UTC), "yesterday"),
        (datetime(2026, 11, 13, 1, tzinfo=UTC), "tomorrow"),
        (datetime(2026, 11, 10, tzinfo=UTC), "2 days ago"),
        (datetime(2026, 10, 29, tzinfo=UTC), "2 weeks ago"),
        (datetime(2026, 12, 1, tzinfo=UTC), "in 2 weeks"),
        (datetime(2026, 5, 12, tzinfo=UTC), "6 months ago"),
        (datetime(2026, 5, 13, tzinfo=UTC), "5 months ago"),
        (datetime(2027, 5, 12, tzinfo=UTC), "in 6 months"),
        (datetime(2024, 12, 1, tzinfo=UTC), "23 months ago"),
        (datetime(2024, 11, 12, tzinfo=UTC), "2 years ago"),
        (datetime(1, 1, 1, tzinfo=UTC), "2025 years ago"),
    ],
)
def test_an_age_is_told_in_the_unit_that_fits(at, told):
    assert age(at, NOON) == told


def test_days_are_those_of_whoever_asks():
    late = datetime(2026, 11, 12, 1, tzinfo=UTC)
    assert age(late, NOON.astimezone(timezone(-timedelta(hours=5)))) == "yesterday"
    assert dated(late, NOON.astimezone(timezone(-timedelta(hours=5)))) == "11 Nov 2026, yesterday"
    assert dated(datetime(2026, 5, 12, 9, tzinfo=UTC), NOON) == "12 May 2026, 6 months ago"


@given(at=st.datetimes(timezones=st.just(UTC)), minutes=st.integers(0, 600))
def test_T02_within_a_day_an_age_does_not_change(at, minutes):
    assert age(at, NOON.replace(hour=1)) == age(at, NOON.replace(hour=1) + timedelta(minutes=minutes))


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_there_is_an_age_for_every_two_moments(at, now):
    assert age(at, now)
    assert ("ago" in age(at, now)) <= (at < now)


def span(since, until, precision, **more):
    return When(since=since, until=until, precision=precision, words="then", **more)


@pytest.mark.parametrize(
    ("since", "until", "precision", "told"),
    [
        ((2026, 1, 1), (2027, 1, 1), Precision.YEAR, "2026, this year"),
        ((2025, 1, 1), (2026, 1, 1), Precision.YEAR, "2025, last year"),
        ((2027, 1, 1), (2028, 1, 1), Precision.YEAR, "2027, next year"),
        ((2020, 1, 1), (2021, 1, 1), Precision.YEAR, "2020, 6 years ago"),
        ((1990, 1, 1), (2000, 1, 1), Precision.DECADE, "1990s, 31 years ago"),
        ((2026, 11, 1), (2026, 12, 1), Precision.MONTH, "Nov 2026, this month"),
        ((2026, 10, 1), (2026, 11, 1), Precision.MONTH, "Oct 2026, last month"),
        ((2026, 6, 1), (2026, 9, 1), Precision.SEASON, "Jun to Aug 2026, 4 months ago"),
        ((2026, 11, 2), (2026, 11, 9), Precision.WEEK, "the week of 2 Nov 2026, last week"),
        ((2026, 8, 24), (2026, 8, 25), Precision.DAY, "24 Aug 2026, 2 months ago"),
        ((2026, 11, 12, 9), (2026, 11, 12, 10), Precision.HOUR, "12 Nov 2026, today"),
    ],
)
def test_D04_a_time_is_told_no_finer_than_it_was(since, until, precision, told):
    when = span(datetime(*since, tzinfo=UTC), datetime(*until, tzinfo=UTC), precision)
    assert told_when(when, NOON) == told


@pytest.mark.parametrize("hours", [-11, -5, 0, 5, 11])
def test_a_year_or_a_day_told_elsewhere_is_the_same_here(hours):
    zone = timezone(timedelta(hours=hours))
    year = span(datetime(2026, 1, 1, tzinfo=zone), datetime(2027, 1, 1, tzinfo=zone), Precision.YEAR)
    day = span(datetime(2026, 8, 24, tzinfo=zone), datetime(2026, 8, 25, tzinfo=zone), Precision.DAY)
    assert told_when(year, NOON) == "2026, this year"
    assert told_when(day, NOON) == "24 Aug 2026, 2 months ago"


def test_what_returns_or_is_open_has_no_age():
    assert told_when(span(NOON, None, Precision.DAY), NOON) == ""
    assert told_when(span(NOON, NOON + timedelta(1), Precision.DAY, recurrence="FREQ=WEEKLY"), NOON) == ""
    assert told_when(span(NOON, NOON + timedelta(1), Precision.DAY, approximate=True), NOON).startswith("around ")
