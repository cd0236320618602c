"""Entries follow from records alone; a failing embedder costs vectors and says so."""

from __future__ import annotations

import numpy as np
import pytest

from muniment.ingest.derive import derive
from muniment.shelf import term_hashes
from muniment.testing import FailingEmbedder, FaultyEmbedder, TableEmbedder
from muniment.text.terms import passage_terms
from muniment.types import Kind, Role, ToolCall


async def test_a_short_record_has_one_entry_with_its_words_and_vector(make_record):
    embedder = TableEmbedder(dim=8)
    derived = await derive([make_record("I bought a boat yesterday", speaker="Ana")], embedder)
    ((entry,),) = derived.entries
    assert (entry.start, entry.end) == (0, 25)
    assert entry.terms.tolist() == term_hashes(passage_terms("I bought a boat yesterday")).tolist()
    assert np.array_equal(entry.vector, await embedder.query("I bought a boat yesterday"))
    assert derived.note == ""


async def test_the_speaker_is_in_neither_words_nor_vector(make_record):
    embedder = TableEmbedder(dim=8)
    await derive([make_record("good morning", speaker="Ana")], embedder)
    assert embedder.calls == [("good morning",)]


async def test_passages_of_a_long_record_cover_it(make_record):
    text = "One more sentence about the sea. " * 200
    (entries,) = (await derive([make_record(text)], None)).entries
    assert "".join(text[e.start : e.end] for e in entries) == text
    assert all(e.vector is None for e in entries)


async def test_a_system_record_has_no_entries(make_record):
    derived = await derive([make_record("You are helpful.", role=Role.SYSTEM), make_record("hello")], TableEmbedder())
    assert [len(entries) for entries in derived.entries] == [0, 1]


async def test_a_call_without_text_is_found_by_its_name_and_arguments(make_record):
    call = ToolCall(id="1", name="book_flight", arguments='{"to": "Porto"}')
    record = make_record("", role=Role.ASSISTANT, kind=Kind.TOOL_CALL)
    object.__setattr__(record, "tool_calls", (call,))
    ((entry,),) = (await derive([record], None)).entries
    assert set(term_hashes(["porto", "flight"]).tolist()) <= set(entry.terms.tolist())


async def test_equal_texts_are_embedded_once(make_record):
    embedder = TableEmbedder(dim=8)
    derived = await derive([make_record("ok"), make_record("ok"), make_record("no")], embedder)
    assert embedder.calls == [("ok", "no")]
    assert np.array_equal(derived.entries[0][0].vector, derived.entries[1][0].vector)


async def test_a_failing_embedder_leaves_words_and_a_note(make_record):
    derived = await derive([make_record("the boat")], FailingEmbedder())
    ((entry,),) = derived.entries
    assert entry.vector is None
    assert len(entry.terms)
    assert "1 of 1 passages have no vector" in derived.note


async def test_vectors_made_before_a_failure_are_kept(make_record):
    records = [make_record(f"line {n}") for n in range(100)]
    derived = await derive(records, FailingEmbedder(1))
    with_vector = [entries[0].vector is not None for entries in derived.entries]
    assert with_vector == [True] * 64 + [False] * 36
    assert "36 of 100" in derived.note


@pytest.mark.parametrize("fault", ["short", "nan", "zero", "wide"])
async def test_unusable_vectors_are_refused_like_a_failure(make_record, fault):
    derived = await derive([make_record("a"), make_record("b")], FaultyEmbedder(fault))
    assert all(entries[0].vector is None for entries in derived.entries)
    assert derived.note


async def test_with_and_without_an_embedder_words_and_spans_are_the_same(make_record):
    records = [make_record("Where? " * 300), make_record("我们去湖边")]
    plain, full = await derive(records, None), await derive(records, TableEmbedder(dim=8))
    for ours, theirs in zip(plain.entries, full.entries, strict=True):
        assert [(e.start, e.end, e.terms.tolist()) for e in ours] == [(e.start, e.end, e.terms.tolist()) for e in theirs]
