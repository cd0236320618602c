"""What erasing a record does to statements of others: those that borrowed its words go, those it replaced hold again."""

from __future__ import annotations

import pytest
from tests.flows.cases import ANA, NOON, STORES, opened, url_of

from muniment import Role, Turn

TALKS = [
    [("user", "Bartlebyx called."), ("user", "He lives in Porto.")],
    [("assistant", "Do you live in Bartlebyx?"), ("user", "Yes.")],
]


async def told(engine, talk):
    ids = []
    for number, (role, text) in enumerate(talk):
        turn = Turn(text=text, role=Role(role), said_at=NOON.replace(minute=number), conversation="c")
        ids += (await engine.ingest(ANA, [turn])).ids
        await engine.work.wait()
    return ids


@pytest.mark.parametrize("kind", STORES)
@pytest.mark.parametrize("talk", TALKS)
async def test_a_borrowed_word_goes_with_the_record_that_lent_it(kind, talk, tmp_path):
    async with opened(url_of(kind, tmp_path)) as engine:
        ids = await told(engine, talk)
        before = [memory.text for memory in (await engine.memories.list(ANA)).memories]
        assert any("Bartlebyx" in text for text in before)
        await engine.forget(ANA, ids=ids[:1])
        await engine.work.wait()
        after = [memory.text for memory in (await engine.memories.list(ANA)).memories]
        assert not any("Bartlebyx" in text for text in after)
    if kind == "sqlite":
        assert b"Bartlebyx" not in (tmp_path / "agent.db").read_bytes()


@pytest.mark.parametrize("kind", STORES)
async def test_what_was_replaced_holds_again_once_the_record_of_the_change_is_erased(kind, tmp_path):
    async with opened(url_of(kind, tmp_path)) as engine:
        ids = await told(engine, [("user", "I live in Porto."), ("user", "I moved to Lisbon.")])
        assert [memory.value for memory in await engine.memories.list(ANA)] == ["Lisbon"]
        await engine.forget(ANA, ids=ids[1:])
        await engine.work.wait()
        assert [memory.value for memory in await engine.memories.list(ANA)] == ["Porto"]
