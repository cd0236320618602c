"""Times told in a text become stretches of time, in the speaker's zone; what is no time stays words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.text.times import resolve
from muniment.types import Precision

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)  # a Friday


def one(text, now=NOW, zone=None):
    (timed,) = resolve(text, reference=now, zone=zone)
    return timed


def shown(value):
    return value.value or f"{value.start}..{value.end}" if value.value or value.start or value.end else value.timex


@pytest.mark.parametrize(
    ("text", "kind", "words", "value"),
    [
        ("we met on 2026-03-05", "date", "2026-03-05", "2026-03-05"),
        ("we met on May 7", "date", "May 7", "2025-05-07"),
        ("we met on the 7th of May, 2024", "date", "7th of May, 2024", "2024-05-07"),
        ("we met on Tuesday", "date", "Tuesday", "2026-03-17"),
        ("see you next Tuesday", "date", "next Tuesday", "2026-03-24"),
        ("the day before yesterday it rained", "date", "the day before yesterday", "2026-03-18"),
        ("she left three weeks ago", "date", "three weeks ago", "2026-02-27"),
        ("I start in a fortnight", "date", "in a fortnight", "2026-04-03"),
        ("two weeks before May 3, 2025 we moved", "date", "two weeks before May 3, 2025", "2025-04-19"),
        ("the first Monday of April 2027", "date", "the first Monday of April 2027", "2027-04-05"),
        ("it was Thanksgiving 2019", "date", "Thanksgiving 2019", "2019-11-28"),
        ("Good Friday 2026 is near", "date", "Good Friday 2026", "2026-04-03"),
        ("dinner at half past seven in the evening", "time", "half past seven in the evening", "19:30:00"),
        ("call me at noon", "time", "noon", "12:00:00"),
        ("call me at 5", "time", "5", "05:00:00"),
        ("tomorrow at 5pm", "datetime", "tomorrow at 5pm", "2026-03-21 17:00:00"),
        ("an hour ago", "datetime", "an hour ago", "2026-03-20 11:00:00"),
        ("in May 2020", "daterange", "May 2020", "2020-05-01..2020-06-01"),
        ("in 2020", "daterange", "2020", "2020-01-01..2021-01-01"),
        ("last week", "daterange", "last week", "2026-03-09..2026-03-16"),
        ("the week before last", "daterange", "the week before last", "2026-03-02..2026-03-09"),
        ("the first week of October 2025", "daterange", "the first week of October 2025", "2025-09-29..2025-10-06"),
        ("Q3 of last year", "daterange", "Q3 of last year", "2025-07-01..2025-10-01"),
        ("the second half of 2024", "daterange", "the second half of 2024", "2024-07-01..2025-01-01"),
        ("in the 1990s", "daterange", "the 1990s", "1990-01-01..2000-01-01"),
        ("early May 2024", "daterange", "early May 2024", "2024-05-01..2024-05-16"),
        ("between May 3 and 7, 2024", "daterange", "between May 3 and 7, 2024", "2024-05-03..2024-05-07"),
        ("since May 5", "daterange", "since May 5", "2025-05-05.."),
        ("before 2010", "daterange", "before 2010", "..2010-01-01"),
        ("from 2 to 4pm", "timerange", "from 2 to 4pm", "14:00:00..16:00:00"),
        ("in the afternoon", "timerange", "in the afternoon", "12:00:00..16:00:00"),
        ("tonight we dance", "datetimerange", "tonight", "2026-03-20 20:00:00..2026-03-20 23:59:59"),
        ("for two and a half hours", "duration", "two and a half hours", "9000"),
        ("we train every Tuesday at 5pm", "set", "every Tuesday at 5pm", "XXXX-WXX-2T17"),
    ],
)
def test_what_is_told_and_what_it_comes_to(text, kind, words, value):
    timed = one(text)
    assert (timed.kind, text[timed.start : timed.end], shown(timed.values[0])) == (kind, words, value)


def test_a_year_stays_a_year():
    when = one("we married in 2019").when
    assert when.precision is Precision.YEAR
    assert (when.since, when.until) == (datetime(2019, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC))
    assert when.words == "2019"


def test_a_day_without_a_year_has_both_readings_and_means_the_last_one():
    timed = one("her birthday is May 7")
    assert [value.value for value in timed.values] == ["2025-05-07", "2026-05-07"]
    assert timed.when.since == datetime(2025, 5, 7, tzinfo=UTC)


def test_months_ago_are_told_roughly():
    when = one("we moved three months ago").when
    assert when.approximate
    assert when.precision is Precision.MONTH
    assert when.since < datetime(2025, 12, 20, tzinfo=UTC) < when.until


def test_open_and_closed_sides():
    assert one("since May 5, 2024").when.until is None
    assert one("before May 5, 2024").when.until == datetime(2024, 5, 5, tzinfo=UTC)
    assert one("after May 5, 2024").when.since == datetime(2024, 5, 6, tzinfo=UTC)
    until = one("until June 2024").when
    assert (until.since, until.until) == (None, datetime(2024, 7, 1, tzinfo=UTC))
    both = one("from May to July 2022").when
    assert (both.since, both.until) == (datetime(2022, 5, 1, tzinfo=UTC), datetime(2022, 8, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("every Tuesday at 5pm", "FREQ=WEEKLY;BYDAY=TU;BYHOUR=17;BYMINUTE=0"),
        ("daily", "FREQ=DAILY"),
        ("twice a week", "FREQ=WEEKLY"),
        ("every other Friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("every mon, wed and fri", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
        ("weekdays at 9am", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"),
        ("the first Monday of every month", "FREQ=MONTHLY;BYDAY=1MO"),
        ("the 5th of every month", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("every three weeks", "FREQ=WEEKLY;INTERVAL=3"),
        ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
    ],
)
def test_what_returns_has_its_rule(text, rule):
    assert one(text).when.recurrence == rule


@pytest.mark.parametrize(
    "text",
    [
        "May I ask?",
        "it may rain",
        "march to the store",
        "we march on",
        "April said hello",
        "June is my aunt and she bakes",
        "he sat down in the sun",
        "give me a second chance",
        "It costs $2020",
        "2000 pieces of toys",
        "Tel: +86 138-2010-2015",
        "room 2023-A",
        "ABC-12345-A1B2C3",
        "a 4:3 screen",
        "2026-02-30",
        "Feb 30",
        "25:00",
        "two to four people",
        "the spring broke",
        "decide",
        "",
        "\x00\ud800",
    ],
)
def test_what_is_no_time_stays_words(text):
    assert resolve(text, reference=NOW) == ()


def test_vector_63_times_that_are_none_and_times_that_are():
    assert resolve("2026-02-30 and 10000-01-01 and 0000-01-01", reference=NOW) == ()
    assert one("at 24:00").values[0].value == "00:00:00"
    assert one("yesterday").values[0].value == "2026-03-19"


def test_vector_64_a_leap_second_is_the_last_of_its_minute():
    assert one("at 23:59:60").values[0].value == "23:59:59"


def test_vector_65_in_a_gap_the_offset_before_it_holds_and_of_a_fold_the_first_is_meant():
    rome = ZoneInfo("Europe/Rome")
    gap = one("on 29 March 2026 at 2:30 am", zone=rome).when
    assert gap.since.astimezone(UTC) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    fold = one("on 25 October 2026 at 2:30 am", zone=rome).when
    assert fold.since.astimezone(UTC) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert one("2026-03-20T10:00:00+14:00").when.since == datetime(2026, 3, 19, 20, tzinfo=UTC)


def test_vector_66_the_ends_of_the_calendar_are_read_or_left_out_without_error():
    assert one("in the year 1200").when.since == datetime(1200, 1, 1, tzinfo=UTC)
    assert one("on 9999-12-30").values[0].value == "9999-12-30"
    for text in ("tomorrow", "next year", "9999-12-31", "500 years ago", "last century"):
        resolve(text, reference=datetime(9999, 12, 31, 23, tzinfo=UTC))
        resolve(text, reference=datetime(1, 1, 1, tzinfo=UTC))


def test_the_day_is_that_of_the_speaker():
    late = datetime(2026, 3, 20, 1, tzinfo=UTC)
    assert one("today", late).values[0].value == "2026-03-20"
    assert one("today", late, ZoneInfo("America/New_York")).values[0].value == "2026-03-19"
    assert one("today", late.astimezone(timezone(timedelta(hours=9)))).values[0].value == "2026-03-20"


def test_a_reference_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        resolve("today", reference=datetime(2026, 3, 20))  # noqa: DTZ001  that is the point


# fmt: off
TIME_WORDS = [
    "may", "march", "second", "sun", "sat", "last", "next", "this", "the", "of", "in", "at", "on", "from", "to",
    "and", "before", "after", "since", "until", "every", "each", "two", "5", "12", "31", "2024", "10:30", "3pm",
    "5/7", "week", "month", "year", "monday", "day", "morning", "night", "ago", "noon", "half", "past", "quarter",
    "-", ",", ".", "'", "q3", "1990s", "christmas",
]
# fmt: on


@given(
    st.lists(st.sampled_from(TIME_WORDS) | st.text(max_size=5), max_size=10).map(" ".join),
    st.datetimes(timezones=st.just(UTC)),
    st.sampled_from([None, ZoneInfo("Pacific/Kiritimati"), ZoneInfo("America/St_Johns")]),
)
def test_any_text_at_any_time_gives_spans_in_order_and_stretches_that_are_not_empty(text, now, zone):
    end = 0
    for timed in resolve(text, reference=now, zone=zone):
        assert end <= timed.start < timed.end <= len(text)
        end = timed.end
        assert timed.values
        when = timed.when
        if when is not None:
            assert when.words
            assert not (when.since and when.until) or when.since.replace(tzinfo=None) < when.until.replace(tzinfo=None)


@pytest.mark.parametrize(
    "piece", ["1", "1 ", "1-", "may ", "every ", "between 5 and ", "march 1 ", "at 5 ", "a.", "12:", "'", "last week of "]
)
def test_work_grows_with_the_text_and_no_further(piece):
    resolve((piece * 100_000)[:100_000], reference=NOW)


def test_reading_twice_gives_the_same():
    text = "On May 7 we left at 5 and came back two days later, as every spring since 2019."
    assert resolve(text, reference=NOW) == resolve(text, reference=NOW)
