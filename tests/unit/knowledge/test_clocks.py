"""Memories as they stood at a moment of either clock."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from muniment.knowledge.clocks import then
from muniment.knowledge.values import Evidence, Memory, MemoryId, Status
from muniment.types import RecordId, Scope


def day(month):
    return datetime(2026, month, 1, tzinfo=UTC)


FIRST, AGAIN = (Evidence(record=RecordId(name), start=0, end=1) for name in ("first", "again"))
BASIC = Memory(
    id=MemoryId("basic"),
    scope=Scope(user="ana"),
    kind="fact",
    text="user is on Basic",
    subject="user",
    recorded_at=day(2),
    evidence=(FIRST, AGAIN),
    valid_from=day(1),
    valid_to=day(5),
    retired_at=day(6),
    status=Status.SUPERSEDED,
    replaced_by=MemoryId("pro"),
)


def test_without_a_moment_nothing_changes():
    assert then(BASIC) == BASIC


def test_what_was_not_known_yet_is_not_there():
    assert then(BASIC, known_at=day(1)) is None
    assert then(BASIC, known_at=day(7), unknown=["first", "again"]) is None


def test_what_gave_way_later_was_current_and_its_end_was_not_known():
    held = then(BASIC, known_at=day(4), unknown=["again"])
    assert (held.status, held.valid_to, held.retired_at, held.replaced_by) == (Status.CURRENT, None, None, None)
    assert held.evidence == (FIRST,)
    assert then(BASIC, known_at=day(6)) == BASIC


@pytest.mark.parametrize(
    ("valid_at", "known_at", "status"),
    [
        (day(3), None, Status.CURRENT),
        (day(5), None, Status.SUPERSEDED),
        (day(5), day(4), Status.CURRENT),
        (datetime(2025, 12, 1, tzinfo=UTC), None, Status.NOT_YET),
    ],
)
def test_what_held_in_the_world_then_is_current(valid_at, known_at, status):
    assert then(BASIC, valid_at=valid_at, known_at=known_at).status is status
