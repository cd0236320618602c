"""Times as files write them: what is an instant, what is refused, and that nothing is guessed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import InputError
from muniment.ingest.times import read_session_time, read_time, to_utc

OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=OFFSETS)  # noqa: DTZ001  the zone is drawn


def reason(value: object, **given: object) -> str:
    with pytest.raises(InputError) as error:
        read_time(value, **given)
    assert error.value.hint
    return error.value.reason


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2026-03-02T12:00:00Z", datetime(2026, 3, 2, 12, tzinfo=UTC)),
        ("2026-03-02t12:00z", datetime(2026, 3, 2, 12, tzinfo=UTC)),
        ("2026-03-02 12:00:00+02:00", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("2026-03-02T12:00:00 +0530", datetime(2026, 3, 2, 6, 30, tzinfo=UTC)),
        ("2026-03-02T00:30:00-09", datetime(2026, 3, 2, 9, 30, tzinfo=UTC)),
        (" 2026-03-02T12:00:00.5Z ", datetime(2026, 3, 2, 12, 0, 0, 500_000, tzinfo=UTC)),
        ("2026-03-02T12:00:00,123456789Z", datetime(2026, 3, 2, 12, 0, 0, 123_456, tzinfo=UTC)),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (1772384712.25, datetime(2026, 3, 1, 17, 5, 12, 250_000, tzinfo=UTC)),
        (-1, datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_iso_text_and_seconds_since_1970_are_instants(written, instant):
    assert read_time(written) == instant
    assert read_time(written).tzinfo is UTC


@given(MOMENTS)
def test_D08_every_instant_comes_back_to_the_microsecond(moment):
    assert read_time(moment.isoformat()) == moment == read_time(moment)


@pytest.mark.parametrize(
    "value",
    [
        "2026-02-30T00:00:00Z",
        "2026-02-30",
        "2026-13-01T00:00:00Z",
        "2026-03-02T24:00:00Z",
        "2026-03-02T23:60:00Z",
        "24:00:00",
        "10000-01-01T00:00:00Z",
        "0000-01-01T00:00:00Z",
        1_772_384_712_250,
        float("nan"),
        float("inf"),
        10**400,
        -(10**12),
        "yesterday",
        "",
        "Mon, 02 Mar 2026 12:00:00 GMT",
        "1772384712",
        "\u0662\u0660\u0662\u0666-\u0660\u0663-\u0660\u0662T12:00:00Z",
        True,
        None,
        ["2026"],
    ],
    ids=str,
)
def test_vector_63_what_is_no_time_is_refused(value):
    assert reason(value, zone=UTC) == "timestamp_invalid"


def test_vector_64_a_leap_second_is_the_second_before_it():
    assert read_time("2016-12-31T23:59:60Z") == datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert read_time("2017-01-01T08:59:60.25+09:00") == datetime(2016, 12, 31, 23, 59, 59, 250_000, tzinfo=UTC)
    assert reason("2016-12-31T12:00:60Z") == "timestamp_invalid"
    assert reason("2016-12-31T23:59:61Z") == "timestamp_invalid"


def test_vector_65_offsets_and_missing_zones():
    assert read_time("2026-03-02T12:00:00+14:00") == datetime(2026, 3, 1, 22, tzinfo=UTC)
    assert read_time("2026-03-02T12:00:00-12:00") == datetime(2026, 3, 3, tzinfo=UTC)
    for offset in ("+25:00", "+14:01", "-15:00", "+05:60"):
        assert reason(f"2026-03-02T12:00:00{offset}") == "timestamp_invalid"
    assert reason("2026-03-29T02:30:00") == "tz_required"
    assert reason("2026-03-02") == "tz_required"
    assert reason(datetime(2026, 3, 2)) == "tz_required"  # noqa: DTZ001  the missing zone is the case
    assert reason(datetime(2026, 3, 2, tzinfo=timezone(timedelta(hours=15)))) == "timestamp_invalid"


def test_D02_a_local_time_is_taken_in_the_zone_the_caller_names():
    shanghai = ZoneInfo("Asia/Shanghai")
    assert read_time("2026-03-02T12:45:00", zone=shanghai) == datetime(2026, 3, 2, 4, 45, tzinfo=UTC)
    assert read_time("2026-03-02T12:45:00Z", zone=shanghai) == datetime(2026, 3, 2, 12, 45, tzinfo=UTC)
    assert read_time("2026-03-02", zone=shanghai) == datetime(2026, 3, 1, 16, tzinfo=UTC)
    gap, fold = (read_time(text, zone=ZoneInfo("Europe/Berlin")) for text in ("2026-03-29T02:30:00", "2026-10-25T02:30:00"))
    assert (gap.hour, fold.hour) == (1, 0)


def test_vector_66_the_ends_of_the_calendar():
    assert read_time("1200-01-01T00:00:00Z").year == 1200
    assert read_time("9999-12-31T23:59:59.999999Z").microsecond == 999_999
    assert read_time(253_402_300_799).year == 9999
    for text in ("9999-12-31T23:59:59-01:00", "0001-01-01T00:00:00+01:00"):
        assert reason(text) == "timestamp_invalid"


def test_a_subclass_of_datetime_becomes_a_plain_one():
    class Stamp(datetime):
        pass

    assert type(to_utc(Stamp(2026, 3, 2, tzinfo=UTC))) is datetime


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:05 am on 1 January, 2024", datetime(2024, 1, 1, 0, 5, tzinfo=UTC)),
        ("12:15 PM on 29 Feb 2024", datetime(2024, 2, 29, 12, 15, tzinfo=UTC)),
        ("2023/04/10 (Mon) 17:50", datetime(2023, 4, 10, 17, 50, tzinfo=UTC)),
        ("2023-04-10T17:50:00", datetime(2023, 4, 10, 17, 50, tzinfo=UTC)),
        ("2023-04-10T17:50:00+02:00", datetime(2023, 4, 10, 15, 50, tzinfo=UTC)),
    ],
)
def test_session_times_of_data_sets(written, instant):
    assert read_session_time(written, zone=UTC) == instant


@pytest.mark.parametrize(
    "text", ["13:00 pm on 8 May, 2023", "0:10 am on 8 May, 2023", "1:00 pm on 8 Nomonth, 2023", "2023/02/30 (Thu) 10:00"]
)
def test_session_times_that_never_were_are_refused(text):
    with pytest.raises(InputError) as error:
        read_session_time(text, zone=UTC)
    assert error.value.reason == "timestamp_invalid"


@given(st.text())
def test_any_text_is_an_instant_or_an_input_error(text):
    for read in (read_time, read_session_time):
        try:
            assert read(text, zone=UTC).tzinfo is UTC
        except InputError as error:
            assert error.reason == "timestamp_invalid"  # noqa: PT017  refusing is one of two right answers
