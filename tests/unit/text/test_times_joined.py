"""Which words beside a time belong to it, which times are one and which are two, and what only looks like a time."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import product

import pytest

from muniment.text.times import resolve

NOW = datetime(2018, 8, 8, 10, 0, tzinfo=UTC)
DAYS = ("tomorrow", "Monday", "next Friday", "May 3", "5/3/2019", "2019-05-03", "Sunday, May 3", "the day after tomorrow")
HOURS = ("5pm", "17:00", "noon", "half past five", "ten thirty am", "7 in the morning")


def _told(text: str) -> list[tuple[str, str]]:
    return [(text[one.start : one.end], one.kind) for one in resolve(text, reference=NOW)]


def _marked(text: str) -> tuple[str, list[str]]:
    return re.sub(r"[\[\]]", "", text), re.findall(r"\[([^\]]*)\]", text)


@pytest.mark.parametrize("joint", [" ", " at ", ", ", " @ ", " around ", ", at "])
def test_a_day_and_the_hour_behind_it_are_one_moment(joint: str) -> None:
    for day, hour in product(DAYS, HOURS):
        words = f"{day}{joint}{hour}"
        assert _told(f"let us meet {words} please") == [(words, "datetime")]


@pytest.mark.parametrize("joint", [" or ", " and "])
def test_days_of_a_choice_are_days_of_their_own(joint: str) -> None:
    for one, other in product(DAYS[:6], DAYS[:6]):
        if one != other:
            assert _told(f"say {one}{joint}{other} please") == [(one, "date"), (other, "date")]


@pytest.mark.parametrize("joint", [", ", " or ", ", or ", "; "])
def test_moments_of_a_list_keep_their_own_hours(joint: str) -> None:
    for hour, other in product(("5pm", "noon", "10:30"), ("4pm", "9:15")):
        first, last = f"tomorrow at {hour}", f"Friday at {other}"
        assert _told(f"I can do {first}{joint}{last} this time") == [(first, "datetime"), (last, "datetime")]


@pytest.mark.parametrize(
    "text",
    [
        "I can do [Monday at 2], [Tuesday at 10], or [Wednesday at 4].",
        "hours: [Mon-Sat] [10am-8pm], [Sun 12-6pm]",
        "[Friday 2-3pm], [Monday 10-11am] or [Wednesday after 4].",
        "at [9], [10] or [11 am]",
        "[Monday at 8] or [9 pm]",
        "due on [the 3rd], [4th] and [5th of June]",
        "[June 3rd], [5th] and [7th]",
        "free [3 May from 3 to 5]",
        "free [from 3 to 5 on May 3rd, 2019]",
        "[Monday to Friday], [9am to 5pm]",
        "[between Monday and Wednesday] at [5pm]",
        "[next week] and [May] are full",
        "[next week] [3-5pm]",
        "[May 3 to the 15th of next month]",
        "leave [from 10/1-11/2/2017]",
        "[weekdays] [9-5]",
        "call ([tomorrow 5pm])",
        "[tomorrow (5pm)] is fine",
        "[tomorrow's 9am] call",
        "[tomorrow night after 8]",
        "[this past weekend]",
        "[this coming Monday]",
        "[last week's Sunday]",
        "[Sunday from last week]",
        "[Labor Day weekend]",
        "[Jul 18, Fri]",
        "[Nov 6 (Wed)]",
        "[2023/03/14 (Tue) 15:20] hello",
        "a poetry reading [last Fri] - it was good",
        "my moves [next Fri]?",
        "[the last day in October 2015]",
        "[in about half an hour]",
        "it took [three-quarters of an hour]",
        "[two years back]",
        "up [since this morning]",
        "not [before tomorrow evening]",
        "it takes [5h30m]",
        "[3+ years] of it, [two full years] abroad",
        "[the week after next], or [week after next]",
        "take it [2x a week]",
        "at [1400 hours]",
        "at [730 in the evening]",
        "at [1030]",
        "at [3 in the AM] or [3:15p]",
        "[around the end of May]",
        "[from 2 onward]",
        "I am free [until 6]. Then I go.",
        "[last qtr] and [next yr]",
        "[Mon]: gym",
        "[Mon]/[Wed]/[Fri]",
    ],
)
def test_each_time_is_found_whole_and_alone(text: str) -> None:
    plain, wanted = _marked(text)
    assert [words for words, _ in _told(plain)] == wanted


@pytest.mark.parametrize(
    "text",
    [
        "I am 3 years old",
        "a 5-year-old girl",
        "my 10 month old baby",
        "a minute detail",
        "he is in his 40s",
        "ticket ABC-2019",
        "version 3.14 is out",
        "we won 21-17",
        "room 1030",
        "sells at 1200",
        "April is my sister and June said hi",
        "we march at dawn and may win",
        "the sun sets, he sat down",
        "a second opinion",
        "win 3 to 1",
        "call 555-123-4567",
        "now that we know",
        "(UTC-08:00)",
        "port 8080",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert _told(text) == []


def test_days_of_a_list_take_the_month_told_once() -> None:
    for text in ("on the 3rd, 4th and 5th of June", "June 3rd, 4th and 5th"):
        assert [one.timex for one in resolve(text, reference=NOW)] == ["XXXX-06-03", "XXXX-06-04", "XXXX-06-05"]


def test_hours_of_a_choice_take_the_half_of_the_day_told_last() -> None:
    assert [one.timex for one in resolve("at 8, 9 or 10 pm", reference=NOW)] == ["T20", "T21", "T22"]


def test_a_quoted_line_is_not_what_lies_after_a_day() -> None:
    assert _told("> Monday works\n>> Tuesday too") == [("Monday", "date"), ("Tuesday", "date")]


def test_the_weekend_beside_a_day_is_a_saturday_and_a_sunday() -> None:
    told = {
        text: resolve(text, reference=NOW)[0].values[0] for text in ("the weekend before 13 September 2023", "the past weekend")
    }
    assert [(one.start, one.end) for one in told.values()] == [("2023-09-09", "2023-09-11"), ("2018-08-04", "2018-08-06")]
