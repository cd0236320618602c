"""Everything that is found has one shape in every document: the table in docs/reference/formats.md."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pytest

from muniment.cli.reference import ITEM, SHAPES
from muniment.knowledge.values import Status
from muniment.types import Trust

ANA = ("--customer", "acme", "--user", "ana")
PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `(\w+)` \| ([a-z ]+) \| .+ \|$", PAGE.partition("## An item,")[2], re.MULTILINE))
TYPES = {"text": str, "number": (int, float), "object": dict, "list": list, "null": type(None)}
CALL = {"id": "c1", "type": "function", "function": {"name": "tide", "arguments": '{"port": "Porto"}'}}
CHAT = [
    {"role": "user", "name": "Ana", "content": "I am on the Solo plan.", "timestamp": "2025-01-02T09:00:00Z"},
    {"role": "user", "name": "Ana", "content": "I upgraded to the Harbor plan.", "timestamp": "2025-03-02T09:00:00Z"},
    {"role": "user", "name": "Ana", "content": "I visited Porto."},
    {"role": "user", "name": "Ana", "content": "We decided to use Postgres for billing because of its JSON support, not MySQL."},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "High tide in Porto at noon."},
]


def check(item):
    """That an object is an item, and all items inside it."""
    assert list(item)[: len(ROWS)] == list(ROWS)
    for key, types in ROWS.items():
        assert isinstance(item[key], tuple(TYPES[name] for name in types.split(" or "))), key
        assert not isinstance(item[key], bool)
    assert item["status"] in [status.value for status in Status]
    assert item["trust"] in [trust.value for trust in Trust]
    assert list(item["scope"]) == SHAPES["scope"].split()
    assert (item["age"] is None) == (item["said_at"] is None)
    for at in filter(None, (item["said_at"], item["recorded_at"])):
        assert datetime.fromisoformat(at).utcoffset().total_seconds() == 0
    for proof in item["evidence"]:
        assert list(proof) == SHAPES["evidence"].split()
    assert item["text"]
    assert item["evidence"]
    return item


@pytest.fixture
def told(cli):
    cli("ingest", cli.file("chat.json", CHAT), *ANA, "--conversation", "monday")
    cli("ingest", cli.file("notes.md", "The red boat lies in Porto.\n\nThe office is closed on Fridays.\n"), *ANA)
    return cli


def test_the_table_names_the_keys_that_every_item_begins_with():
    assert list(ROWS) == ITEM.split()
    for name in ("hit", "told", "memory", "decision"):
        assert SHAPES[name].startswith(ITEM)


def test_hits_of_every_kind_and_what_they_prove_are_items(told):
    bundle = told.as_json("retrieve", "Which plan am I on? Porto tide boat", *ANA, "--context", "50")
    assert {check(hit)["kind"] for hit in bundle["hits"]} == {"turn", "passage", "tool_call", "tool_result"}
    for hit in bundle["hits"]:
        assert list(hit) == SHAPES["hit"].split()
        assert hit["evidence"][0]["words"] in hit["record"]["text"]
        assert (hit["id"], hit["scope"]) == (hit["record"]["id"], hit["record"]["scope"])
        for memory in (*hit["memories"], *hit["against"]):
            assert list(check(memory)) == SHAPES["told"].split()
    assert {hit["trust"] for hit in bundle["hits"] if hit["kind"] == "passage"} == {"untrusted"}
    plan = next(hit for hit in bundle["hits"] if "Solo" in hit["text"])
    assert (plan["status"], plan["superseded"]) == ("superseded", True)


def test_what_a_question_counts_is_items(told):
    (query,) = told.as_json("retrieve", "How many cities did I visit?", *ANA)["queries"]
    (city,) = query["listing"]["items"]
    for memory in city["memories"]:
        assert list(check(memory)) == SHAPES["told"].split()
    gone = told.as_json("retrieve", "Which plans do I have?", *ANA)["queries"][0]["listing"]
    for memory in [*gone["uncertain"], *gone["past"]] if gone else []:
        check(memory)


def test_what_is_explained_and_what_a_prompt_is_made_of_are_items(told):
    bundle = told.as_json("assemble", "Which plan am I on?", *ANA, "--budget", "500")["bundle"]
    assert [check(hit) for hit in bundle["hits"]]
    why = told.as_json("explain", "Which plan am I on?", bundle["hits"][0]["id"], *ANA)
    assert check(why["hit"])["id"] == why["record"]["id"]


def test_memories_are_items_in_every_command(told):
    listed = told.as_json("memories", "list", *ANA, "--all")["memories"]
    assert {check(memory)["status"] for memory in listed} >= {"current", "superseded"}
    assert {memory["score"] for memory in listed} == {None}
    plan = next(memory["id"] for memory in listed if "Harbor" in memory["text"])
    shown = told.as_json("memories", "show", plan, *ANA)
    for memory in (shown["memory"], *shown["history"], *told.as_json("memories", "history", plan, *ANA)["history"]):
        assert list(check(memory)) == SHAPES["memory"].split()
    check(told.as_json("memories", "hold", plan, *ANA))
    check(told.as_json("memories", "add", "Ana likes tea", *ANA)["memory"])
    entity = told.as_json("entities", "list", *ANA)["entities"][0]["id"]
    for memory in told.as_json("entities", "show", entity, *ANA)["memories"]:
        check(memory)


def test_decisions_and_precedents_are_items(told):
    (one,) = told.as_json("decisions", "list", *ANA)["decisions"]
    assert list(check(one)) == SHAPES["decision"].split()
    assert one["score"] is None
    (why,) = told.as_json("decisions", "why", "Why did we choose Postgres?", *ANA)["decisions"]
    assert 0 < check(why)["score"] <= 1
    assert "Postgres" in why["evidence"][0]["words"]
    told("ingest", told.file("team.json", CHAT[3:4]), "--customer", "acme")
    (precedent,) = told.as_json("decisions", "precedents", "Postgres", "--customer", "acme", "--user", "ben")["decisions"]
    assert check(precedent)["scope"] == {"client": None, "customer": "acme", "user": None}
