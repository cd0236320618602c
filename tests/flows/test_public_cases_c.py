"""Public cases of kind C: what is one entity and what is two, and whose it is."""

from __future__ import annotations

from cases import ANA, BEN, known, learn, lines, names

from muniment import Kind, Role, Turn
from muniment.knowledge.values import MemoryFilter, Status


async def test_C02_codes_that_differ_in_a_digit_are_two_entities(engine):
    await learn(engine, ANA, "Recommendation SR-2023-052 is closed.", "Recommendation SR-2023-053 is open.")
    assert await names(engine, ANA) == [["SR-2023-052"], ["SR-2023-053"]]
    assert [pair for pair in await engine.entities.review(ANA) if pair.merge.decided] == []


async def test_C03_names_that_share_their_beginning_or_their_end_are_apart(engine):
    await learn(engine, ANA, "The chip ASR1603 is in stock.", "The chip ASR1605 is out of stock.")
    await learn(engine, ANA, "We use @t/jest-native here", "We use @t/react-native here")
    assert await names(engine, ANA) == [["@t/jest-native"], ["@t/react-native"], ["ASR1603"], ["ASR1605"]]


HOLMES = [
    "Sherlock lives in London.",
    "Sherlock Holmes plays the violin.",
    "Mr. Holmes called today.",
    "Mycroft Holmes works at the Diogenes Club.",
    "Mycroft Holmes is the brother of Sherlock Holmes.",
]


async def test_C04_the_names_of_one_person_meet_and_his_brother_stands_apart(engine):
    await learn(engine, ANA, *HOLMES)
    people = [aliases for aliases in await names(engine, ANA) if any("Holmes" in alias for alias in aliases)]
    assert people == [["Mr. Holmes", "Sherlock", "Sherlock Holmes"], ["Mycroft Holmes"]]
    (told,) = await known(engine, ANA, MemoryFilter(attribute="plays"))
    assert told.subject == "Sherlock Holmes"


async def test_C04_a_name_taken_in_can_be_parted_again_and_stays_apart(engine):
    await learn(engine, ANA, *HOLMES)
    (whole,) = [e for e in await engine.entities.find(ANA, "Sherlock Holmes") if e.name == "Sherlock Holmes"]
    await engine.entities.split(ANA, whole.id, ["Mr. Holmes"])
    await learn(engine, ANA, "Mr. Holmes left again.")
    assert ["Mr. Holmes"] in await names(engine, ANA)


async def test_C04_a_merge_by_hand_is_undone_whole(engine):
    await learn(engine, ANA, "Ben Stone lives in Porto.", "Rita Blum lives in Faro.")
    before = await names(engine, ANA)
    (one,), (other,) = await engine.entities.find(ANA, "Ben Stone"), await engine.entities.find(ANA, "Rita Blum")
    joined = await engine.entities.merge(ANA, one.id, other.id)
    assert ["Ben Stone", "Rita Blum"] in await names(engine, ANA)
    await engine.entities.undo(ANA, joined.merge.id)
    assert await names(engine, ANA) == before


async def test_C06_many_valued_facts_hold_beside_each_other_and_only_a_functional_one_replaces(engine):
    tested = await learn(engine, ANA, *(f"The benchmark was tested with model {model}." for model in "ABC"))
    assert lines(tested) == [f"The benchmark was tested with model {model}" for model in "ABC"]
    moved = await learn(engine, ANA, "Ben lives in Porto.", "Ben lives in Faro.")
    assert [memory.value for memory in moved if memory.attribute == "lives_in"] == ["Faro"]
    assert len(moved) == 4


def ranked(bundle):
    """What was found, how well, and what it proves."""
    return [(hit.record.text, hit.score, [memory.id for memory in hit.memories]) for hit in bundle]


async def test_C07_what_one_user_tells_of_a_company_is_no_part_of_anothers(engine):
    await learn(engine, BEN, "I bought Apple shares.", "Apple shares rose.")
    asked = ["who is the boss at Apple?", "Apple", "shares"]
    before = [ranked(await engine.retrieve(BEN, question)) for question in asked]
    (mine,) = await engine.entities.find(BEN, "Apple")
    told = await engine.entities.show(BEN, mine.id)
    await learn(engine, ANA, "My boss at Apple is Kim.", "Apple hired me in 2020.")
    assert [ranked(await engine.retrieve(BEN, question)) for question in asked] == before
    assert (await engine.entities.show(BEN, mine.id)).entity == told.entity
    assert "Kim" not in str(await names(engine, BEN))


async def test_C08_one_name_in_two_scopes_is_two_rows_with_their_own_facts(engine):
    await learn(engine, ANA, "Acme Corp is based in Porto.", "Acme Corp uses Postgres.")
    await learn(engine, BEN, "Acme Corp is based in Oslo.", "Acme Corp uses Redis.")
    await learn(engine, ANA, "Acme Corp hired Rita.")
    found = {}
    for scope in (ANA, BEN):
        (entity,) = await engine.entities.find(scope, "Acme Corp")
        told = " ".join(memory.text for memory in (await engine.entities.show(scope, entity.id)).memories)
        found[entity.id] = told
    ana, ben = found.values()
    assert ("Oslo" in ana, "Redis" in ana, "Porto" in ben, "Rita" in ben) == (False, False, False, False)
    assert ana
    assert ben


async def test_C10_headings_of_a_template_from_two_files_are_no_one_thing(engine):
    pages = {
        "pump.md": ["# Task 5\n\nBen Stone wires the pump.", "# Task 6\n\nRita Blum paints the hull."],
        "rota.md": ["# Task 5\n\nBen Stone plans the rota.", "# Task 6\n\nRita Blum prints it."],
    }
    turns = [
        Turn(text=text, role=Role.DOCUMENT, kind=Kind.PASSAGE, ref=f"{name}#{n}", origin=name)
        for name, texts in pages.items()
        for n, text in enumerate(texts)
    ]
    told = await learn(engine, ANA, *turns)
    assert not [aliases for aliases in await names(engine, ANA) if len(aliases) > 1]
    assert all(memory.status is Status.CURRENT and len(memory.evidence) == 1 for memory in told)
    assert not await engine.entities.review(ANA)
