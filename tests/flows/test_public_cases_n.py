"""Public cases of kind N: no network, no model, no second opinion."""

from __future__ import annotations

from cases import ANA, NOON, kept, opened, texts

from muniment import Turn
from muniment.testing import TableEmbedder


async def test_N02_N03_without_any_model_everything_works_and_says_what_it_did(url):
    async with opened(url, embedder=None, tokens="estimate") as engine:
        await engine.ingest(ANA, "My boat is called Perseverance.", conversation="a")
        bundle = await engine.retrieve(ANA, "What is the boat called?")
        assert (texts(bundle), bundle.health.embedder, bundle.health.degraded) == (
            ["My boat is called Perseverance."],
            None,
            False,
        )
        made = (await engine.assemble(ANA, "What is the boat called?", budget=200)).compilation
        assert "Perseverance" in made.text
        assert not made.exact


async def test_N04_a_fact_that_is_known_exactly_is_kept_as_it_is(url):
    embedder = TableEmbedder(dim=16)
    fact = "  Invoice 4711:\tpaid 12.50 EUR,\r\n on 2026-03-01 \u202e "
    async with opened(url, embedder=embedder) as engine:
        (record,) = (await engine.ingest(ANA, [Turn(text=fact, speaker="Ledger", said_at=NOON, metadata={"n": "4711"})])).ids
        found = await engine.get(ANA, record)
        assert (found.text, found.speaker, found.said_at, found.metadata) == (fact, "Ledger", NOON, {"n": "4711"})
        assert embedder.calls == [(fact,)]
        assert await kept(engine, ANA) == [fact]
