"""Decisions asked for through the store: their pieces, precedents within a customer, and nothing beyond."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

import muniment
from muniment.architect import default_architecture
from muniment.curate.decisions import Decisions
from muniment.curate.sharing import Sharing
from muniment.errors import NotFound, QueryError, ScopeError
from muniment.ingest.pii import personal
from muniment.knowledge.values import Status
from muniment.testing.fakes import NOON, FixedClock
from muniment.types import Role, Scope, Turn

ANA = Scope(client="c", customer="acme", user="ana")
BEN = Scope(client="c", customer="acme", user="ben")
EVE = Scope(client="c", customer="other", user="eve")


@pytest.fixture
async def engine():
    async with muniment.open("memory://", embedder=None) as opened:
        yield opened


def sharing(engine, share="customer"):
    """The group with an architecture that shares decisions up to `share`."""
    standard = default_architecture()
    kinds = tuple(replace(kind, share=share) if kind.name == "decision" else kind for kind in standard.kinds)

    async def rules_of(_scope, _agent):
        return replace(standard, kinds=kinds)

    store = engine.decisions.store
    return Decisions(store, engine.clock, Sharing(store, engine.clock, engine.intake.state, rules_of, personal))


async def told(engine, scope, *texts, conversation="talk"):
    await engine.ingest(scope, [Turn(text=text) for text in texts], conversation=conversation)
    await engine.work.wait()


async def test_why_gives_reason_alternatives_and_evidence(engine):
    await told(engine, ANA, "We decided to use Postgres instead of MySQL because the JSON support is better.")
    answer = await engine.decisions.why(ANA, "Why did we choose Postgres?")
    best = answer.decisions[0]
    assert best.rationale == ("the JSON support is better",)
    assert best.alternatives == ("MySQL",)
    assert [record.text for record in best.records] == [
        "We decided to use Postgres instead of MySQL because the JSON support is better."
    ]


async def test_what_is_not_known_is_said(engine):
    nothing = await engine.decisions.why(ANA, "Why did we choose Postgres?")
    assert (bool(nothing), nothing.message) == (False, "No decision is known here.")
    await told(engine, ANA, "We decided to rent the smaller hall.")
    other = await engine.decisions.why(ANA, "Why did we choose Postgres?")
    assert (bool(other), other.searched) == (False, 1)
    unexplained = await engine.decisions.why(ANA, "Why did we rent the smaller hall?")
    assert unexplained.message.endswith("Of it no reason is known.")


async def test_an_outcome_told_later_stands_with_its_decision(engine):
    await told(engine, ANA, "We decided to use Postgres because of the tooling.")
    await told(engine, ANA, "The switch to Postgres paid off: latency fell by half.", conversation="weeks later")
    best = (await engine.decisions.why(ANA, "What came of Postgres?")).decisions[0]
    assert any("latency fell by half" in text for text in best.outcome)


async def test_a_reason_given_when_asked_stands_with_its_decision(engine):
    turns = [
        Turn(text="We decided to rent the smaller hall."),
        Turn(text="Good to know. Why did you choose that one?", role=Role.ASSISTANT),
        Turn(text="Because it has a kitchen."),
    ]
    await engine.ingest(ANA, turns, conversation="talk")
    await engine.work.wait()
    (best,) = await engine.decisions.list(ANA)
    assert best.rationale == ("it has a kitchen",)
    assert len(best.records) == 2


async def test_options_weighed_in_an_earlier_turn_go_when_that_turn_is_erased(engine):
    await told(engine, ANA, "Should we use Redis or Kafka for the jobs?", "We decided to use Kafka because it is known.")
    best = (await engine.decisions.list(ANA))[0]
    assert best.alternatives == ("Redis",)
    asked = [record for record in (await engine.list(ANA)).records if record.text.endswith("?")]
    await engine.forget(ANA, ids=[record.id for record in asked])
    assert (await engine.decisions.list(ANA))[0].alternatives == ()


async def test_a_shared_decision_is_a_precedent_for_colleagues_and_nobody_else(engine):
    group = sharing(engine)
    await told(engine, ANA, "We decided to go with Kestrel for parcels because they deliver on Saturdays.")
    mine = (await group.list(ANA))[0]
    question = "What did we decide about Kestrel?"
    assert not await group.precedents(BEN, question)
    await group.share(ANA, mine.memory.id)
    found = await group.precedents(BEN, question)
    assert [one.memory.scope for one in found.decisions] == [Scope(client="c", customer="acme")]
    assert found.decisions[0].rationale == ("they deliver on Saturdays",)
    assert not await group.precedents(EVE, question)


async def test_a_shared_decision_names_nobody(engine):
    group = sharing(engine)
    await engine.ingest(ANA, [Turn(text="I decided on Kestrel with Sarah Chen because they are quick.", speaker="Caroline")])
    await engine.work.wait()
    shared = await group.share(ANA, (await group.list(ANA))[0].memory.id)
    whole = f"{shared.memory} {shared.records}"
    assert "Caroline" not in whole
    assert "Sarah" not in shared.memory.text
    assert "ana" not in shared.memory.text.split()


async def test_sharing_is_refused_where_the_architecture_does_not_share(engine):
    await told(engine, ANA, "We decided to go with Kestrel for parcels.")
    mine = (await engine.decisions.list(ANA))[0].memory.id
    with pytest.raises(ScopeError) as refused:
        await engine.decisions.share(ANA, mine)
    assert refused.value.code == "not_shared"
    with pytest.raises(ScopeError):
        await sharing(engine).share(ANA, mine, to="client")
    with pytest.raises(NotFound):
        await sharing(engine).share(BEN, mine)


async def test_a_shared_decision_can_be_taken_back_with_its_record(engine):
    group = sharing(engine)
    await told(engine, ANA, "We decided to go with Kestrel for parcels.")
    shared = await group.share(ANA, (await group.list(ANA))[0].memory.id)
    assert await group.unshare(ANA, shared.memory.id) == 1
    assert not await group.precedents(BEN, "Kestrel parcels")
    assert (await engine.list(Scope(client="c", customer="acme"))).records == ()


async def test_commitments_are_listed_apart(engine):
    await told(engine, ANA, "I'll send the report by Friday.")
    (promise,) = await engine.decisions.list(ANA, kind="commitment")
    assert promise.memory.value == "send the report by Friday"
    assert await engine.decisions.list(ANA) == ()
    with pytest.raises(QueryError):
        await engine.decisions.list(ANA, kind="fact")


@pytest.mark.parametrize(
    "question",
    ["Why did we drop Kafka?", "Why did we choose Kafka for the queue?", "Why did we drop Postgres?", "Why did we fire Marta?"],
)
async def test_a_question_about_something_else_is_answered_by_nothing_however_near(engine, question):
    await told(
        engine,
        ANA,
        "We chose Postgres over MySQL because the JSON support is better.",
        "We chose NATS for the queue because it is small.",
    )
    assert not await engine.decisions.why(ANA, question)
    assert not await sharing(engine).precedents(ANA, question)
    assert (await engine.decisions.why(ANA, "Why did we drop MySQL?")).decisions[0].memory.value == "Postgres"


@pytest.mark.parametrize(
    ("promise", "later"),
    [
        ("I'll send the report by Friday.", "I sent the report."),
        ("I'll book the flights tomorrow.", "Flights are booked."),
        ("I will review Ben's draft tomorrow.", "I can't do the review after all."),
    ],
)
async def test_a_promise_that_was_kept_or_withdrawn_is_current_no_more(engine, promise, later):
    await told(engine, ANA, promise)
    assert await engine.decisions.list(ANA, kind="commitment")
    await told(engine, ANA, later, conversation="later")
    assert not await engine.decisions.list(ANA, kind="commitment")
    (past,) = await engine.decisions.list(ANA, kind="commitment", statuses=(Status.SUPERSEDED,))
    assert past.outcome == (later.rstrip("."),)
    assert [record.text for record in past.records] == [promise, later]
    assert past.memory.replaced_by is not None


@pytest.mark.parametrize("later", ["I sent the parcel.", "Did you send the report?", "I haven't sent the report yet."])
async def test_a_promise_stands_while_nothing_ends_it(engine, later):
    await told(engine, ANA, "I'll send the report by Friday.", later)
    assert len(await engine.decisions.list(ANA, kind="commitment")) == 1


async def test_what_came_of_a_decision_is_found_by_its_name_and_of_nothing_else(engine):
    await told(engine, ANA, "We chose Halvorsen over Brandt because they can start sooner.")
    await told(
        engine,
        ANA,
        "Halvorsen update: the roof is tight and the bill was fair.",
        "The garden is doing well.",
        conversation="later",
    )
    (one,) = await engine.decisions.list(ANA)
    assert one.outcome == ("Halvorsen update: the roof is tight and the bill was fair",)


async def test_a_promise_whose_time_is_over_is_told_as_overdue():
    clock = FixedClock(NOON)
    async with muniment.open("memory://", embedder=None, clock=clock) as engine:
        await engine.ingest(ANA, [Turn(text="I'll send the report tomorrow.", said_at=NOON)], conversation="talk")
        await engine.work.wait()
        assert [one.overdue for one in await engine.decisions.list(ANA, kind="commitment")] == [False]
        clock.advance(timedelta(days=9))
        assert [one.overdue for one in await engine.decisions.list(ANA, kind="commitment")] == [True]


CAUSE = "We decided to use Postgres instead of MySQL because it has better JSON support."
EFFECT = "We decided to drop Redis because Postgres can do the queue."


async def test_a_decision_is_tied_to_the_earlier_one_that_its_reason_names(engine):
    await told(engine, ANA, CAUSE, "We chose Berlin over Paris because rents are lower.", EFFECT)
    effect, other, cause = await engine.decisions.list(ANA)
    assert ([m.id for m in effect.because_of], effect.led_to) == ([cause.memory.id], ())
    assert (cause.because_of, [m.id for m in cause.led_to]) == ((), [effect.memory.id])
    assert (other.because_of, other.led_to) == ((), ())


async def test_reading_anew_ties_nothing_twice_and_forgetting_takes_the_tie_away(engine):
    (first,) = (await engine.ingest(ANA, [Turn(text=CAUSE)])).ids
    await told(engine, ANA, EFFECT)
    await engine.work.rederive(ANA)
    await engine.work.wait()
    effect, cause = await engine.decisions.list(ANA)
    assert (len(effect.because_of), len(cause.led_to)) == (1, 1)
    await engine.forget(ANA, ids=[first])
    (left,) = await engine.decisions.list(ANA)
    assert (left.because_of, left.memory.links) == ((), ())
