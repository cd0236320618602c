"""By hand: what is stated is clean, a slot says what its sentence says, and one value of a slot is current."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

import muniment
from muniment import Scope, Turn
from muniment.architect import default_architecture
from muniment.curate.rules_slot import changed_slot
from muniment.errors import InputError, MunimentError, NotFound, QueryError, ScopeError
from muniment.knowledge.values import MemoryFilter, Status
from muniment.testing.samples import sample_memory

ANA = Scope(client="c", user="ana")
EVERY = MemoryFilter(statuses=tuple(Status))
CARD = "4111 1111 1111 1111"
NAIVE = datetime(2026, 1, 1)  # noqa: DTZ001  # a time without a zone is what is refused


@pytest.fixture(params=["memory", "sqlite"])
def url(request, tmp_path):
    return "memory://" if request.param == "memory" else f"sqlite:///{tmp_path}/agent.db"


@pytest.fixture
async def engine(url):
    async with muniment.open(url, embedder=None) as opened:
        yield opened


async def says(engine, *texts):
    start = datetime(2026, 3, 2, 9, tzinfo=UTC)
    for number, text in enumerate(texts):
        await engine.ingest(ANA, [Turn(text=text, said_at=start + timedelta(days=number))], conversation="c")
        await engine.work.wait()


async def current(engine, **where):
    return (await engine.memories.list(ANA, MemoryFilter(**where))).memories


async def test_secrets_in_every_part_of_a_statement_are_masked_and_stand_nowhere_in_the_file(tmp_path):
    path = tmp_path / "agent.db"
    async with muniment.open(f"sqlite:///{path}", embedder=None) as engine:
        made = await engine.memories.add(
            ANA,
            f"The card is {CARD}",
            subject=f"card {CARD}",
            attribute="card",
            value=CARD,
            metadata={"password": "Trombone77kite"},
        )
        assert made.memory.value == "[card]"
        assert made.memory.subject == "card [card]"
        assert made.memory.metadata == {"password": "[secret]"}
        changed = await engine.memories.update(ANA, made.memory.id, "The card is another", value=CARD)
        assert changed.memory.value == "[card]"
        keyed = await engine.memories.add(ANA, "Ana has a key", attribute="password", value="Trombone77kite")
        assert keyed.memory.value == "[secret]"
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert CARD.encode() not in held
    assert b"Trombone77kite" not in held


async def test_nothing_is_written_when_the_rules_refuse_any_part_of_a_statement(engine):
    await engine.architecture.apply("pii:\n  card: refuse\n")
    for part in ({"value": CARD, "attribute": "card"}, {"metadata": {"note": CARD}}, {"subject": CARD}):
        with pytest.raises(InputError) as refused:
            await engine.memories.add(ANA, "Ana pays by card", **part)
        assert refused.value.code == "pii:card"
    assert not (await engine.list(ANA)).records
    assert not (await engine.memories.list(ANA, EVERY)).memories


async def test_what_is_sealed_in_a_value_can_be_revealed_and_goes_with_its_record(engine):
    await engine.architecture.apply("pii:\n  email: tokenise\n")
    made = (await engine.memories.add(ANA, "Ana has an address", attribute="email", value="ana@example.org")).memory
    (sealed,) = await engine.sealed.reveal(ANA, made.value)
    assert sealed.value == "ana@example.org"
    await engine.forget(ANA, ids=[made.evidence[0].record])
    assert not await engine.sealed.reveal(ANA, made.value)


async def test_a_correction_fills_the_slot_with_what_its_words_say(engine):
    await engine.memories.add(ANA, "Ana is allergic to nuts", attribute="allergic_to", value="nuts")
    done = await engine.memories.correct(ANA, "Ana allergic to nuts", "Ana is allergic to walnuts")
    assert (done.memory.attribute, done.memory.value, done.emptied) == ("allergic_to", "walnuts", "")
    assert [m.value for m in await current(engine)] == ["walnuts"]


async def test_a_correction_that_says_something_else_empties_the_slot_and_says_so(engine):
    await engine.memories.add(ANA, "Ana is allergic to nuts", attribute="allergic_to", value="nuts")
    done = await engine.memories.correct(ANA, "Ana allergic to nuts", "Ana eats everything")
    assert (done.memory.attribute, done.memory.value, done.emptied) == ("", "", "allergic_to")
    told = await engine.memories.update(ANA, done.memory.id, "Ana eats nearly everything")
    assert told.emptied == ""


async def test_the_thing_of_a_taste_changes_with_its_words(engine):
    await says(engine, "I like tea.")
    done = (await engine.memories.correct(ANA, "likes tea", "user likes coffee")).memory
    assert (done.attribute, done.value) == ("likes:coffee", "likes")
    done = (await engine.memories.correct(ANA, "likes coffee", "user hates coffee")).memory
    assert (done.attribute, done.value) == ("likes:coffee", "hates")


def memory_of(text, **fields):
    return replace(sample_memory(ANA, "said"), text=text, **fields)


def slot(text, new, **fields):
    memory = memory_of(text, attribute="lives_in", **fields)
    found = changed_slot(memory, new)
    return found.attribute, found.value


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("user lives in Porto", "User  lives in Lisbon.", ("lives_in", "Lisbon")),
        ("Porto is where user lives", "Faro is where user lives", ("lives_in", "Faro")),
        ("user lives in Porto", "user no longer lives in Porto", ("", "")),
        ("user lives in Porto", "user lives in Porto no longer", ("", "")),
        ("user lives in Porto", "user lives in", ("", "")),
        ("user lives in Portola", "user lives in Lisbon", ("", "")),
        ("user lives in Porto", "user lives in New York", ("lives_in", "New York")),
    ],
)
def test_a_value_follows_where_all_around_it_stays(old, new, expected):
    assert slot(old, new, value="Porto") == expected


def test_what_was_denied_stays_denied_while_only_its_value_changes():
    old = memory_of("user does not eat ham", attribute="eats", value="ham", negated=True)
    assert changed_slot(old, "user does not eat fish").negated
    assert not changed_slot(old, "user eats ham").negated


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=12))
def test_a_value_is_always_words_of_the_new_text(old, new, value):
    found = changed_slot(memory_of(old or "x", attribute="lives_in", value=value), new)
    assert not value or found.value in " ".join(new.split())


async def test_an_old_value_held_again_is_the_only_one_however_long_the_chain(engine):
    await says(engine, "I live in Porto.", "I moved to Lisbon.", "I moved to Faro.")
    (porto,) = [m for m in (await engine.memories.list(ANA, EVERY)).memories if m.value == "Porto"]
    done = await engine.memories.restore(ANA, porto.id)
    assert len(done.replaced) == 1
    assert [m.value for m in await current(engine, attribute="lives_in")] == ["Porto"]


async def test_an_old_value_held_again_unseats_what_came_after_a_gap(engine):
    await says(engine, "I live in Porto.")
    (porto,) = await current(engine)
    await engine.memories.retract(ANA, porto.id)
    await says(engine, "I live in Faro.")
    await engine.memories.restore(ANA, porto.id)
    assert [m.value for m in await current(engine, attribute="lives_in")] == ["Porto"]


async def test_a_slot_of_many_values_keeps_the_others_when_one_is_held_again(engine):
    one = (await engine.memories.add(ANA, "Ana is allergic to nuts", attribute="allergic_to", value="nuts")).memory
    await engine.memories.add(ANA, "Ana is allergic to eggs", attribute="allergic_to", value="eggs")
    await engine.memories.retract(ANA, one.id)
    await engine.memories.restore(ANA, one.id)
    assert {m.value for m in await current(engine)} == {"nuts", "eggs"}


async def test_what_a_retracted_value_had_taken_the_place_of_holds_again_and_gives_way_when_that_is_restored(engine):
    await says(engine, "I live in Porto.", "I moved to Lisbon.")
    (lisbon,) = await current(engine, attribute="lives_in")
    done = await engine.memories.retract(ANA, lisbon.id)
    (porto,) = await current(engine, attribute="lives_in")
    assert (porto.value, porto.id, porto.valid_to, porto.replaced_by) == ("Porto", done.again[0], None, None)
    hits = (await engine.retrieve(ANA, "Where does the user live?")).hits
    assert (hits[0].record.text, hits[0].superseded) == ("I live in Porto.", False)
    assert await engine.memories.restore(ANA, lisbon.id)
    (held,) = await current(engine, attribute="lives_in")
    assert held.value == "Lisbon"
    first, _ = await engine.memories.history(ANA, porto.id)
    assert (first.value, first.status, first.replaced_by) == ("Porto", Status.SUPERSEDED, lisbon.id)


async def test_nothing_holds_again_where_another_fills_the_slot_or_what_is_retracted_was_over(engine):
    await says(engine, "I live in Porto.", "I moved to Lisbon.", "I moved to Faro.")
    every = {m.value: m for m in (await engine.memories.list(ANA, EVERY)).memories}
    assert (await engine.memories.retract(ANA, every["Lisbon"].id)).again == ()
    assert [m.value for m in await current(engine, attribute="lives_in")] == ["Faro"]


async def test_a_correction_that_is_taken_back_leaves_what_it_corrected(engine):
    await says(engine, "I like tea.")
    (tea,) = await current(engine)
    coffee = (await engine.memories.update(ANA, tea.id, "user likes coffee")).memory
    assert (await engine.memories.retract(ANA, coffee.id)).again == (tea.id,)
    assert [m.text for m in await current(engine)] == [tea.text]


REFUSED = {
    "a filter that is none": lambda e: e.memories.list(ANA, {"atribute": "x"}),
    "a time without a zone": lambda e: e.memories.list(ANA, MemoryFilter(valid_at=NAIVE)),
    "since without a zone": lambda e: e.memories.list(ANA, MemoryFilter(since=NAIVE)),
    "a day as text": lambda e: e.memories.list(ANA, MemoryFilter(known_at="2026-01-01")),
    "one kind as text": lambda e: e.memories.list(ANA, MemoryFilter(kinds="fact")),
    "an unknown status": lambda e: e.memories.list(ANA, MemoryFilter(statuses=("bogus",))),
    "an unknown trust": lambda e: e.memories.list(ANA, MemoryFilter(trust="bogus")),
    "a subject that is no text": lambda e: e.memories.list(ANA, MemoryFilter(subject=3)),
    "a cursor that is no text": lambda e: e.memories.list(ANA, cursor=7),
    "no limit": lambda e: e.memories.list(ANA, limit=0),
    "an unknown kind": lambda e: e.memories.add(ANA, "Ana likes ham", kind="nope"),
    "a kind that is no text": lambda e: e.memories.add(ANA, "Ana likes ham", kind=None),
    "a blank text": lambda e: e.memories.add(ANA, "  "),
    "no text": lambda e: e.memories.add(ANA, 5),
    "a value that is no text": lambda e: e.memories.add(ANA, "Ana is 5", value=5),
    "a blank subject": lambda e: e.memories.add(ANA, "Ana is 5", subject=""),
    "metadata that is no text": lambda e: e.memories.add(ANA, "Ana is 5", metadata={"n": 5}),
    "a list as metadata": lambda e: e.memories.add(ANA, "Ana is 5", metadata=["n"]),
    "a blank id": lambda e: e.memories.get(ANA, " "),
    "an id that is no text": lambda e: e.memories.history(ANA, 5),
    "an update to nothing": lambda e: e.memories.update(ANA, "x", ""),
    "a value of an update that is no text": lambda e: e.memories.update(ANA, "x", "y", value=3),
    "a blank query": lambda e: e.memories.correct(ANA, "", "Ana likes ham"),
    "a correction to nothing": lambda e: e.memories.correct(ANA, "ham", ""),
    "nothing to take back": lambda e: e.memories.retract(ANA, None),
    "nothing to restore": lambda e: e.memories.restore(ANA, None),
    "nothing to hold": lambda e: e.memories.hold(ANA, None),
    "an audit of a text": lambda e: e.memories.audit("ana"),
    "a sweep of a text": lambda e: e.retention.sweep("x"),
    "entities of a text": lambda e: e.entities.list("ana"),
    "an entity cursor that is no text": lambda e: e.entities.list(ANA, cursor=3),
    "a name that is no text": lambda e: e.entities.find(ANA, 3),
    "a blank entity": lambda e: e.entities.show(ANA, ""),
    "a merge with nothing": lambda e: e.entities.merge(ANA, "a", None),
    "aliases as one text": lambda e: e.entities.split(ANA, "a", "Ben"),
    "an undo of nothing": lambda e: e.entities.undo(ANA, None),
    "a review of nothing": lambda e: e.entities.review(None),
    "an unknown kind of decision": lambda e: e.decisions.list(ANA, kind="fact"),
    "statuses as one text": lambda e: e.decisions.list(ANA, statuses="current"),
    "a blank question": lambda e: e.decisions.why(ANA, " "),
    "a question that is no text": lambda e: e.decisions.precedents(ANA, 3),
    "a decision without id": lambda e: e.decisions.share(ANA, None),
    "a share to nobody": lambda e: e.decisions.share(ANA, "x", to=None),
    "nothing to unshare": lambda e: e.decisions.unshare(ANA, ""),
    "a run without name": lambda e: e.runs.rollback(ANA, None, 3),
    "a rule without id": lambda e: e.runs.count(ANA, success=True, rule=""),
    "rules of a text": lambda e: e.runs.load("ana", []),
    "a token that is none": lambda e: e.sealed.reveal(ANA, [5]),
    "tokens that are none": lambda e: e.sealed.reveal(ANA, 5),
    "a digest that is none": lambda e: e.sealed.blob(ANA, 5),
}


async def test_what_cannot_be_asked_for_is_said_with_its_place_and_the_next_step():
    async with muniment.open("memory://", embedder=None) as engine:
        for name, ask in REFUSED.items():
            with pytest.raises(MunimentError) as refused:
                await ask(engine)
            assert isinstance(refused.value, QueryError | ScopeError | InputError), name
            assert refused.value.hint, name
            assert refused.value.place, name
        assert not (await engine.list(ANA)).records


async def test_an_unknown_kind_is_answered_with_the_kinds_there_are(engine):
    with pytest.raises(InputError) as refused:
        await engine.memories.add(ANA, "Ana likes ham", kind="nope")
    assert all(rule.name in refused.value.hint for rule in default_architecture().kinds if rule.enabled)
    with pytest.raises(NotFound):
        await engine.memories.get(ANA, "absent")


async def test_statuses_may_be_given_by_name(engine):
    await engine.memories.add(ANA, "Ana likes ham")
    page = await engine.memories.list(ANA, MemoryFilter(statuses=("current",)))
    assert len(page.memories) == 1


@pytest.mark.parametrize("order", [("Lisbon", "Madrid"), ("Madrid", "Lisbon")])
async def test_what_held_before_all_that_was_taken_back_holds_again(engine, order):
    await says(engine, "I live in Porto.", "I live in Lisbon.", "I live in Madrid.")
    ids = {m.value: m.id for m in (await engine.memories.list(ANA, EVERY)).memories}
    for city in order:
        await engine.memories.retract(ANA, ids[city])
    assert [m.value for m in await current(engine)] == ["Porto"]
    await engine.memories.restore(ANA, ids["Madrid"])
    assert (await engine.memories.get(ANA, ids["Porto"])).status is Status.SUPERSEDED


async def test_what_was_forgotten_leaves_no_day_on_what_it_replaced_which_holds_again():
    async with muniment.open("memory://", embedder=None) as engine:
        await says(engine, "I live in Porto.", "I live in Lisbon.")
        (lisbon,) = await current(engine)
        await engine.forget(ANA, ids=[lisbon.evidence[0].record])
        (porto,) = (await engine.memories.list(ANA, EVERY)).memories
        assert porto.valid_to is None
        assert "superseded" not in (await engine.assemble(ANA, "Where do I live?", budget=500)).compilation.text
        await engine.work.wait()
        assert [m.value for m in await current(engine)] == ["Porto"]
