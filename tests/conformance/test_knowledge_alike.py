"""Random lives of what is derived from records: both stores give the same answers, and nothing outlives what proves it."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from muniment.knowledge.values import Entity, Memory
from muniment.testing.acts import MODEL, Act, Verb, perform
from muniment.testing.samples import sample_derive, sample_record
from muniment.testing.strategies import WORDS, acts
from muniment.types import Erasure, Scope, Stats

CUSTOMER = Scope(client="acme", customer="north")
ANA = Scope(client="acme", customer="north", user="ana")
RIVAL = Scope(client="rival", customer="north", user="ana")
SCOPES = st.sampled_from([CUSTOMER, ANA, RIVAL])

DERIVED = [Verb.SETTLE, Verb.END, Verb.FAIL, Verb.REQUEUE, Verb.PURGE, Verb.RECALLED, Verb.BESIDE]
READ = [Verb.MEMORIES, Verb.ENTITIES, Verb.PROVED, Verb.OPEN]


def alike(answer):
    """An answer without what each store tells in its own way."""
    if isinstance(answer, Erasure):
        answer = replace(answer, clean=True, notes=())
        return replace(answer, removed={table: n for table, n in answer.removed.items() if table not in ("label", "scope")})
    return replace(answer, bytes=0) if isinstance(answer, Stats) else answer


class LifeOfKnowledge(RuleBasedStateMachine):
    """Both stores, given the same calls."""

    openers = None

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.stores = [self.runner.run(opener(Path(self.folder.name))) for opener in self.openers.values()]
        self.fences = [(ANA, 1)]
        for store in self.stores:
            self.runner.run(store.adopt(MODEL))

    def teardown(self):
        for store in self.stores:
            self.runner.run(store.close())
        self.runner.close()
        self.folder.cleanup()

    def do(self, act):
        first, *others = [alike(self.runner.run(perform(store, act))) for store in self.stores]
        for other in others:
            assert other == first
        return first

    @rule(act=acts(SCOPES), verb=st.sampled_from([Verb.PUT, *DERIVED, *READ]))
    def act(self, act, verb):
        self.do(replace(act, verb=verb))

    @rule(act=acts(SCOPES))
    def claim(self, act):
        claims = self.do(replace(act, verb=Verb.CLAIM))
        assert len({claim.scope for claim in claims}) <= 1
        self.fences += [(claims[0].scope, claims[0].fence)] if claims else []

    @rule(act=acts(SCOPES), data=st.data(), verb=st.sampled_from([Verb.END, Verb.FAIL]))
    def end_a_claim(self, act, data, verb):
        scope, fence = data.draw(st.sampled_from(self.fences))
        self.do(replace(act, verb=verb, scope=scope, of=None, fence=fence))

    @rule(act=acts(SCOPES), verb=st.sampled_from([Verb.ERASE, Verb.ERASE, Verb.ERASE_ALL]))
    def erase(self, act, verb):
        self.do(replace(act, verb=verb))

    @invariant()
    def nothing_outlives_what_proves_it(self):
        for scope in (CUSTOMER, ANA, RIVAL):
            records = {record.id for record in self.do(Act(verb=Verb.SCAN, scope=scope)) if record.scope == scope}
            kept = [one for one in self.do(Act(verb=Verb.KNOWLEDGE, scope=scope)) if one.scope == scope]
            ids = {one.id for one in kept}
            for one in kept:
                if isinstance(one, Memory):
                    assert {e.record for e in one.evidence} <= records
                    assert one.evidence
                    assert one.text in {word for word in WORDS if sample_record(scope, word).id in records}
                    assert {*one.replaces, *one.entities} <= ids
                elif isinstance(one, Entity):
                    assert {e.record for alias in one.aliases for e in alias.evidence} <= records
                    assert one.aliases
                else:
                    assert {one.kept, one.other} <= ids
        for store in self.stores:
            assert [finding for finding in self.runner.run(store.check(sample_derive)) if not finding.ok] == []


def test_both_stores_live_alike(open_each):
    machine = type("Alike", (LifeOfKnowledge,), {"openers": open_each})
    run_state_machine_as_test(machine, settings=settings(max_examples=settings().max_examples // 2, stateful_step_count=30))
