"""A statement that uses the words of an earlier record goes when that record is erased, and leaves no byte of it."""

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
