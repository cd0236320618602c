"""Sealed values: with `email: tokenise` only the token is kept in records, memories, vectors, logs and exports."""

from __future__ import annotations

import logging

import pytest
from cases import ANA, BEN, NORTH, RIVAL, SOUTH, STORES, opened, url_of

from muniment import Filter, Turn
from muniment.curate.sealed import MOST_TOKENS, SealedValues
from muniment.errors import QueryError
from muniment.ingest.formats import export_lines
from muniment.testing import TableEmbedder
from muniment.types import Role, ToolCall

VALUE = "petra.lindqvist@example.org"
RULES = "agent: default\npii:\n  email: tokenise\n"


@pytest.fixture
def embedder():
    return TableEmbedder(dim=16)


@pytest.fixture(params=STORES)
async def engine(request, tmp_path, embedder):
    async with opened(url_of(request.param, tmp_path), embedder=embedder) as found:
        await found.architecture.apply(RULES)
        yield found


async def told(engine, scope=ANA):
    """The record in which a user gives their address, and its token."""
    receipt = await engine.ingest(scope, f"My e-mail is {VALUE}.", conversation="a")
    await engine.work.wait()
    record = await engine.get(scope, receipt.ids[0])
    return record, record.text[record.text.index("[") : record.text.index("]") + 1]


async def test_U04_only_the_token_is_in_record_memory_vector_log_and_answer(engine, embedder, caplog):
    caplog.set_level(logging.DEBUG)
    record, token = await told(engine)
    assert record.text == f"My e-mail is {token}."
    page = await engine.memories.list(ANA)
    assert [memory.text for memory in page.memories if memory.attribute == "email"] == [f"user's e-mail is {token}"]
    bundle = await engine.retrieve(ANA, "Which e-mail address?")
    everything = [repr(page), repr(bundle), repr(embedder.calls), caplog.text, repr(await engine.list(ANA))]
    assert not [text for text in everything if VALUE in text or "petra" in text]


async def test_a_token_is_revealed_in_its_scope_and_below_and_nowhere_else(engine):
    _, token = await told(engine, NORTH)
    sealed = SealedValues(engine.store)
    for scope in (NORTH, ANA, BEN):
        assert [(one.kind, one.value) for one in await sealed.reveal(scope, [token, "[email:none]"])] == [("email", VALUE)]
    for scope in (SOUTH, RIVAL):
        assert await sealed.reveal(scope, token) == ()
    _, own = await told(engine, ANA)
    assert own != token
    assert [one.value for one in await sealed.reveal(ANA, own)] == [VALUE]
    for scope in (NORTH, BEN, SOUTH, RIVAL):
        assert await sealed.reveal(scope, own) == ()


async def test_the_same_value_has_the_same_token_so_that_what_is_said_twice_is_found_once(engine):
    _, first = await told(engine)
    receipt = await engine.ingest(ANA, [Turn(text=f"Write to {VALUE} or to other@example.org."), Turn(text="nothing")])
    text = (await engine.get(ANA, receipt.ids[0])).text
    assert text.count(first) == 1
    assert text.count("[email:") == 2


async def test_forgetting_the_last_record_forgets_the_value(engine):
    sealed = SealedValues(engine.store)
    record, token = await told(engine)
    other = (await engine.ingest(ANA, f"Again: {VALUE}")).ids
    await engine.forget(ANA, ids=[record.id])
    assert [one.value for one in await sealed.reveal(ANA, token)] == [VALUE]
    erasure = await engine.forget(ANA, ids=other)
    assert await sealed.reveal(ANA, token) == ()
    assert (erasure.removed["sealed"], erasure.clean) == (1, True)


async def test_the_bytes_of_a_forgotten_value_are_gone_from_the_files(tmp_path):
    async with opened(url_of("sqlite", tmp_path)) as engine:
        await engine.architecture.apply(RULES)
        record, _ = await told(engine)
        await engine.forget(ANA, ids=[record.id])
    files = list(tmp_path.iterdir())
    assert files
    assert not [path for path in files if VALUE.encode() in path.read_bytes()]


async def test_an_export_holds_the_token_only(engine):
    await told(engine)
    lines = [line async for line in export_lines(engine.export(ANA))]
    assert lines
    assert not [line for line in lines if VALUE in str(line)]


async def test_arguments_metadata_and_results_of_tools_are_sealed_alike(engine):
    _, token = await told(engine)
    call = ToolCall(id="c1", name="mail", arguments=f'{{"to": "{VALUE}"}}')
    turns = [
        Turn(text="Sending.", role=Role.ASSISTANT, tool_calls=(call,), metadata={"to": VALUE}),
        Turn(text=f'{{"sent": ["{VALUE}"]}}', role=Role.TOOL, tool_call_id="c1"),
    ]
    await engine.ingest(ANA, turns, conversation="b")
    sent, result = (await engine.list(ANA, where=Filter(conversation="b"))).records[::-1]
    assert (sent.tool_calls[0].arguments, sent.metadata, result.text) == (
        f'{{"to": "{token}"}}',
        {"to": token},
        f'{{"sent": ["{token}"]}}',
    )


async def test_a_flood_of_tokens_or_what_is_no_token_is_refused_or_passed_over(engine):
    sealed = SealedValues(engine.store)
    assert await sealed.reveal(ANA, ["", "\ud800", "[email:" + "x" * 10_000]) == ()
    for tokens in (["[email:x]"] * (MOST_TOKENS + 1), [None]):
        with pytest.raises(QueryError):
            await sealed.reveal(ANA, tokens)
