"""Threads: nothing is lost, nobody sees half a call, no callback is called under a lock, and nothing ever waits for two."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import groupby
from threading import Barrier, Event

import pytest

from muniment.errors import BlockError
from muniment.registry import Principal, Registry, Right, replay
from muniment.types import Band

PATIENCE = 60
"""Seconds after which a thread counts as stuck."""


def together(*tasks):
    """Run the tasks at once, each in a thread of its own, and return what they return."""
    start = Barrier(len(tasks))

    def run(task):
        start.wait(PATIENCE)
        return task()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return [future.result(PATIENCE) for future in [pool.submit(run, task) for task in tasks]]


def test_no_write_is_lost_and_no_number_given_twice():
    registry = Registry()
    handles = [Principal().accept(registry.invite(Right.WRITE)) for _ in range(4)]
    written = together(*(lambda h=h: [h.write(f"{n}", name="x", position=0) for n in range(100)] for h in handles))
    ids = [block_id for per_thread in written for block_id in per_thread]
    assert sorted(ids) == sorted(block.id for block in registry)
    assert [change.version for change in registry.journal.entries] == list(range(1, 401))
    assert replay(registry.journal.entries) == registry.blocks


def test_a_text_that_all_rewrite_loses_no_change():
    registry = Registry()
    block_id = registry.write("0", name="counter")

    def count(times):
        while times:
            text = registry.get(block_id).text
            try:
                registry.edit(block_id, str(int(text) + 1), expect=text)
            except BlockError as error:
                assert error.reason == "changed"  # noqa: PT017  # retried, as its hint says
            else:
                times -= 1

    together(*[lambda: count(100)] * 4)
    assert registry.get(block_id).text == "400"


def test_nobody_sees_a_group_half_moved_or_half_made():
    registry = Registry()
    ids = [registry.write("x", name=f"{n}") for n in range(40)]
    registry.group(ids[10:20], name="g")
    done = Event()

    def change():
        for n in range(100):
            version = registry.version
            registry.promote(ids[10], to=n % 30)
            with pytest.raises(BlockError):
                registry.group([ids[30], ids[31], "nobody"], name="h")
            registry.undo(to=version)
        done.set()

    def look():
        seen = 0
        while not done.is_set():
            blocks = registry.blocks
            runs = [name for name, _ in groupby(block.group.name if block.group else None for block in blocks) if name]
            assert runs == ["g"]
            assert len(blocks) == 40
            seen += 1
        return seen

    together(change, look, look)
    assert replay(registry.journal.entries) == registry.blocks


def test_two_registries_writing_into_each_other_never_wait_for_each_other():
    one, other = Registry(), Registry()
    there, here = one.accept(other.invite(Right.WRITE)), other.accept(one.invite(Right.WRITE))

    def work(mine, theirs):
        for n in range(200):
            theirs.write(f"{n}", name="handed over")
            mine.write(f"{n}", name="own", band=Band.VOLATILE)
            assert mine.blocks

    together(lambda: work(one, there), lambda: work(other, here))
    for registry, guest in ((one, other), (other, one)):
        texts = [block.text for block in registry if block.author == guest.author]
        assert texts == [f"{n}" for n in range(200)]


def test_clocks_are_asked_without_a_lock():
    meeting = Barrier(2)

    def clock():
        meeting.wait(PATIENCE)
        return datetime(2026, 1, 1, tzinfo=UTC)

    registry = Registry(clock=clock)
    ids = together(*[lambda: registry.write("x", name="x")] * 2)
    together(lambda: registry.edit(ids[0], "y"), lambda: registry.evict(ids[1]))
    together(lambda: registry.undo(to=4), lambda: registry.rollback("r"))
    assert [block.text for block in registry] == ["y"]


def test_id_sources_are_asked_without_a_lock():
    meeting, numbers = Barrier(2), iter(range(100))

    def fresh():
        meeting.wait(PATIENCE)
        return f"id{next(numbers)}"

    registry = Registry(ids=fresh)
    assert set(together(*[lambda: registry.write("x", name="x")] * 2)) == {"id0", "id1"}


def test_scorers_are_called_without_a_lock():
    registry, meeting = Registry(), Barrier(2)
    ids = [registry.write("x", name=name) for name in "abcd"]

    def scorer(task, blocks):
        meeting.wait(PATIENCE)
        return [0.0] * len(blocks)

    together(*(lambda n=n: registry.group_near(ids[n], name=f"g{n}", scorer=scorer) for n in range(2)))
    assert [block.group.name for block in registry if block.group] == ["g0", "g1"]


def test_nothing_is_written_through_an_invite_after_its_revocation():
    registry = Registry()
    invite = registry.invite(Right.WRITE)
    handle = Principal().accept(invite)
    written = Event()

    def keep_writing():
        while True:
            handle.write("x", name="x")
            written.set()

    def write():
        with pytest.raises(BlockError) as error:
            keep_writing()
        return error.value.reason

    def revoke():
        written.wait(PATIENCE)
        registry.revoke(invite)
        return registry.version

    reason, version = together(write, revoke)
    assert reason == "revoked"
    assert registry.version == version == len(registry)
