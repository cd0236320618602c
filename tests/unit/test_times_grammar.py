"""A rule is passed over only where it could not match."""

from __future__ import annotations

import pytest

from muniment.text.times.grammar import needed


@pytest.mark.parametrize(
    ("pattern", "classes"),
    [
        ("{month}", {"month"}),
        ("{article}? (?P<d>{decade})", {"decade"}),
        ("(?P<a>{ord}|{n2}) {other}", {"ord", "n2"}),
        ("(?:{n2}|{w2}?) {unit}{0,2}", set()),
        ("(?<={in}) {season|month} (?!{year})", {"season", "month"}),
        ("{^month}", set()),
        ("(?:{of} {n4}){0,1} {unit}", {"unit"}),
        ("{unit}{1,2}", {"unit"}),
    ],
)
def test_what_a_pattern_cannot_do_without_is_told(pattern: str, classes: set[str]) -> None:
    assert needed(pattern) == classes
