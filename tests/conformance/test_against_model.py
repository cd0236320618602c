"""Random lives of a store, each answer compared with a model that is too simple to be wrong, and with the other store's."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from muniment.testing.acts import MODEL, Act, Verb, perform
from muniment.testing.samples import sample_derive, sample_entries, sample_record
from muniment.testing.strategies import WORDS, acts
from muniment.types import Filter, Outcome, Scope

CLIENT = Scope(client="acme")
CUSTOMER = Scope(client="acme", customer="north")
ANA = Scope(client="acme", customer="north", user="ana")
BEN = Scope(client="acme", customer="north", user="ben")
RIVAL = Scope(client="rival", customer="north", user="ana")
SCOPES = st.sampled_from([CLIENT, CUSTOMER, ANA, BEN, RIVAL])

TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)
NAMES = st.none() | st.sampled_from(["c1", "c2"])
SPEAKERS = st.sampled_from(["Ana", "Ben"])


class Model:
    """The rows of every scope in a list, oldest first, and the keys beside them. Every answer is a loop over that list."""

    def __init__(self):
        self.rows = []
        self.keys = {}

    def put(self, record, key):
        bound = self.keys.get((record.scope, key)) if key else None
        if bound not in (None, record.id):
            return Outcome.REFUSED
        if key:
            self.keys[record.scope, key] = record.id
        for n, row in enumerate(self.rows):
            if (row.scope, row.id) == (record.scope, record.id):
                if bound is None:
                    self.rows[n] = replace(row, occurrences=row.occurrences + 1)
                return Outcome.UNCHANGED
        self.rows.append(record)
        return Outcome.STORED

    def erase(self, meant):
        gone = [row for row in self.rows if meant(row)]
        self.rows = [row for row in self.rows if not meant(row)]
        dead = {(row.scope, row.id) for row in gone}
        self.keys = {place: i for place, i in self.keys.items() if (place[0], i) not in dead}
        return gone

    def at(self, scope):
        return [row for row in self.rows if row.scope == scope]

    def seen_from(self, scope):
        return [row for place in scope.lineage for row in self.at(place)]


def plain(records):
    """Records without the place a store gave them; that places rise is asserted apart."""
    return [replace(record, seq=0) for record in records]


class LifeOfAStore(RuleBasedStateMachine):
    """One store beside the model. `opener` is set by the test."""

    opener = None

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.store = self.runner.run(type(self).opener(Path(self.folder.name)))
        self.runner.run(self.store.adopt(MODEL))
        self.model = Model()

    def teardown(self):
        self.runner.run(self.store.close())
        self.runner.close()
        self.folder.cleanup()

    def do(self, verb, scope, **rest):
        return self.runner.run(perform(self.store, Act(verb=verb, scope=scope, **rest)))

    @rule(scope=SCOPES, texts=TEXTS, key=st.none() | st.sampled_from(["k1", "k2"]), conversation=NAMES, speaker=SPEAKERS)
    def put(self, scope, texts, key, conversation, speaker):
        written = self.do(Verb.PUT, scope, texts=tuple(texts), key=key, conversation=conversation, speaker=speaker)
        records = [sample_record(scope, text, conversation=conversation, speaker=speaker) for text in texts]
        assert [item.outcome for item in written] == [self.model.put(record, key) for record in records]
        assert [item.id for item in written] == [record.id for record in records]

    @rule(scope=SCOPES, of=SCOPES, texts=st.lists(st.sampled_from(WORDS), unique=True))
    def get(self, scope, of, texts):
        kept = self.do(Verb.GET, scope, texts=tuple(texts), of=of)
        visible = {(row.scope, row.text): row for row in self.model.seen_from(scope)}
        assert plain(kept) == [visible[of, text] for text in texts if (of, text) in visible]

    @rule(scope=SCOPES, conversation=NAMES, speaker=st.none() | SPEAKERS, limit=st.integers(1, 4))
    def walk(self, scope, conversation, speaker, limit):
        pages = self.do(Verb.WALK, scope, where=Filter(conversation=conversation, speaker=speaker), limit=limit)
        passing = [r for r in self.model.at(scope) if conversation in (None, r.conversation) and speaker in (None, r.speaker)]
        assert plain(r for page in pages for r in page.records) == passing[::-1]
        assert all(len(page.records) == limit for page in pages[:-1])

    @rule(scope=SCOPES, texts=TEXTS)
    def erase_by_id(self, scope, texts):
        receipt = self.do(Verb.ERASE, scope, texts=tuple(texts))
        self.erased(receipt, self.model.erase(lambda row: row.scope == scope and row.text in texts))

    @rule(scope=SCOPES, conversation=st.sampled_from(["c1", "c2"]))
    def erase_a_conversation(self, scope, conversation):
        receipt = self.do(Verb.ERASE, scope, conversation=conversation)
        self.erased(receipt, self.model.erase(lambda row: row.scope == scope and row.conversation == conversation))

    @rule(scope=SCOPES)
    def erase_all_below(self, scope):
        self.erased(self.do(Verb.ERASE_ALL, scope), self.model.erase(lambda row: scope.covers(row.scope)))

    def erased(self, receipt, gone):
        assert receipt.records == len(gone)
        assert set(receipt.scopes) == {row.scope for row in gone}

    @rule(scope=SCOPES)
    def search(self, scope):
        shelves, records, lost = self.do(Verb.SEARCH, scope)
        visible = [row for row in self.model.seen_from(scope) if sample_entries(row.text)]
        assert plain(records) == visible
        assert lost == ()
        assert [shelf[0] for shelf in shelves] == list(dict.fromkeys(row.scope for row in visible))
        terms = b"".join(shelf[3][1][2] for shelf in shelves)
        assert terms == b"".join(entry.terms.tobytes() for row in visible for entry in sample_entries(row.text))

    @rule(scope=SCOPES)
    def count(self, scope):
        stats = self.do(Verb.STATS, scope)
        rows = [row for row in self.model.rows if scope.covers(row.scope)]
        entries = sum(len(sample_entries(row.text)) for row in rows)
        talks = {(row.scope, row.conversation) for row in rows if row.conversation}
        assert (stats.records, stats.entries, stats.vectors) == (len(rows), entries, entries)
        assert (stats.conversations, stats.scopes) == (len(talks), len({row.scope for row in rows}))

    @rule()
    def rebuild(self):
        entries = sum(len(sample_entries(row.text)) for row in self.model.rows)
        assert self.runner.run(self.store.reindex(sample_derive, MODEL)) == entries
        assert all(finding.ok for finding in self.runner.run(self.store.check(sample_derive)))

    @invariant()
    def places_rise_with_arrival(self):
        async def kept():
            return [record async for record in self.store.scan(None)]

        scanned = self.runner.run(kept())
        for scope in {record.scope for record in scanned}:
            mine = [record for record in scanned if record.scope == scope]
            assert plain(mine) == self.model.at(scope)
            places = [record.seq for record in mine]
            assert places == sorted(set(places))


def test_a_store_lives_like_the_model(open_store):
    machine = type("Life", (LifeOfAStore,), {"opener": staticmethod(open_store)})
    run_state_machine_as_test(machine, settings=settings(max_examples=settings().max_examples // 2, stateful_step_count=25))


async def life(opener, trace):
    with tempfile.TemporaryDirectory() as folder:
        store = await opener(Path(folder))
        await store.adopt(MODEL)
        answers = [own_words(await perform(store, act)) for act in trace]
        await store.close()
    return answers


def own_words(answer):
    """An answer without what each store tells in its own way: names of its tables, bytes, and what is left of erased ones."""
    for field, blank in (("removed", {}), ("bytes", 0), ("clean", True), ("notes", ())):
        if hasattr(answer, field):
            answer = replace(answer, **{field: blank})
    return answer


@given(st.lists(acts(SCOPES, of=SCOPES), min_size=1, max_size=20))
def test_the_same_calls_get_the_same_answers_from_every_store(open_each, trace):
    first, *others = [asyncio.run(life(opener, trace)) for opener in open_each.values()]
    for other in others:
        assert other == first
