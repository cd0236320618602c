"""Public cases of kind E: updates and contradictions, and what was true before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from cases import ANA, BEN, EVERY, NOON, known, learn, lines, modelled, opened, texts

from muniment import Turn
from muniment.errors import NotFound, QueryError
from muniment.knowledge.architecture import Mode
from muniment.knowledge.values import MemoryFilter, Status
from muniment.testing import FixedClock, ScriptedAnswers
from muniment.testing.answers import memories, remembered


@pytest.fixture
def clock():
    return FixedClock(NOON)


@pytest.fixture
async def engine(url, clock):
    async with opened(url, clock=clock) as found:
        yield found


def said(text, year, month=5):
    """A turn said on the first of a month."""
    return Turn(text=text, said_at=datetime(year, month, 1, tzinfo=UTC))


async def test_E01_love_then_hate_leaves_hate_current_and_love_in_history(engine):
    (now,) = await learn(engine, ANA, "I love Chinese food", "I hate Chinese food")
    assert now.value == "hates"
    old, new = await engine.memories.history(ANA, now.id)
    assert (old.value, old.status, old.replaced_by, new.id) == ("loves", Status.SUPERSEDED, now.id, now.id)


async def test_E02_an_old_string_from_a_model_does_not_keep_the_new_fact_out(url):
    old = remembered(1, "I live in Lisbon", "user lives in Lisbon", attribute="lives_in", value="Lisbon")
    async with opened(url, embedder=None) as engine:
        intake, work = modelled(engine, ScriptedAnswers(memories(old), memories(old)), mode=Mode.BOTH)
        for text in ("I live in Lisbon.", "I moved to Porto."):
            await intake.ingest(ANA, [text], agent="default", conversation=None)
            await work.wait()
        assert [memory.value for memory in await known(engine, ANA)] == ["Porto"]
        assert len(await known(engine, ANA, EVERY)) == 2
        await work.close()


async def test_E03_recall_answers_with_what_holds_and_an_earlier_day_with_what_held(engine):
    await learn(
        engine, ANA, said("My favourite food is pasta.", 2025), said("On a diet, my favourite food is salad now.", 2026, 2)
    )
    (now,) = await known(engine, ANA, MemoryFilter(attribute="favourite:food"))
    assert now.value.startswith("salad")
    best = (await engine.retrieve(ANA, "what is my favourite food?")).hits[0]
    assert "salad" in best.record.text
    assert not best.superseded
    before = MemoryFilter(attribute="favourite:food", valid_at=datetime(2025, 9, 1, tzinfo=UTC))
    assert [memory.value for memory in await known(engine, ANA, before)] == ["pasta"]


async def test_E05_an_update_of_the_text_keeps_metadata_and_first_day_and_moves_the_day_of_writing(engine, clock):
    added = await engine.memories.add(ANA, "user sings in a choir", metadata={"category": "hobby", "source": "chat"})
    clock.advance(timedelta(days=3))
    done = await engine.memories.update(ANA, added.memory.id, "user sings in the harbour choir")
    (now,) = await known(engine, ANA)
    assert now.id == done.memory.id
    assert now.metadata == {"category": "hobby", "source": "chat"}
    assert now.valid_from == added.memory.valid_from
    assert now.recorded_at == NOON + timedelta(days=3)
    assert done.replaced == (added.memory.id,)
    assert (await engine.memories.update(ANA, now.id, now.text)).unchanged


async def test_E06_a_correction_by_query_replaces_the_one_it_means_and_names_it(engine):
    (stack,) = await learn(engine, ANA, "Our stack is FastAPI and Postgres.")
    await learn(engine, ANA, "I have a dog called Rex.")
    done = await engine.memories.correct(ANA, "stack", "Our stack is FastAPI and MySQL.")
    assert done.replaced == (stack.id,)
    current = lines(await known(engine, ANA))
    assert "Our stack is FastAPI and MySQL." in current
    assert stack.text not in current
    assert any("dog" in text for text in current)
    hits = (await engine.retrieve(ANA, "which stack do we use?")).hits
    assert hits[0].record.text == "Our stack is FastAPI and MySQL."
    assert [hit.superseded for hit in hits if "Postgres" in hit.record.text] == [True]


async def test_E06_a_query_that_means_none_or_several_changes_nothing_and_says_which(engine):
    first = await engine.memories.add(ANA, "user rents a boat in Porto")
    second = await engine.memories.add(ANA, "user rents a flat in Porto")
    for query, code in (("rents Porto", "ambiguous"), ("zebra", "no_match")):
        with pytest.raises(QueryError) as caught:
            await engine.memories.correct(ANA, query, "user rents a shed")
        assert caught.value.reason == code
    with pytest.raises(QueryError) as caught:
        await engine.memories.correct(ANA, "rents Porto", "user rents a shed")
    assert first.memory.id in caught.value.hint
    assert second.memory.id in caught.value.hint
    assert len(await known(engine, ANA, EVERY)) == 2


async def test_E07_the_ids_that_recall_shows_are_those_that_are_taken(engine):
    await learn(engine, ANA, "I live in Porto.", "I have a dog called Rex.")
    hit = (await engine.retrieve(ANA, "where do I live?")).hits[0]
    taken = await engine.memories.retract(ANA, hit.memories[0].id)
    assert taken.memory.status is Status.RETRACTED
    assert (await engine.forget(ANA, ids=[hit.record.id])).records == 1
    assert lines(await known(engine, ANA, EVERY)) == ["user has a dog called Rex"]
    with pytest.raises(NotFound):
        await engine.memories.get(ANA, hit.memories[0].id)


async def test_E09_E10_after_an_update_the_old_words_find_no_current_memory(engine):
    added = await engine.memories.add(ANA, "user rides a zany zebra")
    await engine.memories.update(ANA, added.memory.id, "user walks two dogs")
    assert await known(engine, ANA, MemoryFilter(text="zebra")) == ()
    assert lines(await known(engine, ANA, MemoryFilter(text="dogs"))) == ["user walks two dogs"]
    for hit in await engine.retrieve(ANA, "zany zebra"):
        assert hit.superseded == ("zebra" in hit.record.text)
    (best, *_) = (await engine.retrieve(ANA, "two dogs")).hits
    assert (best.record.text, best.superseded) == ("user walks two dogs", False)
    await engine.forget(ANA, ids=[added.memory.evidence[0].record])
    assert texts(await engine.retrieve(ANA, "zany zebra")) != ["user rides a zany zebra"]


async def test_E11_a_change_that_is_told_changes_what_is_stored(engine):
    await learn(engine, ANA, "Ben works at P Corp.", "Ben moved to company Q.")
    (now,) = await known(engine, ANA, MemoryFilter(attribute="works_at"))
    assert (now.subject, now.value) == ("Ben", "Q")
    old = [memory for memory in await known(engine, ANA, EVERY) if memory.status is Status.SUPERSEDED]
    assert [memory.value for memory in old] == ["P Corp"]


HOMES = [said("I live in Lisbon.", 2023), said("I moved to Porto.", 2024), said("I moved to Faro.", 2025)]


async def test_E13_what_was_replaced_twice_is_still_there_with_its_days(engine):
    (now,) = await learn(engine, ANA, *HOMES)
    chain = await engine.memories.history(ANA, now.id)
    assert [memory.value for memory in chain] == ["Lisbon", "Porto", "Faro"]
    assert [memory.valid_to for memory in chain] == [memory.valid_from for memory in chain[1:]] + [None]
    for year, home in ((2023, "Lisbon"), (2024, "Porto"), (2025, "Faro")):
        where = MemoryFilter(attribute="lives_in", valid_at=datetime(year, 9, 1, tzinfo=UTC))
        assert [memory.value for memory in await known(engine, ANA, where)] == [home]
    assert await known(engine, ANA, MemoryFilter(valid_at=datetime(2020, 1, 1, tzinfo=UTC))) == ()
    hits = (await engine.retrieve(ANA, "where did I live in 2024?")).hits
    (porto,) = [hit for hit in hits if hit.record.text == "I moved to Porto."]
    assert porto.superseded
    assert (porto.memories[0].valid_from.year, porto.memories[0].valid_to.year) == (2024, 2025)


async def test_E13_the_two_clocks_tell_what_held_from_what_was_known(engine, clock):
    await learn(engine, ANA, said("I live in Lisbon.", 2023))
    clock.advance(timedelta(days=10))
    await learn(engine, ANA, said("I moved to Porto.", 2024))
    summer = datetime(2025, 7, 1, tzinfo=UTC)
    for day, home in ((1, "Lisbon"), (11, "Porto")):
        where = MemoryFilter(attribute="lives_in", valid_at=summer, known_at=NOON + timedelta(days=day))
        assert [memory.value for memory in await known(engine, ANA, where)] == [home]
    spring = MemoryFilter(attribute="lives_in", valid_at=datetime(2023, 9, 1, tzinfo=UTC), known_at=NOON + timedelta(days=11))
    assert [memory.value for memory in await known(engine, ANA, spring)] == ["Lisbon"]
    assert [memory.value for memory in await known(engine, ANA, MemoryFilter(known_at=NOON + timedelta(days=1)))] == ["Lisbon"]
    assert await known(engine, ANA, MemoryFilter(known_at=NOON - timedelta(days=1))) == ()


async def test_E13_an_older_home_that_is_told_late_becomes_history(engine):
    await learn(engine, ANA, HOMES[2])
    (now,) = await learn(engine, ANA, HOMES[0], HOMES[1])
    assert now.value == "Faro"
    where = MemoryFilter(attribute="lives_in", valid_at=datetime(2024, 9, 1, tzinfo=UTC))
    assert [memory.value for memory in await known(engine, ANA, where)] == ["Porto"]


async def test_what_was_replaced_can_be_restored_and_what_replaced_it_is_taken_back(engine):
    (now,) = await learn(engine, ANA, *HOMES)
    porto = (await engine.memories.history(ANA, now.id))[1]
    done = await engine.memories.restore(ANA, porto.id)
    assert done.replaced == (now.id,)
    assert [memory.value for memory in await known(engine, ANA)] == ["Porto"]
    assert (await engine.memories.get(ANA, now.id)).status is Status.RETRACTED
    assert (await engine.memories.restore(ANA, porto.id)).unchanged
    with pytest.raises(NotFound):
        await engine.memories.restore(BEN, now.id)


async def test_what_a_hand_took_back_is_not_learned_again_from_the_same_words(engine):
    (home,) = await learn(engine, ANA, "I live in Porto.")
    await engine.memories.retract(ANA, home.id)
    await engine.work.rederive(ANA)
    await engine.work.wait()
    assert await known(engine, ANA) == ()


@pytest.mark.parametrize("words", ["I no longer live in Porto.", "I was wrong about Porto, I never lived in Porto."])
async def test_what_a_user_takes_back_holds_no_more(engine, words):
    await learn(engine, ANA, "I live in Porto.", "I have a dog called Rex.")
    current = await learn(engine, ANA, words)
    assert not [memory for memory in current if memory.value == "Porto" and not memory.negated]
    assert [memory.value for memory in current if "Rex" in memory.text]
