"""Public cases of kind M: filters and empty values."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cases import ANA, BEN, NORTH, kept, refusal, texts

from muniment import Filter, Kind, Role, Turn
from muniment.errors import QueryError


async def test_M02_a_filter_nobody_knows_is_an_error_and_never_passed_over(engine):
    await engine.ingest(ANA, [Turn(text="a kettle", metadata={"colour": "blue"})])
    for key in ("colour", "tag", "ids"):
        with pytest.raises(TypeError):
            Filter(**{key: "blue"})
        for verb in (engine.list(ANA, where={key: "blue"}), engine.retrieve(ANA, "kettle", where={key: "blue"})):
            assert await refusal(verb, QueryError) == "unknown_filter"
    assert await kept(engine, ANA, where={"metadata.colour": "blue"}) == ["a kettle"]
    assert await kept(engine, ANA, where={"metadata.color": "blue"}) == []
    for verb in (engine.list, engine.retrieve, engine.forget):
        with pytest.raises(TypeError):
            await verb(ANA, colour="blue")
    assert await kept(engine, ANA) == ["a kettle"]


async def test_M03_a_filter_that_asks_for_nothing_lists_all_of_the_scope(engine):
    await engine.ingest(ANA, ["one", "two"])
    await engine.ingest(BEN, "of ben")
    for where in ({}, {"where": None}, {"where": Filter()}, {"where": {}}, {"where": []}):
        assert await kept(engine, ANA, **where) == ["one", "two"]
        assert texts(await engine.retrieve(ANA, "one", **where))[0] == "one"
    for listing in (engine.memories, engine.entities, engine.decisions):
        for empty in (None, {}, []):
            assert list(await listing.list(ANA, where=empty)) == list(await listing.list(ANA))


async def test_M04_scope_agent_and_conversation_must_all_hold(engine):
    for scope in (ANA, BEN, NORTH):
        for agent in ("one", "two"):
            for conversation in ("a", "b"):
                await engine.ingest(scope, f"boat of {agent} {conversation}", agent=agent, conversation=conversation)
    where = Filter(agent="one", conversation="b")
    assert await kept(engine, ANA, where=where) == ["boat of one b"]
    bundle = await engine.retrieve(ANA, "boat", where=where)
    assert [(hit.record.scope, hit.record.text) for hit in bundle] == [(ANA, "boat of one b"), (NORTH, "boat of one b")]


FILTERS = {
    "conversation": (Filter(conversation="c1"), "ab"),
    "agent": (Filter(agent="writer"), ""),
    "speaker": (Filter(speaker="Ana"), "ac"),
    "role": (Filter(role=Role.ASSISTANT), "b"),
    "kind": (Filter(kind=Kind.PASSAGE), "c"),
    "since": (Filter(since=datetime(2026, 5, 2, tzinfo=UTC)), "b"),
    "until": (Filter(until=datetime(2026, 5, 2, tzinfo=UTC)), "a"),
    "two": (Filter(conversation="c1", speaker="Ana"), "a"),
    "none": (Filter(conversation="c1", speaker="Ana", role=Role.ASSISTANT), ""),
}


@pytest.mark.parametrize(("where", "wanted"), FILTERS.values(), ids=FILTERS)
async def test_M06_a_filter_means_the_same_to_list_and_retrieve_on_every_store(engine, where, wanted):
    await engine.ingest(
        ANA,
        [
            Turn(text="kettle a", conversation="c1", speaker="Ana", said_at=datetime(2026, 5, 1, tzinfo=UTC)),
            Turn(
                text="kettle b", conversation="c1", speaker="Ben", role=Role.ASSISTANT, said_at=datetime(2026, 5, 2, tzinfo=UTC)
            ),
            Turn(text="kettle c", speaker="Ana", role=Role.DOCUMENT, kind=Kind.PASSAGE),
        ],
    )
    for found in (await kept(engine, ANA, where=where), texts(await engine.retrieve(ANA, "kettle", where=where))):
        assert sorted(text[-1] for text in found) == list(wanted)


@pytest.mark.parametrize("where", [{"metadata.colour": "blue"}, {"metadata.colour": ["blue", "red"]}], ids=["one", "several"])
async def test_M06_metadata_is_asked_part_by_part_and_other_parts_do_not_matter(engine, where):
    await engine.ingest(
        ANA,
        [
            Turn(text="kettle a", metadata={"colour": "blue", "size": "2"}),
            Turn(text="kettle b", metadata={"colour": "Blue"}),
            Turn(text="kettle c", metadata={"size": "blue"}),
            "kettle d",
        ],
    )
    assert await kept(engine, ANA, where=where) == texts(await engine.retrieve(ANA, "kettle", where=where)) == ["kettle a"]
    assert await refusal(engine.list(ANA, where={"metadata": {"colour": "blue"}})) == "filter_key_invalid"
    assert await refusal(engine.list(ANA, where={"metadata.colour": {"x": "1"}})) == "filter_op_invalid"


def test_M07_a_bad_number_is_refused_by_its_name(cli):
    cli.said("A kettle.")
    for name, values in {
        "--limit": ("bad", "-1", "1e9", "1000000000"),
        "--threshold": ("bad", "-1", "nan", "2"),
        "--budget": ("bad", "-1", "1.5"),
    }.items():
        for value in values:
            error = cli.refused("retrieve", "kettle", "--user", "ana", name, value)
            assert name.strip("-") in error["message"] + error["place"]
            assert error["code"] in {"usage", "range"}


async def test_M08_fields_of_a_message_that_nobody_knows_are_named_in_the_receipt(engine):
    receipt = await engine.ingest(
        ANA, [{"role": "user", "content": "a kettle", "containerTags": ["x"], "userId": "ben"}, "plain"]
    )
    assert [item.message for item in receipt.items] == ["Keys that are not kept: containerTags, userId.", ""]
    assert await kept(engine, ANA) == ["a kettle", "plain"]


def test_M08_made_up_parameters_are_refused_with_a_hint_and_a_missing_scope_is_told(cli):
    for option in ("--containerTags", "--user-id", "--x-user-id", "--userId"):
        error = cli.refused("retrieve", "kettle", option, "ana")
        assert error["code"] == "usage"
        assert "--help" in error["hint"]
    assert cli.refused("retrieve", "kettle")["code"] == "scope_required"
