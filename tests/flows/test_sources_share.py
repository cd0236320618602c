"""No source crowds out the others, and what is told twice does not fill a budget: the same on every store."""

from __future__ import annotations

import pytest
from cases import ANA, opened, texts

from muniment import Kind, Role, Turn
from muniment.retrieve.rules_sources import PER_SOURCE

OWN = ["My boat needs a new rudder before the summer.", "Ben repaired the rudder of my boat last year."]


def passages(number, origin="manual.md"):
    says = "The rudder of a boat is repaired as chapter {} tells."
    return [Turn(text=says.format(n), role=Role.DOCUMENT, kind=Kind.PASSAGE, origin=origin, ref=f"p{n}") for n in range(number)]


@pytest.fixture
async def engine(url):
    async with opened(url, embedder=None) as found:
        yield found


async def test_vector_83_a_document_of_500_passages_does_not_crowd_out_the_talk_beside_it(engine):
    await engine.ingest(ANA, OWN, conversation="boat")
    await engine.ingest(ANA, passages(500))
    bundle = await engine.retrieve(ANA, "Who repaired the rudder of the boat?")
    assert OWN[1] in texts(bundle)[: PER_SOURCE + 1]
    assert set(OWN) <= set(texts(bundle)[: PER_SOURCE + 2])
    assert len(bundle) == 10
    assert any("one source come first" in line for line in bundle.explanation)


async def test_vector_83_the_cap_is_of_each_source_and_yields_where_no_other_is_close(engine):
    await engine.ingest(ANA, passages(100))
    alone = await engine.retrieve(ANA, "Who repaired the rudder of the boat?")
    assert len(alone) == 10
    await engine.ingest(ANA, passages(3, origin="letters.md"))
    both = await engine.retrieve(ANA, "Who repaired the rudder of the boat?")
    first = [hit.record.origin for hit in both][: 2 * PER_SOURCE]
    assert first.count("letters.md") == 0 or first.count("manual.md") <= PER_SOURCE


async def test_B10_copies_take_one_place_of_a_budget(engine):
    await engine.ingest(
        ANA,
        [*OWN, *(Turn(text=one.text, role=one.role, kind=one.kind, origin=f"{n}.md") for n in range(20) for one in passages(1))],
    )
    bundle = await engine.retrieve(ANA, "Who repaired the rudder of the boat?", budget=40)
    assert bundle.tokens <= 40
    assert len(set(texts(bundle))) == len(bundle)
    assert set(OWN) <= set(texts(bundle))
    assert any("copies of its text" in line for line in bundle.explanation)
