"""The walk over entities: what a question leads to by way of whom it names, said and explained, and never past a border."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from cases import ANA, BEN, CLIENT, NOON, NORTH, RIVAL, SOUTH, opened, texts

from muniment import Filter
from muniment.architect import default_architecture, write_architecture
from muniment.testing import FixedClock
from muniment.types import Kind, Role, Scope, Turn

APPROVED = "Ben Carter approved Ana's refund on Monday."
MANAGES = "Dora Lind manages Ben Carter."
SISTER = "Clara is Ben's sister."
WORKS = "Clara works at Nordhavn Shipping."
SITS = "Nordhavn Shipping is based in Hamburg."
WHO_MANAGES = "Who manages the person that approved Ana's refund?"
WHICH_CITY = "Which city does Ben's sister's employer sit in?"
NOISE = [
    f"{who} {what} {when}."
    for who in ("Tom", "Mia", "Rui", "Eva")
    for what in ("sold a green kite", "painted two clocks", "found the blue door")
    for when in ("in May", "on a Friday")
]


@pytest.fixture
async def engine(url):
    """An engine on each kind of store, by words alone."""
    async with opened(url, embedder=None) as one:
        yield one


async def told(engine, scope, *turns, **options):
    """Keep these, and wait for what is derived."""
    receipt = await engine.ingest(scope, list(turns), **options)
    await engine.work.wait()
    return receipt.ids


async def test_who_manages_the_person_that_approved_a_refund(engine):
    await told(engine, ANA, MANAGES, *NOISE, APPROVED)
    bundle = await engine.retrieve(ANA, WHO_MANAGES, limit=3)
    assert texts(bundle)[:2] == [APPROVED, MANAGES]
    assert bundle.hits[1].path[-1] == "Ben Carter"
    assert bundle.hits[1].channels["entities"] > 0
    assert sum(bundle.hits[1].channels.values()) == pytest.approx(bundle.hits[1].score)
    assert "Read as naming Ana." in bundle.explanation


async def test_the_city_of_a_sisters_employer_is_two_hops_away(engine):
    await told(engine, ANA, SITS, *NOISE, WORKS, *NOISE, SISTER)
    bundle = await engine.retrieve(ANA, WHICH_CITY, limit=5)
    assert {SISTER, WORKS, SITS} <= set(texts(bundle))
    city = next(hit for hit in bundle if hit.record.text == SITS)
    assert city.path[-2:] == ("Clara", "Nordhavn Shipping")


async def test_without_its_weight_nothing_is_reached_over_entities(engine):
    await told(engine, ANA, SITS, *NOISE, WORKS, *NOISE, SISTER)
    still = replace(default_architecture(), weights={"entities": 0.0})
    await engine.architecture.apply(write_architecture(still))
    bundle = await engine.retrieve(ANA, WHICH_CITY, limit=5)
    assert SITS not in texts(bundle)
    assert not any(hit.path for hit in bundle)


async def test_explain_says_by_which_way(engine):
    ids = await told(engine, ANA, SITS, *NOISE, WORKS, *NOISE, SISTER)
    why = await engine.explain(ANA, WHICH_CITY, ids[0])
    assert why.code == "found"
    assert any("by way of" in line and "Nordhavn Shipping" in line for line in why.explanation)


async def test_no_hop_leaves_the_scope(engine):
    for stranger in (BEN, SOUTH, RIVAL, Scope(user="ana")):
        await told(engine, stranger, "Clara works at Kestrel Bank.", "Kestrel Bank is based in Oslo.")
    await told(engine, ANA, *NOISE, SISTER)
    bundle = await engine.retrieve(ANA, WHICH_CITY)
    assert not any("Kestrel" in text for text in texts(bundle))
    assert not any("Kestrel" in name for hit in bundle for name in hit.path)


async def test_a_hop_goes_up_to_what_the_customer_and_the_client_hold(engine):
    await told(engine, CLIENT, SITS)
    await told(engine, NORTH, WORKS)
    await told(engine, ANA, *NOISE, SISTER)
    assert WORKS in texts(await engine.retrieve(ANA, WHICH_CITY, limit=5))


async def test_an_employer_of_before_leads_nowhere_unless_the_past_is_asked_for(engine):
    await told(engine, ANA, "Kestrel Bank is based in Oslo.", SITS, *NOISE)
    await told(engine, ANA, Turn(text="Clara works at Kestrel Bank.", said_at=NOON - timedelta(days=90)))
    await told(engine, ANA, Turn(text="Clara now works at Nordhavn Shipping.", said_at=NOON - timedelta(days=1)), SISTER)
    now = await engine.retrieve(ANA, WHICH_CITY, limit=6)
    assert SITS in texts(now)
    assert "Kestrel Bank is based in Oslo." not in texts(now)


async def test_what_a_filter_leaves_out_is_not_led_to(engine):
    await told(engine, ANA, SITS, *NOISE, WORKS)
    await told(engine, ANA, SISTER, conversation="c1")
    bundle = await engine.retrieve(ANA, WHICH_CITY, where=Filter(conversation="c1"))
    assert texts(bundle) == [SISTER]


async def test_a_document_leads_to_no_trusted_record(engine):
    await told(engine, ANA, SITS, *NOISE)
    page = Turn(text="Ben's sister works at Nordhavn Shipping.", role=Role.DOCUMENT, kind=Kind.PASSAGE)
    await told(engine, ANA, page)
    bundle = await engine.retrieve(ANA, WHICH_CITY)
    assert not any(hit.path for hit in bundle if hit.record.text == SITS)


async def test_the_first_hits_are_the_same_whatever_the_limit(engine):
    await told(engine, ANA, SITS, *NOISE, WORKS, *NOISE, SISTER)
    few, many = [await engine.retrieve(ANA, WHICH_CITY, limit=limit) for limit in (4, 200)]
    assert [(hit.record.id, hit.score) for hit in few] == [(hit.record.id, hit.score) for hit in many][:4]


async def test_what_is_forgotten_is_on_no_way(engine):
    ids = await told(engine, ANA, SITS, *NOISE, WORKS, *NOISE, SISTER)
    texts_before = texts(await engine.retrieve(ANA, WHICH_CITY, limit=5))
    await engine.forget(ANA, ids=[ids[len(NOISE) + 1]])
    after = await engine.retrieve(ANA, WHICH_CITY, limit=5)
    assert SITS in texts_before
    assert SITS not in texts(after)
    assert not any("Nordhavn Shipping" in hit.path for hit in after)


async def test_a_way_as_of_then_does_not_tell_how_often_a_name_was_named_since(any_store_url):
    clock = FixedClock(NOON)
    async with opened(any_store_url, embedder=None, clock=clock) as engine:
        await told(engine, ANA, SITS, *NOISE, WORKS, SISTER)
        given = await engine.retrieve(ANA, WHICH_CITY, limit=6)
        clock.at = NOON + timedelta(days=9)
        await told(engine, ANA, *(f"Clara met Nordhavn Shipping about plan {n}." for n in range(9)))
        then = await engine.retrieve(ANA, WHICH_CITY, limit=6, where=Filter(known_at=NOON + timedelta(days=1)))
    assert [(hit.record.id, hit.score, hit.path) for hit in then] == [(hit.record.id, hit.score, hit.path) for hit in given]
