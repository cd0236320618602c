"""An id given by its beginning to commands that read: whole where it is the only one, named where it is not, never to erase."""

from __future__ import annotations

import pytest

CLIENT = ("--client", "acme")
ANA = (*CLIENT, "--user", "ana")
BEN = (*CLIENT, "--user", "ben")


def said(number, text="The boat has coat {}."):
    return {"role": "user", "name": "Ana", "content": text.format(number)}


@pytest.fixture
def told(cli):
    cli("ingest", cli.file("plan.json", [said(0, "I live in Porto."), said(0, "I moved to Faro.")]), *ANA)
    cli("ingest", cli.file("office.json", [said(0, "The office is closed on Fridays.")]), *CLIENT)
    cli("ingest", cli.file("other.json", [said(0, "Ben keeps a red boat.")]), *BEN)
    return cli


def ids(cli, *scope):
    return [record["id"] for record in cli.as_json("list", *scope)["records"]]


def test_a_record_is_shown_and_explained_by_the_beginning_of_its_id(told):
    for whole in (*ids(told, *ANA), *ids(told, *CLIENT)):
        assert told.as_json("show", whole[:6], *ANA)["id"] == whole
        assert told.as_json("explain", "Where do I live?", whole[:8], *ANA)["record"]["id"] == whole


def test_a_memory_of_any_status_and_an_entity_are_found_by_theirs(told):
    every = told.as_json("memories", "list", *ANA, "--all")["memories"]
    assert {memory["status"] for memory in every} == {"current", "superseded"}
    for memory in every:
        assert told.as_json("memories", "show", memory["id"][:6], *ANA)["memory"]["id"] == memory["id"]
        assert told.as_json("memories", "history", memory["id"][:15], *ANA)["id"] == memory["id"]
        assert told.as_json("explain", "Where do I live?", memory["id"][:6], *ANA)["hit"]
    entity = told.as_json("entities", "list", *ANA)["entities"][0]["id"]
    assert told.as_json("entities", "show", entity[:6], *ANA)["asked"] == entity


def test_a_beginning_that_is_too_short_foreign_or_of_nothing_is_not_found(told):
    (foreign,) = ids(told, *BEN)
    absent = "q" * 6
    assert absent not in {one[:6] for one in ids(told, *ANA)}
    for beginning in (ids(told, *ANA)[0][:5], foreign[:6], absent):
        for command in (("show",), ("memories", "show"), ("memories", "history"), ("entities", "show"), ("explain", "Porto")):
            assert told.refused(*command, beginning, *ANA, code=1)["code"] == "not_found"


def test_nothing_is_erased_or_changed_by_a_beginning(told):
    before = ids(told, *ANA)
    assert told.as_json("forget", before[0][:8], *ANA, "--yes", code=None)["records"] == 0
    memory = told.as_json("memories", "list", *ANA)["memories"][0]["id"]
    for command in (("memories", "retract"), ("memories", "hold"), ("memories", "restore")):
        assert told.refused(*command, memory[:8], *ANA, code=1)["code"] == "not_found"
    assert ids(told, *ANA) == before
    assert told.as_json("memories", "show", memory, *ANA)["memory"]["status"] == "current"


def test_several_that_begin_so_are_named_and_none_is_taken(told):
    told("ingest", told.file("alike.json", [said(1039), said(7603)]), *ANA)  # two of the first whose ids begin alike
    both = sorted(one for one in ids(told, *ANA) if one.startswith("hdfvtv"))
    assert len(both) == 2
    for command in (("show",), ("explain", "boat")):
        refused = told.refused(*command, "hdfvtv", *ANA)
        assert (refused["code"], refused["message"]) == ("ambiguous", "2 ids begin with 'hdfvtv'.")
        assert refused["hint"] == f"Give one of them: {', '.join(both)}."
    longer = next(length for length in range(7, 16) if both[0][:length] != both[1][:length])
    assert told.as_json("show", both[1][:longer], *ANA)["id"] == both[1]


def test_with_a_key_beginnings_reach_no_further_than_the_key(told):
    key = told.as_json("keys", "create", "--may", "read", *ANA)["text"]
    mine, office = ids(told, *ANA)[0], ids(told, *CLIENT)[0]
    assert told.as_json("show", mine[:6], "--key", key)["id"] == mine
    assert told.as_json("show", office, "--key", key)["id"] == office
    assert told.refused("show", office[:6], "--key", key, code=1)["code"] == "not_found"
