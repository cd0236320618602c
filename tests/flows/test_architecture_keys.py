"""Keys of an architecture at work: languages, what a kind may hold of personal data, and the channels a kind is found by."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cases import opened

from muniment import Scope, Turn
from muniment.errors import InputError
from muniment.knowledge.values import MemoryFilter, Status
from muniment.testing import FixedClock, TableEmbedder

ANA = Scope(client="acme", user="ana")
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
EVERY = MemoryFilter(statuses=tuple(Status))


async def made(engine, rules, *texts, agent="desk"):
    await engine.architecture.apply(f"agent: {agent}\n{rules}")
    receipt = await engine.ingest(ANA, [Turn(text=text, speaker="Ana", said_at=NOON) for text in texts], agent=agent)
    await engine.work.wait()
    return receipt, list((await engine.memories.list(ANA, EVERY)).memories)


def engine_without_vectors():
    return opened("memory://", embedder=None, clock=FixedClock(NOON))


async def test_nothing_is_made_of_a_sentence_in_another_language_and_its_record_stays():
    told = "I live in Porto with my sister. Moro em Lisboa e o meu plano é o Pro. Меня зовут Анна, я живу в Москве."
    async with engine_without_vectors() as engine:
        receipt, memories = await made(engine, "languages: [pt]\n", told)
        assert all("Porto" not in memory.text for memory in memories)
        assert ("fact", "other_language") in await engine.work.refused(ANA)
        assert (await engine.get(ANA, receipt.ids[0])).text == told
    async with engine_without_vectors() as engine:
        _, memories = await made(engine, "", told)
        assert any("Porto" in memory.text for memory in memories)


async def test_what_no_list_tells_is_kept():
    async with engine_without_vectors() as engine:
        _, memories = await made(engine, "languages: [pt]\n", "My plan is Pro.")
        assert memories == []
        _, memories = await made(engine, "languages: [pt, pl]\n", "Our plan is Basic.", agent="other")
        assert [memory.value for memory in memories] == ["Basic"]


SAID = ("My email is ana@example.org.", "I decided to call Bob at +351 912 345 678 because he knows.", "I live in Porto.")


async def test_a_kind_masks_what_the_record_may_keep():
    rules = "kinds:\n  fact: {pii: {email: mask, phone: keep}}\n  decision: {pii: {phone: mask}}\n"
    async with engine_without_vectors() as engine:
        receipt, memories = await made(engine, rules, *SAID)
        texts = " ".join(f"{m.text} {m.value} {m.parts}" for m in memories)
        assert "ana@example.org" not in texts
        assert "912" not in texts
        assert "[email]" in texts
        assert "[phone]" in texts
        assert "Porto" in texts
        assert (await engine.get(ANA, receipt.ids[0])).text == SAID[0]
    async with engine_without_vectors() as engine:
        _, memories = await made(engine, "", *SAID)
        assert any("ana@example.org" in memory.text for memory in memories)


async def test_a_kind_refuses_what_the_record_may_keep_and_says_so():
    async with engine_without_vectors() as engine:
        _, memories = await made(engine, "kinds:\n  fact: {pii: {email: refuse}}\n", *SAID)
        assert [memory.value for memory in memories] == ["Porto"]
        assert (await engine.work.refused(ANA))["fact", "pii:email"] == 1


async def test_a_kind_cannot_undo_what_was_taken_out_before_it_was_known():
    async with engine_without_vectors() as engine:
        _, memories = await made(engine, "pii: {email: mask}\nkinds:\n  fact: {pii: {email: keep}}\n", SAID[0])
        assert "ana@example.org" not in " ".join(memory.text + memory.value for memory in memories)


async def test_a_masked_date_of_birth_is_in_no_event_either():
    async with engine_without_vectors() as engine:
        _, memories = await made(
            engine, "kinds:\n  fact: {pii: {birth_date: mask}}\n  event: {pii: {birth_date: mask}}\n", "I was born on 3 May 1990."
        )
        assert all(memory.event is None and "1990" not in memory.text + memory.value for memory in memories)


async def test_what_is_stated_by_hand_is_held_to_its_kind_too():
    async with engine_without_vectors() as engine:
        await made(engine, "kinds:\n  fact: {pii: {phone: mask, email: refuse}}\n")
        kept = await engine.memories.add(ANA, "Ana's phone is +351 912 345 678", agent="desk")
        assert "912" not in kept.memory.text
        with pytest.raises(InputError):
            await engine.memories.add(ANA, "Ana's e-mail is ana@example.org", agent="desk")


async def served(storage, question, *, vectors):
    """What a search serves of a fact that is kept by these channels, and whether list shows it all the same."""
    async with opened("memory://", embedder=TableEmbedder(dim=16) if vectors else None, clock=FixedClock(NOON)) as engine:
        _, [memory] = await made(engine, f"kinds:\n  fact: {{storage: {storage}}}\n", "My plan is Harbor Basic.")
        found = await engine.retrieve(ANA, question, agent="desk")
        assert [one.id for one in (await engine.memories.history(ANA, memory.id))] == [memory.id]
        return [one.value for hit in found for one in hit.memories], [hit.channels.get("memory", 0) for hit in found], memory


async def test_a_kind_of_no_channel_is_found_by_list_alone_and_lends_its_record_nothing():
    values, gains, memory = await served("[graph]", "Which plan is Ana on?", vectors=True)
    assert (values, memory.value) == ([], "Harbor Basic")
    assert set(gains) <= {0}
    values, gains, _ = await served("[lexical, graph]", "Which plan is Ana on?", vectors=True)
    assert values == ["Harbor Basic"]
    assert any(gains)


async def test_a_kind_found_by_meaning_alone_is_served_where_its_record_is_near_and_not_without_vectors():
    assert (await served("[vector]", "Which plan is Ana on?", vectors=False))[0] == []
    assert (await served("[vector]", "My plan is Harbor Basic.", vectors=True))[0] == ["Harbor Basic"]
    assert (await served("[lexical]", "Which plan is Ana on?", vectors=False))[0] == ["Harbor Basic"]


async def test_without_graph_a_memory_is_tied_to_no_entity():
    told = "Sarah Chen works at Harbor Ltd."
    async with engine_without_vectors() as engine:
        _, memories = await made(engine, "kinds:\n  fact: {storage: [lexical, vector]}\n", told)
        assert memories
        assert all((m.entities, m.subject_id, m.object_id) == ((), None, None) for m in memories)
    async with engine_without_vectors() as engine:
        _, memories = await made(engine, "", told)
        assert any(memory.entities for memory in memories)
