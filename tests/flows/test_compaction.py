"""A long conversation in a prompt: the latest turns word for word, older parts shortened and verified, nothing gone unnamed."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import apsw
import pytest

import muniment
from muniment import Scope
from muniment.errors import NotFound, QueryError, ScopeError, StoreReadOnly
from muniment.knowledge.digests import ClaimFate
from muniment.stores.memory import MemoryStore
from muniment.testing import CountingTokens, FixedClock

ANA = Scope(client="acme", customer="north", user="ana")
BEN = Scope(client="acme", customer="north", user="ben")
TALK = "trip"
USUAL = {"embedder": None, "tokens": CountingTokens(), "clock": FixedClock()}
SMALL_TALK = "Well, it was nice to talk about the weather and the sea again, as we always do when we meet here."
TOPICS = ("ferry", "hotel", "museum", "bakery", "garden", "market", "harbour", "castle", "library", "cinema")


def spoken(many):
    """So many pairs of turns; each tells a price nobody else tells, among words that tell nothing."""
    for n in range(many):
        topic = TOPICS[n % len(TOPICS)]
        yield {"role": "user", "content": f"{SMALL_TALK} The {topic} {n} costs {1000 + n} euros. {SMALL_TALK}"}
        yield {"role": "assistant", "content": f"I see, and I like to hear it. {SMALL_TALK}"}


async def told(engine, many=40, scope=ANA):
    await engine.ingest(scope, list(spoken(many)), conversation=TALK)


async def asked(engine, message="And what now?", budget=1200, scope=ANA, **more):
    return (await engine.assemble(scope, message, budget=budget, conversation=TALK, **more)).compilation


def past(made):
    """The parts of a prompt that are shortened."""
    return [name for name in made.names if name.startswith("turns ")]


async def test_older_turns_are_shortened_and_the_latest_stay_word_for_word(engine):
    await told(engine)
    made = await asked(engine)
    assert made.tokens <= 1200
    assert past(made)
    assert f"The cinema 39 costs 1039 euros. {SMALL_TALK}" in made.text
    shown = [block for block in made.blocks if block.name in past(made)]
    assert all("euros" in block.text for block in shown)
    assert sum(block.text.count(SMALL_TALK) for block in shown) <= len(shown)
    assert all(block.trust is muniment.Trust.UNTRUSTED for block in shown)


async def test_a_short_conversation_is_left_alone(engine):
    await told(engine, 3)
    made = await asked(engine, budget=2000)
    assert past(made) == []
    assert await engine.digests.list(ANA, TALK) == ()


async def test_memory_that_fills_the_prompt_leaves_shortened_parts_their_room():
    said = [f"The hotel of day {n} costs {90 + n} euros, and the weather was fine." for n in range(90)]
    async with muniment.open("memory://", embedder=None, tokens="estimate") as engine:
        await engine.ingest(ANA, said, conversation=TALK)
        made = await asked(engine, "What did the hotel of day 1 cost?", budget=900)
    assert past(made)
    assert not [row.name for row in made.left_out if row.name.startswith("turns ") and " to " in row.name]


async def test_what_is_not_shown_is_named(engine):
    await told(engine)
    made = await asked(engine, budget=700)
    first = int(past(made)[0].split()[1])
    assert [row.name for row in made.left_out if row.name.startswith("turns before")] == [f"turns before {first}"]


async def test_what_was_shortened_away_comes_back_word_for_word_when_it_is_asked_for(engine):
    await told(engine)
    question = "What did the hotel 1 cost?"
    made = await asked(engine, question)
    assert "1001 euros" in made.text
    assert any(name.startswith("excerpt ") for name in made.names)


async def test_the_same_conversation_gives_the_same_prompt_and_digests_are_made_once(engine):
    await told(engine)
    await engine.work.wait()
    first = await asked(engine)
    kept = await engine.digests.list(ANA, TALK, versions=True)
    assert (await asked(engine)).text == first.text
    assert await engine.digests.list(ANA, TALK, versions=True) == kept


async def test_from_turn_to_turn_the_front_of_the_prompt_stays(engine):
    fronts = []
    turns = list(spoken(30))
    for n in range(0, len(turns), 2):
        await engine.ingest(ANA, turns[n : n + 2], conversation=TALK)
        fronts.append(tuple(past(await asked(engine))))
    moved = sum(one != other for one, other in pairwise(fronts))
    assert fronts[-1]
    assert moved <= len(fronts) / 2


async def test_every_digest_that_is_kept_was_verified(engine):
    await told(engine)
    await asked(engine)
    kept = await engine.digests.list(ANA, TALK, versions=True)
    assert kept
    for one in kept:
        assert one.passed
        assert one.claims
        assert one.tokens < one.source_tokens


async def test_older_parts_are_made_shorter_as_new_versions_and_the_first_are_still_there(engine):
    await told(engine, 60)
    for _ in range(3):
        await asked(engine)
    newest = {one.first: one for one in await engine.digests.list(ANA, TALK)}
    every = await engine.digests.list(ANA, TALK, versions=True)
    assert {one.level for one in newest.values()} == {"aggressive", "balanced"}
    assert {one.version for one in every} == {1, 2}
    assert all(newest[one.first].tokens <= one.tokens for one in every)


async def test_a_digest_goes_with_a_record_that_is_forgotten_and_is_made_anew_without_it(engine):
    await told(engine)
    await engine.work.wait()
    layout = await engine.digests.keep_up(ANA, TALK, budget=1200)
    gone = next(one for one in layout if "1030 euros" in one.text)
    record = next(span.record for claim in gone.claims if "1030" in claim.claim.text for span in claim.claim.spans)
    erased = await engine.forget(ANA, ids=[record])
    assert erased.removed["digest"] >= 1
    assert gone.first not in {one.first for one in await engine.digests.list(ANA, TALK)}
    after = await engine.digests.keep_up(ANA, TALK, budget=1200)
    assert after
    assert not any("1030 euros" in one.text for one in after)
    assert "1030 euros" not in (await asked(engine)).text


async def test_an_architecture_turns_it_off_or_says_how(engine):
    await told(engine)
    await engine.architecture.apply("compaction: {strategy: off}\n")
    assert past(await asked(engine)) == []
    await engine.architecture.apply(
        "agent: brief\ncompaction: {strategy: aggressive, share: 0.2, keep_turns: 1, threshold: 0.5}\n"
    )
    brief = await asked(engine, agent="brief")
    assert past(brief)
    assert {one.threshold for one in await engine.digests.list(ANA, TALK, agent="brief")} == {0.5}
    assert await engine.digests.list(ANA, TALK) == ()


async def test_a_call_stays_with_its_result_when_it_is_shortened(engine):
    call = {"id": "c1", "type": "function", "function": {"name": "price", "arguments": '{"of": "lantern"}'}}
    turns = [
        {"role": "user", "content": "What is the price of the lantern?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"price": 77, "currency": "EUR"}'},
        *spoken(40),
    ]
    await engine.ingest(ANA, turns, conversation=TALK)
    digest = await engine.digests.make(ANA, TALK, level="conservative")
    told_of = [one for one in digest.claims if one.claim.kind.value == "tool"]
    assert told_of
    for one in told_of:
        if one.fate is ClaimFate.KEPT:
            assert "price: 77" in digest.text
            assert "lantern" in digest.text


async def test_a_digest_on_demand_is_of_the_whole_conversation_and_leads_back_to_the_records(engine):
    await told(engine, 10)
    digest = await engine.digests.make(ANA, TALK, level="balanced")
    assert digest.tokens <= 0.5 * digest.source_tokens
    assert (digest.scope, digest.conversation, len(digest.records)) == (ANA, TALK, 20)
    assert await engine.digests.list(ANA, TALK) == ()
    claim = next(one.claim for one in digest.claims if "1004" in one.claim.value)
    (excerpt, *_) = await engine.digests.expand(ANA, claim)
    assert "1004 euros" in excerpt.text
    assert excerpt.text in excerpt.record.text


async def test_what_is_pinned_stays_word_for_word_whatever_the_target(engine):
    await told(engine, 10)
    (record, *_) = (await engine.list(ANA, limit=2)).records[1:]
    digest = await engine.digests.make(ANA, TALK, target=5, pinned=[record.id])
    assert record.text in [line.text for line in digest.lines]
    assert digest.over
    assert any("tokens" in note for note in digest.verification.notes)


async def test_what_cannot_be_asked_is_refused(engine):
    await told(engine, 2)
    for wrong in ({"level": "tiny"}, {"form": "poem"}, {"target": -1}):
        with pytest.raises(QueryError):
            await engine.digests.make(ANA, TALK, **wrong)
    for missing in ({"conversation": "no talk"}, {"conversation": TALK, "pinned": ["no record"]}):
        with pytest.raises(NotFound):
            await engine.digests.make(ANA, **missing)
    with pytest.raises(ScopeError):
        await engine.digests.make(ANA, "a/b")
    with pytest.raises(QueryError):
        await engine.digests.keep_up(ANA, TALK, budget=0)
    with pytest.raises(QueryError):
        await engine.digests.list(ANA, TALK, limit=0)


async def test_another_scope_finds_neither_conversation_nor_digest_nor_claim(engine):
    await told(engine)
    await asked(engine)
    (kept, *_) = await engine.digests.list(ANA, TALK)
    assert await engine.digests.list(BEN, TALK) == ()
    for scope in (BEN, Scope(client="acme", customer="north")):
        with pytest.raises(NotFound):
            await engine.digests.make(scope, TALK)
        with pytest.raises(NotFound):
            await engine.digests.expand(scope, kept.claims[0].claim)
        assert past(await asked(engine, scope=scope)) == []


async def test_several_prompts_at_once_are_the_same(engine):
    await told(engine)
    made = await asyncio.gather(*(asked(engine) for _ in range(4)))
    assert len({one.text for one in made}) == 1


class Unwritable(MemoryStore):
    """A store that takes no digests."""

    async def keep_digest(self, digest):
        raise StoreReadOnly("this store is open for reading only.")


async def test_a_store_that_takes_no_writes_still_gives_a_shortened_history():
    async with muniment.open("memory://", **USUAL) as engine:
        await told(engine)
        usual = await asked(engine)
        engine.digests.store = store = Unwritable()
        store._rows = engine.store._rows
        engine.store._rows.shared.digests.clear()
        assert (await asked(engine)).names == usual.names


async def test_a_turn_that_cannot_be_read_is_named_and_the_rest_is_shortened(tmp_path):
    path = tmp_path / "agent.db"
    async with muniment.open(f"sqlite:///{path}", **USUAL) as engine:
        await told(engine)
        await engine.work.wait()
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE record SET text = 'damaged' WHERE text LIKE '%1034 euros%'")
    connection.close()
    async with muniment.open(f"sqlite:///{path}", **USUAL) as engine:
        made = await asked(engine)
    assert [row.name for row in made.receipt if row.fate is muniment.Fate.UNREADABLE] == ["turn 69"]
    assert any(int(name.split()[1]) < 69 < int(name.split()[3]) for name in past(made))
    assert "1034 euros" not in made.text


async def test_the_work_per_turn_does_not_grow_with_the_conversation():
    reads = []

    class Counting(MemoryStore):
        async def page(self, scope, where, *, limit, before=None):
            page = await super().page(scope, where, limit=limit, before=before)
            reads.append(len(page.records))
            return page

    async with muniment.open("memory://", **USUAL) as engine:
        engine.digests.store = store = Counting()
        store._rows = engine.store._rows
        per_turn = []
        for turn in range(300):
            pair = [replace_numbers(one, turn) for one in spoken(1)]
            await engine.ingest(ANA, pair, conversation=TALK)
            reads.clear()
            await engine.digests.keep_up(ANA, TALK, budget=800)
            per_turn.append(sum(reads))
        assert max(per_turn[200:]) <= 2 * max(per_turn[80:180])


def replace_numbers(turn, number):
    return {**turn, "content": turn["content"].replace("1000", str(1000 + number)).replace("ferry 0", f"ferry {number}")}


def test_the_same_without_an_event_loop():
    with muniment.sync.open("memory://", **USUAL) as engine:
        engine.ingest(ANA, list(spoken(20)), conversation=TALK)
        assert engine.digests.make(ANA, TALK).passed
        kept = engine.digests.keep_up(ANA, TALK, budget=800)
        assert kept
        assert all(one in engine.digests.list(ANA, TALK) for one in kept)


class Vanishing(MemoryStore):
    """A store where a record of every part is forgotten while its digest is made."""

    async def keep_digest(self, digest):
        return None


async def test_a_digest_whose_record_went_meanwhile_is_not_shown_and_what_is_not_shown_is_named():
    async with muniment.open("memory://", **USUAL) as engine:
        await told(engine)
        before = await engine.digests.keep_up(ANA, TALK, budget=1200)
        engine.digests.store = store = Vanishing()
        store._rows = engine.store._rows
        await engine.ingest(ANA, [{"role": "user", "content": f"More {n}: {SMALL_TALK}"} for n in range(9)], conversation=TALK)
        made = await asked(engine)
        assert set(past(made)) <= {f"turns {one.first} to {one.last}" for one in before}
        assert any(row.name.startswith("turns before") for row in made.left_out)
