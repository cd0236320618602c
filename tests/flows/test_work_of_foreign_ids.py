"""A foreign id costs what an absent one costs: the same statements and the same steps of the database, not only the same words.

Counted by the database itself, so that no clock is asked.
"""

from __future__ import annotations

from operator import attrgetter

import apsw
import pytest
from acting_calls import ABSENT, Ids, of
from cases import opened
from test_surfaces_isolation import ANA, NORTH, SAID

from muniment import Credential, MunimentError, Permission, Scope, Turn
from muniment.scope.rules_needs import NEEDS

BEN = Scope(client="acme", customer="north", user="ben")
NAMING = {
    "get": "record",
    "explain": "record",
    "forget": "record",
    "work.status": "record",
    "memories.get": "memory",
    "memories.history": "memory",
    "memories.against": "memory",
    "memories.update": "memory",
    "memories.retract": "memory",
    "memories.restore": "memory",
    "memories.hold": "memory",
    "decisions.share": "memory",
    "decisions.unshare": "memory",
    "memories.share": "memory",
    "memories.unshare": "memory",
    "entities.show": "entities",
    "entities.merge": "entities",
    "entities.split": "entities",
    "runs.count": "rule",
    "runs.reflect": "record",
    "sealed.reveal": "token",
    "keys.revoke": "key",
}
"""What is named by an id, and which id."""
BY_NAME = {
    "entities.undo": "merge",
    "sealed.blob": "digest",
    "runs.rollback": "run",
    "architecture.version": "agent",
    "architecture.rollback": "agent",
}
"""Ids that are told alike in every scope, or have no foreign one to be told from."""


class Probe:
    """Counts what the database does on every connection that is opened while it is there: statements, and steps of each."""

    def __init__(self):
        self.counted = []

    def __call__(self, connection):
        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, self.done, id=self)

    def done(self, event):
        status = event["stmt_status"]
        self.counted.append((event["sql"], status["SQLITE_STMTSTATUS_VM_STEP"], status["SQLITE_STMTSTATUS_FULLSCAN_STEP"]))


@pytest.fixture
def probe():
    probe = Probe()
    apsw.connection_hooks.append(probe)
    yield probe
    apsw.connection_hooks.remove(probe)


async def kept(url):
    """The same in both scopes, and the ids of Ben's."""
    async with opened(url) as engine:
        for scope in (NORTH, ANA, BEN):
            turns = [Turn(text=text, speaker="Ana", conversation="c1") for text in SAID]
            await engine.ingest(scope, turns)
            await engine.work.wait()
        memories = (await engine.memories.list(BEN)).memories
        entities = (await engine.entities.list(BEN)).entities
        key = await engine.keys.create(BEN, ["read"])
        return Ids(
            record=(await engine.list(BEN)).records[0].id,
            memory=next(one.id for one in memories if one.kind == "decision"),
            rule=memories[0].id,
            entities=tuple(one.id for one in entities[:2]),
            key=key.credential.id,
        )


async def done(url, probe, name, ids):
    """What a call answers, and what it made the database do, on an engine that was just opened."""
    async with opened(url) as engine:
        own = engine.acting(Credential(ceiling=ANA, permissions=tuple(Permission)))
        given = of(ids, name, ANA) | ({"scope": ANA} if name == "keys.revoke" else {})
        before = len(probe.counted)
        try:
            answer = repr(await attrgetter(name)(own)(**given))
        except MunimentError as error:
            answer = f"{type(error).__name__} {error.code} {error}"
        for foreign in (ids.record, ids.memory, ids.rule, ids.key, *ids.entities):
            answer = answer.replace(foreign, ABSENT)
        return answer, probe.counted[before:]


def test_every_verb_that_is_given_an_id_is_tried():
    named = {"record", "memory", "rule", "entity", "keep", "merge", "tokens", "digest", "key", "ids", "records", "run", "version"}
    asking = {name for name in NEEDS if named & of(Ids(), name, ANA).keys()} - {"restore"}
    assert asking == NAMING.keys() | BY_NAME.keys()


async def test_V41_a_foreign_id_is_answered_as_an_absent_one_and_for_the_same_work(tmp_path, probe):
    url = f"sqlite:///{tmp_path}/agent.db"
    theirs = await kept(url)
    absent = Ids()
    for name in NAMING:
        foreign_answer, foreign_work = await done(url, probe, name, theirs)
        absent_answer, absent_work = await done(url, probe, name, absent)
        assert foreign_answer.replace("b" * 16, ABSENT) == absent_answer.replace("b" * 16, ABSENT), name
        assert foreign_work, name
        assert foreign_work == absent_work, name
