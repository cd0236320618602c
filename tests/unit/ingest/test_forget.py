"""Forgetting: exactly what was named goes, and an empty selection is never everything."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from muniment.errors import InputError, ScopeError
from muniment.forget.step import MAX_IDS, forget
from muniment.stores.memory import MemoryStore
from muniment.testing import sample_write
from muniment.types import Filter, Scope

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
TEAM = Scope(client="acme")
ANA = Scope(client="acme", user="ana")
BEN = Scope(client="acme", user="ben")


@pytest.fixture
async def store():
    filled = MemoryStore()
    for scope in (TEAM, ANA, BEN):
        await filled.put([sample_write(scope, text, dim=0, conversation="a") for text in ("one", "two")])
        await filled.put([sample_write(scope, "three", dim=0, conversation="b")])
    yield filled
    await filled.close()


async def left(store, scope):
    return [record.text for record in (await store.page(scope, Filter(), limit=10)).records[::-1]]


async def test_a_scope_goes_with_everything_below_it_and_nothing_beside_it(store):
    assert (await forget(ANA, store=store, now=NOW)).records == 3
    assert [await left(store, scope) for scope in (ANA, BEN, TEAM)] == [[], ["one", "two", "three"], ["one", "two", "three"]]
    assert (await forget(TEAM, store=store, now=NOW)).records == 6


async def test_ids_and_a_conversation_narrow_to_exactly_the_scope(store):
    (one,) = (await store.page(TEAM, Filter(), limit=1)).records
    assert (await forget(TEAM, ids=[one.id, one.id], store=store, now=NOW)).records == 1
    assert (await forget(TEAM, conversation="a", store=store, now=NOW)).records == 2
    assert await left(store, TEAM) == []
    assert await left(store, ANA) == ["one", "two", "three"]


async def test_vector_41_a_foreign_id_is_the_same_answer_as_an_absent_one(store):
    foreign = (await store.page(BEN, Filter(), limit=1)).records[0].id
    answers = [await forget(ANA, ids=[name], store=store, now=NOW) for name in (foreign, "0000000000000000", "../x", "")]
    assert {answer.records for answer in answers} == {0}
    assert len({repr(answer) for answer in answers}) == 1
    assert len(await left(store, BEN)) == 3


@pytest.mark.parametrize("ids", [[], (), set(), {}])
async def test_an_empty_list_of_ids_is_never_everything(store, ids):
    with pytest.raises(InputError) as error:
        await forget(ANA, ids=ids, store=store, now=NOW)
    assert error.value.reason == "selection_empty"
    assert len(await left(store, ANA)) == 3


@pytest.mark.parametrize("ids", ["abc", b"abc", [1], [None], ["a", 1]])
async def test_vector_17_ids_are_a_list_of_text(store, ids):
    with pytest.raises(InputError) as error:
        await forget(ANA, ids=ids, store=store, now=NOW)
    assert error.value.reason == "type"


async def test_one_selection_at_a_time_and_not_too_large(store):
    with pytest.raises(InputError):
        await forget(ANA, ids=["a"], conversation="a", store=store, now=NOW)
    with pytest.raises(InputError) as error:
        await forget(ANA, ids=[str(n) for n in range(MAX_IDS + 1)], store=store, now=NOW)
    assert error.value.reason == "too_large"
    with pytest.raises(ScopeError):
        await forget(ANA, conversation="a/b", store=store, now=NOW)
    assert len(await left(store, ANA)) == 3


async def test_K07_many_records_go_in_one_call(store):
    writes = [sample_write(ANA, f"note {n}", dim=0) for n in range(800)]
    await store.put(writes)
    erasure = await forget(ANA, ids=[write.record.id for write in writes], store=store, now=NOW)
    assert (erasure.records, erasure.at) == (800, NOW)
    assert await left(store, ANA) == ["one", "two", "three"]
