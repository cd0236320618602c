"""Questions asked as of a moment: what was known then, and what held in the world then, the same on every store."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cases import ANA, BEN, opened, texts
from running_cli import Cli

from muniment import Filter, Turn
from muniment.errors import NotFound, QueryError
from muniment.testing import FixedClock


def day(month, of_month=1):
    return datetime(2025, month, of_month, 12, tzinfo=UTC)


@pytest.fixture
async def clock():
    return FixedClock(day(1))


@pytest.fixture
async def engine(any_store_url, clock):
    async with opened(any_store_url, embedder=None, clock=clock) as engine:
        yield engine


async def told(engine, clock, *lines, scope=ANA, talk="talk"):
    """Each text comes in on its day."""
    ids = []
    for at, text in lines:
        clock.at = at
        ids += (await engine.ingest(scope, [Turn(text=text, said_at=at)], conversation=talk)).ids
        await engine.work.wait()
    clock.at = day(12)
    return ids


PLANS = ((day(2), "I am on the Basic plan."), (day(5), "I upgraded to the Pro plan."), (day(8), "I upgraded to the Gold plan."))


def shown(bundle):
    return [(memory.value, memory.status.value) for memory in bundle.hits[0].memories]


async def test_what_came_later_is_not_there_and_what_gave_way_later_was_current(engine, clock):
    await told(engine, clock, *PLANS)
    then = await engine.retrieve(ANA, "Which plan am I on?", where=Filter(known_at=day(6)))
    assert sorted(texts(then)) == sorted(text for _, text in PLANS[:2])
    assert texts(then)[0] == PLANS[1][1]
    assert shown(then) == [("Pro", "current")]
    assert then.confidence >= 0.9
    assert then.health.searched == 2
    assert not len(await engine.retrieve(ANA, "Which plan am I on?", where={"known_at": day(1)}))
    now = await engine.retrieve(ANA, "Which plan am I on?")
    assert (texts(now)[0], shown(now)) == (PLANS[2][1], [("Gold", "current")])


async def test_an_answer_as_of_then_is_the_one_that_was_given_then(engine, clock):
    await told(engine, clock, *PLANS[:2], (day(5, 2), "The boat lies in Porto."))
    clock.at = day(6)
    given = await engine.retrieve(ANA, "Which plan am I on?")
    await told(engine, clock, *PLANS[2:], (day(9), "The Basic plan was cheap."), (day(10), "Which plan am I on? Gold."))
    then = await engine.retrieve(ANA, "Which plan am I on?", where=Filter(known_at=day(6)))
    assert [(hit.record.id, hit.score, hit.channels) for hit in then] == [
        (hit.record.id, hit.score, hit.channels) for hit in given
    ]
    assert [shown_ for hit in then for shown_ in hit.memories if shown_.replaced_by is None]
    assert then.confidence == given.confidence


async def test_what_held_in_the_world_then_comes_first(engine, clock):
    await told(engine, clock, *PLANS)
    for at, at_first, value in ((day(3), 0, "Basic"), (day(6), 1, "Pro"), (day(9), 2, "Gold")):
        bundle = await engine.retrieve(ANA, "Which plan am I on?", where=Filter(valid_at=at))
        assert texts(bundle)[0] == PLANS[at_first][1]
        assert shown(bundle) == [(value, "current")]
        assert len(bundle) == 3


async def test_what_held_only_later_is_not_yet_and_never_superseded(engine, clock):
    ids = await told(engine, clock, *PLANS, (day(9), "My dog is called Argos."))
    where = Filter(valid_at=day(1))
    bundle = await engine.retrieve(ANA, "Which plan am I on?", where=where)
    plans = [hit for hit in bundle if "plan" in hit.record.text]
    assert [[memory.status.value for memory in hit.memories] for hit in plans] == [["not_yet"]] * 3
    assert all(hit.not_yet and not hit.superseded for hit in plans)
    assert bundle.confidence < 0.9
    assert "plan of user: Basic (2025-02-01, not yet then), superseded by Pro (2025-05-01, not yet then)" in str(
        bundle.explanation
    )
    between = await engine.retrieve(ANA, "Which plan am I on?", where=Filter(valid_at=day(6)))
    assert shown(between) == [("Pro", "current")]
    assert {m.value: m.status.value for hit in between for m in hit.memories if m.attribute == "plan"} == {
        "Basic": "superseded", "Pro": "current", "Gold": "not_yet"
    }  # fmt: skip
    alone = await engine.retrieve(ANA, "What is my dog called?", where=where)
    assert [memory.status.value for memory in alone.hits[0].memories] == ["not_yet"]
    why = await engine.explain(ANA, "What is my dog called?", ids[3], where=where)
    assert any(line.startswith("Did not hold yet") and "from 2025-09-01 on" in line for line in why.explanation)


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("Which plan was I on as of March?", "Basic"),
        ("As of 1 March 2025, which plan am I on?", "Basic"),
        ("Which plan was I on as of 2025-06-03?", "Pro"),
        ("Which plan did I have as it stood in June?", "Pro"),
        ("Which plan am I on as of last month?", "Gold"),
    ],
)
async def test_as_of_in_a_question_asks_what_held_and_not_what_was_said_then(engine, clock, asked, value):
    await told(engine, clock, (day(3, 4), "In March it rained."), (day(6, 3), "It rained on 3 June 2025, too."), *PLANS)
    bundle = await engine.retrieve(ANA, asked)
    assert bundle.hits[0].memories[0].value == value
    assert bundle.confidence >= 0.9
    assert not any(hit.window for hit in bundle)
    assert any(line.startswith("Asked of what held then: 2025-") for line in bundle.explanation)
    assert not any(line.startswith("In no record") for line in bundle.explanation)


async def test_as_of_a_day_before_anything_held_nothing_is_sure(engine, clock):
    await told(engine, clock, *PLANS, (day(3), "I visited Porto."), (day(9), "I visited Rome."))
    assert (await engine.retrieve(ANA, "Which plan was I on as of 2024?")).confidence < 0.9
    count = (await engine.retrieve(ANA, "How many cities had I visited as of June?")).listing
    assert [item.name for item in count.items] == ["Porto"]


async def test_both_clocks_together(engine, clock):
    await told(engine, clock, *PLANS)
    bundle = await engine.retrieve(ANA, "Which plan am I on?", where=Filter(valid_at=day(9), known_at=day(6)))
    assert shown(bundle) == [("Pro", "current")]


async def test_D13_the_reference_stands_beside_the_wall_clock(engine, clock):
    await told(engine, clock, (day(2), "I planted beans."), (day(11), "I planted leeks."))
    bundle = await engine.retrieve(ANA, "What did I plant last month?", where=Filter(known_at=day(3)))
    assert texts(bundle) == ["I planted beans."]
    assert bundle.explanation[0] == "Asked as it was known at 2025-03-01 12:00 UTC; it is 2025-12-01 12:00 UTC now."
    assert any("2025-02-01 to 2025-02-28 (last month)" in line for line in bundle.explanation)


async def test_counting_and_several_queries_keep_to_the_moment(engine, clock):
    await told(engine, clock, (day(2), "I visited Porto."), (day(3), "I visited Rome."), (day(7), "I visited Porto again."))
    where = Filter(known_at=day(4))
    bundle = await engine.retrieve(ANA, ["How many cities did I visit?", "Porto"], where=where)
    assert bundle.listing.count == 2
    assert len(bundle.listing.evidence) == 2
    assert len((await engine.retrieve(ANA, "How many cities did I visit?")).listing.evidence) == 3
    assert len((await engine.retrieve(ANA, "How many cities did I visit?", where=Filter(known_at=day(2, 2)))).listing.items) == 1


async def test_sports_are_listed_as_they_were_played(engine, clock):
    await told(engine, clock, (day(2), "I play tennis."), (day(5), "I no longer play tennis."))
    asked = "Which sports do I play?"
    assert (await engine.retrieve(ANA, asked)).listing.count == 0
    assert (await engine.retrieve(ANA, asked, where=Filter(known_at=day(4)))).listing.count == 1
    assert (await engine.retrieve(ANA, asked, where=Filter(valid_at=day(4)))).listing.count == 1


async def test_explain_says_that_it_came_later(engine, clock):
    ids = await told(engine, clock, *PLANS)
    why = await engine.explain(ANA, "Which plan am I on?", ids[2], where=Filter(known_at=day(6)))
    assert why.code == "filtered"
    assert (await engine.explain(ANA, "Which plan am I on?", ids[1], where=Filter(known_at=day(6)))).code == "found"
    with pytest.raises(NotFound):
        await engine.explain(BEN, "Which plan am I on?", ids[1], where=Filter(known_at=day(6)))


async def test_what_was_erased_stays_erased(engine, clock):
    ids = await told(engine, clock, *PLANS)
    await engine.forget(ANA, ids=ids[1:2])
    then = await engine.retrieve(ANA, "Which plan am I on?", where=Filter(known_at=day(6)))
    assert texts(then) == [PLANS[0][1]]


async def test_others_move_nothing(engine, clock):
    await told(engine, clock, *PLANS)
    where = Filter(known_at=day(6))
    alone = await engine.retrieve(ANA, "Which plan am I on?", where=where)
    await told(engine, clock, *PLANS, scope=BEN)
    both = await engine.retrieve(ANA, "Which plan am I on?", where=where)
    assert [(hit.record.id, hit.score) for hit in both] == [(hit.record.id, hit.score) for hit in alone]
    assert (both.confidence, both.explanation, both.health) == (alone.confidence, alone.explanation, alone.health)


async def test_a_listing_of_records_knows_what_had_come_in_and_no_validity(engine, clock):
    await told(engine, clock, *PLANS)
    page = await engine.list(ANA, where=Filter(known_at=day(6)))
    assert [record.text for record in page.records] == [PLANS[1][1], PLANS[0][1]]
    with pytest.raises(QueryError) as refused:
        await engine.list(ANA, where=Filter(valid_at=day(6)))
    assert (refused.value.place, refused.value.reason) == ("valid_at", "unknown_filter")
    with pytest.raises(QueryError):
        Filter(known_at=datetime(2025, 1, 1))  # noqa: DTZ001  # that a time without a zone is refused is what is tested


def test_the_command_line_asks_as_of(tmp_path, monkeypatch):
    cli = Cli(tmp_path, monkeypatch)
    cli.said("The red boat lies in Porto.")
    told_ = cli.as_json("retrieve", "red boat", "--user", "ana", "--known-at", "2020-01-01")
    assert told_["hits"] == []
    assert told_["explanation"][0].startswith("Asked as it was known at 2020-01-01 00:00 UTC; it is ")
    assert len(cli.as_json("retrieve", "red boat", "--user", "ana", "--as-of", "2020-01-01")["hits"]) == 1


def test_before_anything_had_come_in_the_command_line_says_so_and_not_that_the_scope_is_empty(cli):
    cli("ingest", "-", "--user", "ana", stdin="I keep a red boat.")
    told = cli("retrieve", "red boat", "--user", "ana", "--known-at", "2020-01-01")
    assert "Nothing had come in here by" in told.err
    assert "ingest FILE" not in told.err
