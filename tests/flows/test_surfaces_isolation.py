"""Two worlds, every surface, every verb: whatever neighbours do through credentials of their own, or do not, no answer changes.

The verbs are those of the table of needs, which a test holds against the engine's own list: a new one is tried here by itself.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from operator import attrgetter

import pytest
from acting_calls import CALLS, Ids, of, registry, taught
from hypothesis import given, settings
from hypothesis import strategies as st

import muniment
from muniment import Credential, MemoryFilter, MunimentError, Permission, Scope, Status, Turn
from muniment.scope.rules_needs import NEEDS, Reach
from muniment.testing import CountingTokens, FixedClock, TableEmbedder

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
ACME = Scope(client="acme")
NORTH = Scope(client="acme", customer="north")
ANA = Scope(client="acme", customer="north", user="ana")
NEIGHBOURS = {
    "sibling user": (Scope(client="acme", customer="north", user="ben"),),
    "sibling customer": (Scope(client="acme", customer="south"), Scope(client="acme", customer="south", user="ana")),
    "other client": (Scope(client="rival"), Scope(client="rival", customer="north", user="ana")),
    "no client": (Scope(user="ana"), Scope(customer="north", user="ana")),
}
SAID = (
    "I live in Porto and my plan is Harbor.",
    "We decided to use Postgres instead of SQLite because Ben Ortega knows it.",
    "Actually, I moved to Faro last month.",
    "Dr. Vale at ana@example.org painted the boat.",
)
ABOVE = ("The boat yard opens at noon.", "The default plan is Basic.", "We decided to use Redis because it is fast.")
NOBODYS = {name for name, need in NEEDS.items() if need.reach is Reach.STORE}
"""What is told of the whole store, to those who look after it."""
UPWARDS = {"decisions.share", "decisions.unshare", "memories.share", "memories.unshare"}
"""What is shared on purpose is seen by all below."""
VERBS = sorted(NEEDS.keys() - NOBODYS)
TEST_ENDS = {"forget", "restore", "transfer.restore", "retention.sweep", "work.rederive"}
"""Tried last of all, since little is left after them."""


class World:
    """One store and one way into it, as a program without an event loop sees it."""

    def __init__(self, run, engine, clock):
        self.run = run
        self.engine = engine
        self.clock = clock

    def call(self, target, name, given):
        """The answer as a plain value, also when it is an error."""
        try:
            answer = attrgetter(name)(target)(**given)
            if inspect.isawaitable(answer):
                answer = self.run(answer)
            elif hasattr(answer, "__anext__"):
                answer = self.run(everything(answer))
            elif inspect.isgenerator(answer):
                answer = list(answer)
        except MunimentError as error:
            return type(error), error.code, str(error)
        return plain(name, answer)

    def settle(self):
        """Let all that runs behind a call be done, what was served be counted too: it is there at a moment of its own."""
        self.call(self.engine, "work.wait", {})
        self.call(self.engine, "work.step", {})

    def acting(self, scope):
        return self.engine.acting(Credential(ceiling=scope, permissions=tuple(Permission)))

    def ids(self, scope):
        """What a call in this scope may name, as it is now."""
        records = self.call(self.engine, "list", {"scope": scope}).records
        memories = self.call(
            self.engine, "memories.list", {"scope": scope, "where": MemoryFilter(statuses=tuple(Status))}
        ).memories
        entities = self.call(self.engine, "entities.list", {"scope": scope}).entities
        return Ids(
            record=records[-1].id,
            memory=next(one.id for one in memories if one.kind == "decision"),
            rule=next(one.id for one in memories if one.kind != "decision"),
            entities=tuple(one.id for one in entities[:2]),
            token=next(iter(re.findall(r"\[email:\w+\]", " ".join(record.text for record in records))), "[email:aaaa]"),
            records=records,
        )


async def everything(items):
    return [item async for item in items]


def plain(name, answer):
    """What of an answer must be the same: all of it but ids drawn by lot, and the seal of each store."""
    if name == "assemble":
        made = answer.compilation
        return made.text, made.tokens, [(row.name, row.fate, row.tokens) for row in made.receipt], repr(answer.bundle)
    if name == "keys.create":
        return replace(answer.credential, id="")
    if name == "keys.list":
        return [replace(one, id="") for one in answer]
    if name.startswith("runs."):
        return repr(
            [
                getattr(answer, part)
                for part in ("rule", "memory", "reason", "rules", "left_out", "memories")
                if hasattr(answer, part)
            ]
        )
    if getattr(answer, "cursor", None):
        return replace(answer, cursor=answer.cursor.rpartition("_")[0])
    return answer


@contextmanager
def world(kind, surface):
    clock = FixedClock(NOON)
    usual = {"embedder": TableEmbedder(dim=16), "tokens": CountingTokens(), "clock": clock}
    with tempfile.TemporaryDirectory() as folder:
        url = {"memory": "memory://", "sqlite": f"sqlite:///{folder}/agent.db"}[kind] if isinstance(kind, str) else kind()
        if surface.startswith("sync"):
            with muniment.sync.open(url, **usual) as engine:
                engine._engine.salt = "the same"
                yield World(None, engine, clock)
            return
        with asyncio.Runner() as runner:
            opened = muniment.open(url, **usual)
            engine = runner.run(opened.__aenter__())
            engine.salt = "the same"
            yield World(runner.run, engine, clock)
            runner.run(opened.__aexit__(None, None, None))


def begin(found, scope, said):
    turns = [Turn(text=text, speaker="Ana", conversation="c1", key=f"k{n}", said_at=NOON) for n, text in enumerate(said)]
    found.call(found.engine, "ingest", {"scope": scope, "turns": turns})
    found.settle()


def lived(kind, surface, neighbours, steps, *, crowded, theirs=None):
    """What Ana is answered, verb by verb, and the ids of the first neighbour."""
    with world(kind, surface) as found:
        for scope in (ACME, NORTH):
            begin(found, scope, ABOVE)
        begin(found, ANA, SAID)
        for scope in neighbours if crowded else ():
            begin(found, scope, SAID)
        mine = found.ids(ANA)
        theirs = found.ids(neighbours[0]) if crowded else theirs
        own = found.acting(ANA) if surface.endswith("acting") else found.engine
        heard = []
        for number, (name, foreign) in enumerate(steps):
            found.clock.at = NOON + timedelta(minutes=number)
            for scope in neighbours if crowded and name not in UPWARDS else ():
                for ids in (mine, theirs):
                    found.call(found.acting(scope), name, of(ids, name, scope))
            found.settle()
            asked = of(theirs if foreign else mine, name, ANA)
            if name in {"restore", "transfer.restore"} and foreign and own is found.engine:
                continue  # records say where they belong, and without a credential nobody says otherwise
            heard.append((name, foreign, repr(found.call(own, name, asked))))
            found.settle()
        return heard, theirs


EVERY_VERB = [(name, foreign) for foreign in (False, True) for name in VERBS if name not in TEST_ENDS]
LAST = [(name, foreign) for name in sorted(TEST_ENDS) for foreign in (True, False)]
LOOK = [(name, False) for name in ("retrieve", "memories.list", "entities.list", "decisions.list", "stats", "export")]


def same_in_both(kind, surface, neighbours, steps):
    crowded, theirs = lived(kind, surface, neighbours, steps, crowded=True)
    alone, _ = lived(kind, surface, neighbours, steps, crowded=False, theirs=theirs)
    assert crowded == alone


@pytest.mark.parametrize("neighbours", NEIGHBOURS.values(), ids=NEIGHBOURS)
@pytest.mark.parametrize(
    ("kind", "surface"),
    [("memory", "engine"), ("memory", "acting"), ("memory", "sync"), ("memory", "sync acting"), ("sqlite", "acting")],
)
def test_every_verb_answers_as_if_there_were_no_neighbour(kind, surface, neighbours):
    same_in_both(kind, surface, neighbours, [*EVERY_VERB, *LOOK, *LAST, *LOOK])


def test_verbs_answer_on_a_server_as_if_there_were_no_neighbour(postgres):
    some = [(name, foreign) for name, foreign in EVERY_VERB if name.partition(".")[0] in {"get", "memories", "sharing", "keys"}]
    same_in_both(lambda: postgres.run(postgres.empty()), "acting", NEIGHBOURS["sibling user"], [*some, *LOOK])


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", NEIGHBOURS.values(), ids=NEIGHBOURS)
@pytest.mark.parametrize("surface", ["engine", "acting"])
def test_every_verb_answers_on_a_server_as_if_there_were_no_neighbour(postgres, surface, neighbours):
    same_in_both(lambda: postgres.run(postgres.empty()), surface, neighbours, [*EVERY_VERB, *LOOK, *LAST, *LOOK])


@pytest.mark.parametrize("neighbours", NEIGHBOURS.values(), ids=NEIGHBOURS)
@settings(max_examples=max(3, settings().max_examples // 10))
@given(st.lists(st.tuples(st.sampled_from(VERBS), st.booleans()), min_size=1, max_size=12))
def test_in_whatever_order_verbs_are_called_no_neighbour_is_heard(neighbours, steps):
    same_in_both("memory", "acting", neighbours, [*steps, *LOOK])


def test_every_verb_is_tried_for_all_it_can_name():
    assert CALLS.keys() == NEEDS.keys()
    assert {name for name, _ in [*EVERY_VERB, *LAST]} | NOBODYS == NEEDS.keys()
    assert registry().blocks == ()
    assert taught(None)
