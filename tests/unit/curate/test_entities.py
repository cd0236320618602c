"""Entities by hand, on both stores: what a merge joins an undo parts, and nothing of another scope is ever reached."""

from __future__ import annotations

import pytest

from muniment import Scope
from muniment.curate.entities import EntityCuration
from muniment.errors import NotFound, QueryError
from muniment.knowledge.architecture import EntityRule
from muniment.knowledge.entities import Named, keys_of, link
from muniment.knowledge.values import Changes, Evidence, Mention, Wanted
from muniment.plugins import open_store
from muniment.testing.fakes import NOON, FixedClock
from muniment.testing.samples import sample_memory, sample_record, sample_write
from muniment.types import RecordId

ANA, BEN = Scope(client="acme", user="ana"), Scope(client="acme", user="ben")
RULES = tuple(EntityRule(name=name) for name in ("person", "organisation"))


@pytest.fixture(params=["memory", "file"])
async def store(request, tmp_path):
    opened = await open_store("memory://" if request.param == "memory" else f"sqlite:///{tmp_path}/store.db")
    yield opened
    await opened.close()


@pytest.fixture
def hands(store):
    return EntityCuration(store, FixedClock(NOON))


async def told(store, text, *names, scope=ANA, kind="person"):
    """Write a record that names these, and link them as ingest would; returns their entities' ids."""
    await store.put([sample_write(scope, text, dim=0)])
    record = RecordId(sample_record(scope, text).id)
    named = []
    for name in names:
        start = text.index(name)
        mention = Mention(text=name, start=start, end=start + len(name), kind=kind)
        named.append(Named(mention=mention, evidence=Evidence(record=record, start=start, end=start + len(name), said_at=NOON)))
    ids = []

    def decide(known):
        linked = link(named, known.entities, known.shared, rules=RULES, scope=scope, now=NOON)
        ids[:] = linked.ids
        return Changes(entities=linked.entities, merges=linked.merges)

    keys = tuple(key for one in named for key in keys_of(one.mention))
    await store.settle(scope, Wanted(keys=keys), decide, at=NOON)
    return ids


async def names(hands, scope=ANA):
    page = await hands.list(scope)
    return sorted(sorted(alias.text for alias in e.aliases) for e in page.entities)


async def test_a_merge_joins_two_and_an_undo_parts_them_again(store, hands):
    (sarah,) = await told(store, "Sarah called.", "Sarah")
    (rose,) = await told(store, "Rosie wrote.", "Rosie")
    joined = await hands.merge(ANA, sarah, rose, by="ana")
    assert await names(hands) == [["Rosie", "Sarah"]]
    assert (joined.kept.id, joined.other.merged_into, joined.merge.by) == (sarah, sarah, "ana")
    parted = await hands.undo(ANA, joined.merge.id, by="ana")
    assert await names(hands) == [["Rosie"], ["Sarah"]]
    assert parted.merge.undone
    with pytest.raises(QueryError, match="does not stand between"):
        await hands.undo(ANA, joined.merge.id)


async def test_the_next_mention_follows_what_was_merged_by_hand(store, hands):
    (sarah,) = await told(store, "Sarah called.", "Sarah")
    (rose,) = await told(store, "Rosie wrote.", "Rosie")
    await hands.merge(ANA, sarah, rose)
    assert await told(store, "Rosie is back.", "Rosie") == [sarah]


async def test_show_gathers_what_is_told_of_every_part(store, hands):
    (sarah,) = await told(store, "Sarah called.", "Sarah")
    (rose,) = await told(store, "Rosie wrote.", "Rosie")
    memory = sample_memory(ANA, "Rosie wrote.", subject="Rosie", subject_id=rose)
    await store.settle(ANA, Wanted(), lambda _: Changes(memories=(memory,)), at=NOON)
    await hands.merge(ANA, sarah, rose)
    for asked in (sarah, rose):
        shown = await hands.show(ANA, asked)
        assert (shown.asked, shown.entity.id) == (asked, sarah)
        assert [part.id for part in shown.parts] == [rose]
        assert [m.id for m in shown.memories] == [memory.id]
        assert shown.memories[0].subject_id == rose
        assert len(shown.merges) == 1
        assert {alias.text: [e.record for e in alias.evidence] for alias in shown.entity.aliases} == {
            "Sarah": [sample_record(ANA, "Sarah called.").id],
            "Rosie": [sample_record(ANA, "Rosie wrote.").id],
        }


async def test_a_split_parts_names_and_they_stay_parted(store, hands):
    (sarah,) = await told(store, "Sarah called.", "Sarah")
    await told(store, "Sarah Chen wrote.", "Sarah Chen")
    parted = await hands.split(ANA, sarah, ["Sarah"])
    assert await names(hands) == [["Sarah"], ["Sarah Chen"]]
    assert await told(store, "Sarah came.", "Sarah") == [parted.other.id]
    for wrong in ([], ["Zoe"], ["Sarah Chen"]):
        with pytest.raises(QueryError, match="a split takes some"):
            await hands.split(ANA, sarah, wrong)


async def test_C04_an_unsure_pair_waits_for_review_and_can_be_closed_either_way(store, hands):
    await told(store, "Sherlock Holmes and Mycroft Holmes met.", "Sherlock Holmes", "Mycroft Holmes")
    (bare,) = await told(store, "Mr. Holmes left.", "Mr. Holmes")
    pairs = await hands.review(ANA)
    assert {pair.kept.name for pair in pairs} == {"Sherlock Holmes", "Mycroft Holmes"}
    assert all(pair.other.id == bare and pair.merge.why for pair in pairs)
    not_him = next(pair for pair in pairs if pair.kept.name == "Mycroft Holmes")
    him = next(pair for pair in pairs if pair.kept.name == "Sherlock Holmes")
    await hands.undo(ANA, not_him.merge.id)
    assert [pair.kept.name for pair in await hands.review(ANA)] == ["Sherlock Holmes"]
    await hands.merge(ANA, him.kept.id, bare)
    assert await hands.review(ANA) == ()
    assert await names(hands) == [["Mr. Holmes", "Sherlock Holmes"], ["Mycroft Holmes"]]


async def test_C08_another_scope_has_rows_of_its_own_and_reaches_none_of_these(store, hands):
    (mine,) = await told(store, "Acme called.", "Acme", kind="organisation")
    (theirs,) = await told(store, "Acme wrote.", "Acme", scope=BEN, kind="organisation")
    (other,) = await told(store, "Globex wrote.", "Globex", scope=BEN, kind="organisation")
    assert mine != theirs
    joined = await hands.merge(BEN, theirs, other)
    for attempt in (
        hands.show(ANA, theirs),
        hands.merge(ANA, mine, theirs),
        hands.split(ANA, theirs, ["Acme"]),
        hands.undo(ANA, joined.merge.id),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert await names(hands) == [["Acme"]]
    assert await hands.review(ANA) == ()


async def test_find_knows_short_forms_and_other_spellings(store, hands):
    (zoe,) = await told(store, "Zoë Brandt called.", "Zoë Brandt")
    for asked in ("zoe brandt", "Zoë", "ZB"):
        assert [e.id for e in await hands.find(ANA, asked)] == [zoe]
    assert await hands.find(ANA, "Nobody") == ()
    assert await hands.find(ANA, "  ") == ()


async def test_a_page_has_a_limit(hands):
    with pytest.raises(QueryError):
        await hands.list(ANA, limit=0)
