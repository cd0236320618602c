"""Memories and entities as they are read: by id, by page, by what proves them, and by whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from muniment.errors import QueryError
from muniment.knowledge.keys import statement_digest
from muniment.knowledge.values import (
    Changes,
    Known,
    Link,
    MemoryFilter,
    MemoryId,
    Merge,
    Modality,
    Status,
    Wanted,
)
from muniment.ports import Store
from muniment.testing.conformance.base import ANA, BEN, CLIENT, CUSTOMER, STRANGERS, StoreUnderTest, fill
from muniment.testing.conformance.settling import ALL, HOUR, at, known_for, learn, texts_shown
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_entity, sample_evidence, sample_memory
from muniment.types import Precision, RecordId, Scope, Trust, When


class MemoriesConformance(StoreUnderTest):
    """Reading what was settled."""

    async def test_a_memory_comes_back_as_it_was_given(self, store: Store) -> None:
        await fill(store, ANA, "one", "two")
        whole = sample_memory(
            ANA,
            "one",
            "two",
            subject_id="e1",
            attribute="lives_in",
            value="Porto",
            object_id="e2",
            entities=("e1", "e2"),
            negated=True,
            modality=Modality.PLANNED,
            speaker="Ana",
            event=When(since=NOON, until=None, precision=Precision.DAY, words="daily", recurrence="FREQ=DAILY", assumed=True),
            said_at=NOON,
            valid_from=NOON - HOUR,
            valid_to=NOON + HOUR,
            retired_at=NOON,
            status=Status.SUPERSEDED,
            replaced_by=MemoryId("m9"),
            replaces=(MemoryId("m8"),),
            links=(Link(relation="because_of", memory=MemoryId("m7")),),
            parts={"rationale": ("cheap", "near")},
            confidence=0.75,
            trust=Trust.UNTRUSTED,
            conversation="c1",
            architecture="default@3",
            extractor="rules",
            metadata={"colour": "blue"},
            expires_at=NOON + 9 * HOUR,
            recalled=3,
            recalled_at=NOON,
        )
        entity = sample_entity(ANA, {"Ana": ["one", "two"], "安娜": ["two"]}, kind="person", trust=Trust.UNTRUSTED)
        written = await learn(store, ANA, whole, entities=(entity,))
        assert list(written.memories) == list(await store.memory(ANA, [whole.id])) == [replace(whole, seq=1)]
        page = await store.entities(ANA, limit=5)
        assert list(page.entities) == list(written.entities) == [replace(entity, seq=1)]

    @pytest.mark.parametrize("scope", STRANGERS)
    async def test_nothing_of_a_scope_is_known_or_shown_beside_it(self, store: Store, scope: Scope) -> None:
        await fill(store, ANA, "one")
        await fill(store, scope, "one")
        memory, entity = sample_memory(ANA, "one", attribute="plan"), sample_entity(ANA, {"Ana": ["one"]})
        await learn(store, ANA, memory, entities=(entity,))
        digest = statement_digest(kind="fact", subject="ana", attribute="plan", negated=False, text="one")
        every = Wanted(
            subjects=("ana",),
            slots=(("ana", "plan"),),
            digests=(digest,),
            keys=entity.keys,
            memories=(memory.id,),
            entities=(entity.id,),
        )
        assert len((await known_for(store, ANA, every)).memories) == 1
        assert await known_for(store, scope, every) == Known()
        assert await store.memory(scope, [memory.id]) == []
        assert await texts_shown(store, scope, inherited=True) == []
        assert await store.proved_by(scope, [memory.evidence[0].record]) == {}
        assert (await store.entities(scope, ids=[entity.id], keys=entity.keys, limit=9)).entities == ()
        assert [one async for one in store.knowledge(scope)] == []

    async def test_a_scope_reads_its_ancestors_and_narrows_to_itself(self, store: Store) -> None:
        for n, scope in enumerate((CLIENT, CUSTOMER, ANA)):
            await fill(store, scope, "one")
            await learn(store, scope, at(n, scope, f"of {n}"), at(5, scope, f"late {n}"))
        assert await texts_shown(store, ANA, inherited=True) == ["late 2", "late 1", "late 0", "of 2", "of 1", "of 0"]
        assert await texts_shown(store, ANA) == ["late 2", "of 2"]
        assert len(await store.memory(ANA, [MemoryId("memory-0-of 0"), MemoryId("memory-2-of 2")])) == 2
        walked: list[str] = []
        cursor = None
        while not walked or cursor:
            page = await store.memories(ANA, ALL, limit=1, now=NOON, before=cursor, inherited=True)
            walked += [memory.text for memory in page.memories]
            cursor = page.cursor
        assert walked == await texts_shown(store, ANA, inherited=True)

    async def test_a_walk_is_exact_while_others_write(self, store: Store) -> None:
        await fill(store, ANA, "one")
        await learn(store, ANA, *(at(n // 3, text=f"{n}") for n in range(30)))
        walked: list[str] = []
        cursor = None
        for turn in range(100):
            page = await store.memories(ANA, MemoryFilter(), limit=4, now=NOON, before=cursor)
            walked += [memory.text for memory in page.memories]
            cursor = page.cursor
            if cursor is None:
                break
            await learn(store, ANA, at(turn, text=f"new {turn}"), at(0, text="1", metadata={"turn": str(turn)}))
        old = [text for text in walked if not text.startswith("new")]
        assert sorted(old, key=int) == [str(n) for n in range(30)]
        assert len(walked) == len(set(walked))

    @pytest.mark.parametrize("cursor", ["", "x", "1", "-", "1.2.3.4", "9" * 30, "\ud800"])
    async def test_a_foreign_cursor_is_refused(self, store: Store, cursor: str) -> None:
        await fill(store, ANA, "one")
        for ask in (
            store.memories(ANA, ALL, limit=1, now=NOON, before=cursor),
            store.entities(ANA, limit=1, before=cursor),
        ):
            with pytest.raises(QueryError):
                await ask

    async def test_what_has_expired_is_not_shown_unless_it_is_held(self, store: Store) -> None:
        await fill(store, ANA, "one")
        await learn(
            store,
            ANA,
            at(1, expires_at=NOON),
            at(2, expires_at=NOON, held=True),
            at(3, expires_at=NOON + HOUR),
        )
        assert await texts_shown(store, ANA) == ["after 3", "after 2"]
        assert await texts_shown(store, ANA, MemoryFilter(known_at=NOON + 9 * HOUR)) == ["after 3", "after 2"]
        page = await store.memories(ANA, ALL, limit=9, now=NOON + HOUR)
        assert [memory.text for memory in page.memories] == ["after 2"]

    async def test_both_clocks_can_be_asked(self, store: Store) -> None:
        """Porto until two, then Berlin; what was said at three, that it had been Rome, was taken back at four."""
        await fill(store, ANA, "one")
        await learn(
            store,
            ANA,
            at(0, text="Porto", valid_to=NOON + 2 * HOUR, status=Status.SUPERSEDED, retired_at=NOON + 2 * HOUR),
            at(2, text="Berlin", valid_from=NOON + 2 * HOUR),
            at(3, text="Rome", valid_from=NOON, status=Status.RETRACTED, retired_at=NOON + 4 * HOUR),
        )

        async def held(valid: int | None, known: int | None) -> set[str]:
            moment = [None if hour is None else NOON + hour * HOUR for hour in (valid, known)]
            return set(await texts_shown(store, ANA, MemoryFilter(valid_at=moment[0], known_at=moment[1])))

        assert await held(1, None) == {"Porto"}
        assert await held(2, None) == {"Berlin"}
        assert await held(None, 0) == {"Porto"}
        assert await held(None, 3) == {"Berlin", "Rome"}
        assert await held(1, 1) == {"Porto"}
        assert await held(3, 1) == {"Porto"}
        assert await held(1, 3) == {"Porto", "Rome"}
        assert await held(1, 5) == {"Porto"}
        assert await held(None, 5) == {"Berlin"}

    async def test_every_filter_narrows(self, store: Store) -> None:
        await fill(store, ANA, "one", "two")
        event = When(since=NOON + 5 * HOUR, until=NOON + 6 * HOUR, precision=Precision.HOUR, words="at five")
        one = sample_memory(
            ANA,
            "one",
            text="Caroline moved to Pôrto.",
            kind="event",
            subject="Caroline",
            attribute="lives_in",
            speaker="Cara",
            agent="planner",
            conversation="c1",
            subject_id="e1",
            trust=Trust.UNTRUSTED,
            event=event,
        )
        two = sample_memory(ANA, "two", text="今天天气很好", said_at=NOON)
        await learn(store, ANA, one, two)
        record = one.evidence[0].record
        for where in (
            MemoryFilter(kinds=("event", "decision")),
            MemoryFilter(subject="CAROLINE"),
            MemoryFilter(subject="caroline", attribute="lives_in"),
            MemoryFilter(attribute="lives_in"),
            MemoryFilter(speaker="Cara"),
            MemoryFilter(agent="planner"),
            MemoryFilter(conversation="c1"),
            MemoryFilter(entity=sample_entity(ANA, {"x": ["one"]}, id="e1").id),
            MemoryFilter(record=record),
            MemoryFilter(trust=Trust.UNTRUSTED),
            MemoryFilter(since=NOON + 5 * HOUR),
            MemoryFilter(text="moved CAROLINE"),
        ):
            assert await texts_shown(store, ANA, where) == [one.text]
            assert await texts_shown(store, BEN, where) == []
        for where in (MemoryFilter(until=NOON + HOUR), MemoryFilter(text="天气")):
            assert await texts_shown(store, ANA, where) == [two.text]
        for where in (
            MemoryFilter(text="aroline"),
            MemoryFilter(subject="caroline", attribute="job"),
            MemoryFilter(record=RecordId("none")),
            MemoryFilter(subject="\ud800"),
            MemoryFilter(since=NOON + 6 * HOUR),
        ):
            assert await texts_shown(store, ANA, where) == []

    async def test_the_memories_of_a_record_are_found(self, store: Store) -> None:
        await fill(store, ANA, "one", "two")
        both = sample_memory(ANA, "one", "two", status=Status.SUPERSEDED)
        await learn(store, ANA, both, sample_memory(ANA, "two"))
        one, two = (sample_evidence(ANA, text).record for text in ("one", "two"))
        proved = await store.proved_by(ANA, [two, one, RecordId("none"), RecordId("\ud800")])
        assert {record: {memory.text for memory in found} for record, found in proved.items()} == {
            one: {"one"},
            two: {"one", "two"},
        }

    async def test_merged_entities_are_listed_only_by_name(self, store: Store) -> None:
        await fill(store, ANA, "one")
        kept = sample_entity(ANA, {"Ana": ["one"]}, last_seen=NOON + HOUR)
        other = sample_entity(ANA, {"Annie": ["one"]}, merged_into=kept.id)
        third = sample_entity(ANA, {"Ben": ["one"]})
        merge = Merge(id="m", scope=ANA, kept=kept.id, other=other.id, score=0.9, why={"name": 0.9}, at=NOON)
        pair = replace(merge, id="p", other=third.id, decided=False, at=NOON + HOUR)
        changes = Changes(entities=(kept, other, third), merges=(merge, pair))
        await store.settle(ANA, Wanted(), lambda _: changes, at=NOON)
        first = await store.entities(ANA, limit=1)
        second = await store.entities(ANA, limit=1, before=first.cursor)
        assert [one.name for page in (first, second) for one in page.entities] == ["Ana", "Ben"]
        assert second.cursor is None
        named = await store.entities(ANA, keys=["name:annie"], ids=[third.id], limit=9)
        assert {one.name for one in named.entities} == {"Annie", "Ben"}
        assert list(await store.merges(ANA)) == [pair, merge]
        assert list(await store.merges(ANA, decided=True)) == [merge]
        await store.settle(ANA, Wanted(), lambda _: Changes(merges=(replace(merge, undone=True),)), at=NOON)
        assert [one.undone for one in await store.merges(ANA)] == [False, True]

    async def test_serving_is_counted(self, store: Store) -> None:
        await fill(store, CLIENT, "one")
        memory = sample_memory(CLIENT, "one")
        await learn(store, CLIENT, memory)
        await fill(store, ANA, "two")
        await store.recalled(ANA, [memory.id, memory.id, MemoryId("none")], NOON)
        await store.recalled(BEN, [memory.id], NOON + HOUR)
        await store.recalled(Scope(user="ana"), [memory.id], NOON + 2 * HOUR)
        (kept,) = await store.memory(CLIENT, [memory.id])
        assert (kept.recalled, kept.recalled_at) == (2, NOON + HOUR)

    async def test_how_often_what_is_above_was_served_is_not_told_below(self, store: Store) -> None:
        record = (await fill(store, CLIENT, "one"))[0]
        memory = sample_memory(CLIENT, "one")
        await learn(store, CLIENT, memory)
        await fill(store, ANA, "two")
        await store.recalled(BEN, [memory.id], NOON)
        page = await store.memories(ANA, ALL, limit=9, now=NOON, inherited=True)
        proved = (await store.proved_by(ANA, [record.id]))[record.id]
        seen = [*page.memories, *await store.memory(ANA, [memory.id]), *proved]
        assert [(one.id, one.recalled, one.recalled_at) for one in seen] == [(memory.id, 0, None)] * 3

    async def test_what_a_caller_does_to_an_answer_changes_nothing(self, store: Store) -> None:
        await fill(store, ANA, "one")
        parts = {"reason": ("cheap",)}
        await learn(store, ANA, sample_memory(ANA, "one", parts=parts))
        parts["reason"] = ("dear",)
        (memory,) = (await store.memories(ANA, ALL, limit=1, now=NOON)).memories
        memory.parts["more"] = ()  # type: ignore[index]  # what a careless caller does
        (again,) = await store.memory(ANA, [memory.id])
        assert again.parts == {"reason": ("cheap",)}
