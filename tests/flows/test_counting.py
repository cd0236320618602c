"""Questions that count and list, answered from memories with all their evidence, and what they leave open."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cases import ANA, BEN, NORTH, opened

from muniment import Filter, Role, Turn


@pytest.fixture
async def engine(any_store_url):
    async with opened(any_store_url, embedder=None) as engine:
        yield engine


async def told(engine, *lines, scope=ANA, talk="talk", **given):
    """Lines of the user, each with the day of 2025 that it was said on, as `month/day text`."""
    turns = []
    for line in lines:
        day, _, text = line.partition(" ")
        month, _, of_month = day.partition("/")
        turns.append(Turn(text=text, said_at=datetime(2025, int(month), int(of_month), 12, tzinfo=UTC), **given))
    ids = (await engine.ingest(scope, turns, conversation=talk)).ids
    await engine.work.wait()
    return ids


def names(listing):
    return [item.name for item in listing.items]


async def test_a_list_is_whole_however_many_records_prove_it(engine):
    towns = [
        "Porto",
        "Lisbon",
        "Madrid",
        "Rome",
        "Athens",
        "Vienna",
        "Prague",
        "Berlin",
        "Oslo",
        "Dublin",
        "Cork",
        "Lyon",
        "Turin",
    ]
    for number, town in enumerate(towns):
        await told(
            engine, f"{number % 12 + 1}/3 I visited {town}.", f"{number % 12 + 1}/4 It rained and rained.", talk=f"talk {number}"
        )
    bundle = await engine.retrieve(ANA, "List all the cities I visited.", limit=3)
    listing = bundle.listing
    assert sorted(names(listing)) == sorted(towns)
    assert (listing.count, listing.complete) == (len(towns), True)
    assert len(listing.evidence) == len(towns) > len(bundle)
    assert [(await engine.get(ANA, one)).text for one in listing.items[0].evidence] == [f"I visited {listing.items[0].name}."]
    assert "slot visited" in listing.selected
    assert any(line.startswith(f"Counted in memories: {len(towns)} (by slot visited") for line in bundle.explanation)


async def test_what_was_said_twice_is_one_thing_with_both_its_records(engine):
    first = await told(engine, "2/1 I visited Porto.", talk="one")
    again = await told(engine, "5/1 I visited Porto.", "5/2 I visited Rome.", talk="two")
    listing = (await engine.retrieve(ANA, "How many cities did I visit?")).listing
    assert (listing.count, names(listing)) == (2, ["Porto", "Rome"])
    assert set(listing.items[0].evidence) == {first[0], again[0]}


async def test_a_window_and_the_speaker_bound_what_counts(engine):
    await told(engine, "2/1 I visited Porto.", "5/2 I visited Rome.", "5/9 My sister Lea visited Oslo.")
    assert names((await engine.retrieve(ANA, "Which cities did I visit in May 2025?")).listing) == ["Rome"]
    assert names((await engine.retrieve(ANA, "How many cities did I visit last year?")).listing) == ["Porto", "Rome"]
    assert names((await engine.retrieve(ANA, "Which cities did the user visit?")).listing) == ["Porto", "Rome"]
    assert names((await engine.retrieve(ANA, "Which cities did Lea visit?")).listing) == ["Oslo"]


async def test_a_named_speaker_is_asked_by_name_or_by_me(engine):
    await told(engine, "2/1 I visited Porto.", speaker="Ana")
    await told(engine, "2/2 I visited Oslo.", speaker="Rui")
    assert names((await engine.retrieve(ANA, "Which cities did Rui visit?")).listing) == ["Oslo"]
    assert sorted(names((await engine.retrieve(ANA, "Which cities did I visit?")).listing)) == ["Oslo", "Porto"]


async def test_what_no_longer_holds_counts_only_where_what_was_is_asked_for(engine):
    await told(engine, "2/1 I play tennis.", "3/1 I play chess.", "4/1 I no longer play tennis.")
    now = (await engine.retrieve(ANA, "Which sports do I play?")).listing
    assert names(now) == ["chess"]
    assert [memory.value for memory in now.past] == ["tennis"]
    assert "tennis" in names((await engine.retrieve(ANA, "Which sports did I ever play?")).listing)


async def test_what_is_not_so_is_left_out_and_counted_when_asked_for(engine):
    await told(engine, "2/1 I read Dune.", "3/1 I have not read Emma.")
    assert names((await engine.retrieve(ANA, "Which books did I read?")).listing) == ["user reads Dune"]
    assert [len(i.memories) for i in (await engine.retrieve(ANA, "Which books have I not read?")).listing.items] == [1]


async def test_times_are_occasions_not_values(engine):
    await told(engine, "5/3 I went running this morning.", "5/8 I went for a run today.", "6/1 I went running today.")
    listing = (await engine.retrieve(ANA, "How many times did I go running in May?")).listing
    assert listing.count == 2
    assert len(listing.evidence) == 2


async def test_what_was_decided_is_listed_by_its_matter(engine):
    await told(engine, "2/1 We decided to use Postgres because it is open.", "3/1 I decided to drop the Mango project.")
    assert (await engine.retrieve(ANA, "What have I decided?")).listing.count == 2
    assert names((await engine.retrieve(ANA, "What have I decided about Postgres?")).listing) == ["Postgres"]


async def test_what_memories_do_not_hold_is_never_made_up(engine):
    ids = await told(engine, "2/1 The doctor that I saw on Friday was kind.", "2/2 The weather is fine.")
    doctors = (await engine.retrieve(ANA, "Which doctors did I see?")).listing
    assert (doctors.items, doctors.count, doctors.complete) == ((), 0, False)
    assert doctors.unread == ids[:1]
    boats = await engine.retrieve(ANA, "How many boats do I own?")
    assert (boats.listing.count, boats.listing.complete) == (0, False)
    assert "No memory tells it, which is no proof that there is none." in boats.explanation
    assert boats.confidence < 0.9


async def test_a_number_in_a_value_and_a_pair_in_a_sentence_are_told(engine):
    await told(engine, "2/1 I have three cats.", "2/2 I traveled to Madrid and Sevilla.")
    pets = (await engine.retrieve(ANA, "How many pets do I have?")).listing
    assert (pets.count, pets.complete) == (1, False)
    assert "“three cats” tells a number of its own and counts once." in pets.notes
    assert "“Madrid” is told together with more." in (await engine.retrieve(ANA, "Which cities did I visit?")).listing.notes


async def test_a_question_that_counts_nothing_has_no_listing(engine):
    await told(engine, "2/1 I visited Porto.")
    assert (await engine.retrieve(ANA, "Where did I go?")).listing is None
    assert (await engine.retrieve(ANA, "How many?")).listing.notes


async def test_each_of_several_queries_has_its_own(engine):
    await told(engine, "2/1 I visited Porto.", "2/2 I play chess.")
    bundle = await engine.retrieve(ANA, ["Where did I go?", "How many cities did I visit?", "Which sports do I play?"])
    assert [one.listing and one.listing.count for one in bundle.queries] == [None, 1, 1]
    assert bundle.listing is bundle.queries[1].listing


async def test_only_what_may_be_seen_counts(engine):
    await told(engine, "2/1 I visited Porto.")
    await told(engine, "2/1 I visited Rome.", "2/2 I visited Oslo.", scope=BEN)
    await told(engine, "2/3 I visited Lyon.", scope=NORTH)
    question = "How many cities did I visit?"
    assert sorted(names((await engine.retrieve(ANA, question)).listing)) == ["Lyon", "Porto"]
    assert (await engine.retrieve(ANA, question, where=Filter(conversation="other"))).listing.count == 0
    assert (await engine.retrieve(ANA, question, where=Filter(role=Role.ASSISTANT))).listing.count == 0


async def test_what_was_forgotten_counts_no_more(engine):
    ids = await told(engine, "2/1 I visited Porto.", "2/2 I visited Rome.")
    await engine.forget(ANA, ids=ids[:1])
    assert names((await engine.retrieve(ANA, "Which cities did I visit?")).listing) == ["Rome"]


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("10/10 I went to Dr. Vale on 3 October, and to Dr. Moss on 9 October.", "Which doctors did I see?"),
        ("9/1 I read Dune in July and Emma in August.", "How many books did I read?"),
    ],
)
async def test_what_is_told_in_one_breath_with_more_is_no_whole_count(engine, line, question):
    await told(engine, line)
    listing = (await engine.retrieve(ANA, question)).queries[0].listing
    assert listing.count >= 1
    assert not listing.complete
    assert any("together with more" in note for note in listing.notes)


async def test_what_fills_the_slot_asked_for_is_not_told_to_be_far(engine):
    await told(engine, "6/1 I moved to Porto.")
    bundle = await engine.retrieve(ANA, "where do I live?")
    assert bundle.confidence >= 0.9
    assert not any("Low confidence" in line for line in bundle.explanation)
