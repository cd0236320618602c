"""Filters mean the same on every store and in every read: held against an oracle that knows nothing of stores."""

from __future__ import annotations

import random
from dataclasses import fields
from datetime import UTC, datetime, timedelta

import pytest
from cases import ANA, NORTH, learn, lines, opened, refusal

from muniment import Filter, Kind, MemoryFilter, Role, Status, Turn
from muniment.curate.rules_filters import ENTITY_KEYS, MEMORY_KEYS
from muniment.errors import QueryError
from muniment.text.filters import RECORD_KEYS

MAY = datetime(2026, 5, 1, tzinfo=UTC)
CHOICES = {
    "conversation": ["c1", "c2", "C1", "%"],
    "speaker": ["Ana", "Ben", "ana", "' OR '1'='1"],
    "role": ["user", "assistant", "tool"],
    "kind": ["turn", "passage"],
    "agent": ["one", "two", "none"],
    "metadata.colour": ["red", "blue", "Red", ""],
    "metadata.a.b": ["1", "2"],
}


def some_turns(chance):
    for number in range(40):
        metadata = {
            name.partition(".")[2]: chance.choice(values)
            for name, values in CHOICES.items()
            if name.startswith("metadata.") and chance.random() < 0.7
        }
        said_at = (
            None if chance.random() < 0.2 else MAY + timedelta(hours=chance.randrange(100), microseconds=chance.randrange(3))
        )
        yield Turn(
            text=f"kettle {number} {chance.randbytes(6).hex()}",
            conversation=chance.choice(CHOICES["conversation"]),
            speaker=chance.choice(CHOICES["speaker"]),
            role=Role(chance.choice(CHOICES["role"])),
            kind=Kind(chance.choice(CHOICES["kind"])),
            said_at=said_at,
            metadata=metadata,
        )


def some_filter(chance):
    where = {}
    for key in chance.sample(sorted(CHOICES), chance.randint(0, 3)):
        values = CHOICES[key]
        where[key] = chance.choice(values) if chance.random() < 0.5 else chance.sample(values, chance.randint(1, len(values)))
    for key in ("since", "until"):
        if chance.random() < 0.25:
            at = MAY + timedelta(hours=chance.randrange(100), microseconds=chance.randrange(3))
            where[key] = chance.choice([at, at.isoformat(), at.astimezone().isoformat()])
    return where


def oracle(record, where):
    """What the page on filters says, word by word."""
    for key, wanted in where.items():
        if key in {"since", "until"}:
            at = datetime.fromisoformat(wanted) if isinstance(wanted, str) else wanted
            if record.said_at is None or (record.said_at < at) == (key == "since"):
                return False
            continue
        had = record.metadata.get(key[len("metadata.") :]) if key.startswith("metadata.") else getattr(record, key)
        if had not in (wanted if isinstance(wanted, list) else [wanted]):
            return False
    return True


async def test_list_and_retrieve_let_through_what_the_oracle_does_on_every_store(any_store_url):
    chance = random.Random(5)
    async with opened(any_store_url, embedder=None) as engine:
        for agent, scope in (("one", ANA), ("two", ANA), ("one", NORTH)):
            await engine.ingest(scope, list(some_turns(chance)), agent=agent)
        every = (await engine.list(ANA, limit=1000)).records
        above = (await engine.list(NORTH, limit=1000)).records
        assert len(every) == 80
        for _ in range(80):
            where = some_filter(chance)
            wanted = [record.id for record in every if oracle(record, where)]
            assert [record.id for record in (await engine.list(ANA, where=where, limit=1000)).records] == wanted, where
            found = await engine.retrieve(ANA, "kettle", where=where, limit=1000)
            seen = {hit.record.id for hit in found}
            also = {record.id for record in above if oracle(record, where)}
            searched = {record.id for record in (*every, *above)}
            assert seen == {name for name in (*wanted, *also) if name in searched}, where


async def test_pages_of_a_filter_with_several_values_miss_and_repeat_nothing(any_store_url):
    async with opened(any_store_url, embedder=None) as engine:
        await engine.ingest(ANA, list(some_turns(random.Random(6))))
        where = {"speaker": ["Ana", "Ben"], "metadata.colour": ["red", "blue"]}
        whole = [record.id for record in (await engine.list(ANA, where=where, limit=1000)).records]
        assert len(whole) > 4
        read, cursor = [], None
        while True:
            page = await engine.list(ANA, where=where, limit=2, cursor=cursor)
            read += [record.id for record in page.records]
            if (cursor := page.cursor) is None:
                break
        assert read == whole


async def test_a_mapping_and_its_filter_are_one_and_the_order_of_values_does_not_matter(any_store_url):
    async with opened(any_store_url) as engine:
        await engine.ingest(ANA, [Turn(text=f"kettle {name}", speaker=name) for name in ("Ana", "Ben", "Cleo")])
        page = await engine.list(ANA, where={"speaker": ["Ben", "Ana", "Ben"]}, limit=1)
        more = await engine.list(ANA, where=Filter(speaker=("Ana", "Ben")), limit=1, cursor=page.cursor)
        assert [record.text for record in (*page.records, *more.records)] == ["kettle Ben", "kettle Ana"]


async def test_explain_says_that_a_filter_leaves_a_record_out_also_by_its_metadata(engine):
    (name,) = (await engine.ingest(ANA, [Turn(text="a red kettle", metadata={"colour": "red"})])).ids
    for where, code in (({"metadata.colour": "blue"}, "filtered"), ({"metadata.colour": ["blue", "red"]}, "found")):
        assert (await engine.explain(ANA, "kettle", name, where=where)).code == code


MEMORY_WHERES = [
    ({"kind": "fact"}, MemoryFilter(kinds=("fact",))),
    (
        {"kind": ["fact", "event"], "status": ["current", "superseded"]},
        MemoryFilter(kinds=("fact", "event"), statuses=(Status.CURRENT, Status.SUPERSEDED)),
    ),
    ({"attribute": ["lives_in", "plan"], "subject": "user"}, MemoryFilter(attribute=("lives_in", "plan"), subject="user")),
    ({"attribute": "lives_in", "subject": "user"}, MemoryFilter(attribute="lives_in", subject="user")),
    ({"agent": ["one", "two"], "conversation": ["c", "d"]}, MemoryFilter(agent=("one", "two"), conversation=("c", "d"))),
    ({"trust": ["trusted", "untrusted"]}, MemoryFilter(trust=("trusted", "untrusted"))),
    ({"text": "Porto"}, MemoryFilter(text="Porto")),
    ({"metadata.source": ["crm", "desk"]}, MemoryFilter(metadata={"source": ("crm", "desk")})),
    ({"since": MAY.isoformat()}, MemoryFilter(since=MAY)),
    ({"valid_at": "2026-03-20T12:00:00Z"}, MemoryFilter(valid_at=datetime(2026, 3, 20, 12, tzinfo=UTC))),
]


async def test_memories_are_narrowed_by_the_same_grammar_on_every_store(engine):
    await learn(engine, ANA, "I live in Porto.", agent="one", conversation="c")
    await learn(engine, ANA, "I moved to Lisbon.", "I like green tea.", agent="two", conversation="d")
    for source in ("crm", "desk", "shop"):
        await engine.memories.add(ANA, f"Ana is a guest of the {source}.", metadata={"source": source, "n": "1"})
    every = (await engine.memories.list(ANA, {"status": list(Status)}, limit=1000)).memories
    for where, value in MEMORY_WHERES:
        found = (await engine.memories.list(ANA, where, limit=1000)).memories
        assert found == (await engine.memories.list(ANA, value, limit=1000)).memories, where
        for key in ("kind", "status", "attribute", "agent", "conversation", "trust"):
            if key in where:
                wanted = where[key] if isinstance(where[key], list) else [where[key]]
                assert {getattr(memory, key) for memory in found} <= set(wanted)
    assert lines((await engine.memories.list(ANA, {"metadata.source": ["crm", "desk"], "metadata.n": "1"})).memories) == [
        "Ana is a guest of the desk.",
        "Ana is a guest of the crm.",
    ]
    slots = (await engine.memories.list(ANA, {"attribute": ["lives_in"], "status": ["current", "superseded"]})).memories
    assert list(slots) == [memory for memory in every if memory.attribute == "lives_in"]
    assert len(slots) == 2


async def test_a_kind_of_memory_that_there_is_not_is_refused_and_the_kinds_are_named(engine):
    for where in ({"kind": "fcat"}, {"kind": ["fact", "fcat"]}, MemoryFilter(kinds=("fcat",))):
        with pytest.raises(QueryError) as caught:
            await engine.memories.list(ANA, where)
        assert (caught.value.code, caught.value.place) == ("kind_unknown", "kind")
        assert "fact" in caught.value.hint
    assert not (await engine.memories.list(ANA, {"kind": "fact"})).memories


def test_a_kind_of_memory_that_there_is_not_is_refused_on_the_command_line(cli):
    cli.said("I live in Porto.")
    assert cli.refused("memories", "list", "--user", "ana", "--kind", "fcat")["code"] == "kind_unknown"


async def test_entities_and_decisions_are_narrowed_and_their_pages_go_on(engine):
    await learn(
        engine, ANA, "My sister Maria Costa lives in Porto.", "We decided to use Postgres.", "Ben Hale works at Harbor Bank."
    )
    every = (await engine.entities.list(ANA, limit=1000)).entities
    kinds = sorted({entity.kind for entity in every})
    assert len(kinds) > 1
    for wanted in (kinds[0], kinds[1:], kinds):
        there = [entity.id for entity in every if entity.kind in wanted]
        read, cursor = [], None
        while True:
            page = await engine.entities.list(ANA, where={"kind": wanted}, limit=1, cursor=cursor)
            read += [entity.id for entity in page.entities]
            if (cursor := page.cursor) is None:
                break
        assert read == there
    assert len(await engine.decisions.list(ANA, where={"text": "Postgres"})) == 1
    assert not await engine.decisions.list(ANA, where={"text": "SQLite"})
    assert await refusal(engine.decisions.list(ANA, where=MemoryFilter(kinds=("fact",)))) == "unknown_filter"


async def test_the_nearest_key_is_named(engine):
    for key, near in (("speeker", "speaker"), ("Speaker", "speaker"), ("conversations", "conversation"), ("agent_id", "agent")):
        with pytest.raises(QueryError) as caught:
            await engine.list(ANA, where={key: "x"})
        assert caught.value.hint.startswith(f"Did you mean {near}?")


def test_the_command_line_reads_a_filter_by_the_same_grammar(cli):
    cli("ingest", "-", "--user", "ana", stdin='{"role": "user", "content": "A kettle.", "name": "Ana"}\n')
    where = '{"speaker": ["Ana", "Ben"], "since": "2020-01-01T00:00:00Z"}'
    assert cli("list", "--user", "ana", "--where", '{"speaker": ["Ana", "Ben"]}', "--json").json["records"]
    assert not cli("list", "--user", "ana", "--where", where, "--json").json["records"]  # nobody said when
    assert (
        "filter by metadata let through"
        in cli("retrieve", "kettle", "--user", "ana", "--where", '{"metadata.shop": "Harbor"}').out
    )
    error = cli.refused("list", "--user", "ana", "--where", where, "--speaker", "Ana")
    assert "speaker" in error["message"]


def test_every_field_of_a_filter_has_its_key():
    assert {field.name for field in fields(Filter)} == {*RECORD_KEYS, "metadata"}
    singular = {"kinds": "kind", "statuses": "status"}
    assert {singular.get(field.name, field.name) for field in fields(MemoryFilter)} == {*MEMORY_KEYS, "metadata"}
    assert set(ENTITY_KEYS) == {"kind", "trust", "since", "until"}


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
@pytest.mark.parametrize("key", ["since", "until", "known_at", "valid_at"])
async def test_a_time_that_is_outside_the_years_there_are_is_refused_on_every_surface(engine, key, at):
    moment = datetime.fromisoformat(at)
    for ask in (
        lambda: engine.retrieve(ANA, "kettle", where={key: at}),
        lambda: engine.retrieve(ANA, "kettle", where=Filter(**{key: moment})),
        lambda: engine.memories.list(ANA, {key: at}),
        lambda: engine.memories.list(ANA, MemoryFilter(**{key: moment})),
    ):
        with pytest.raises(QueryError) as refused:
            await ask()
        assert (refused.value.code, refused.value.place) == ("range", key)
