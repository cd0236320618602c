"""Mentions become entities: one where it is surely one, two where it is surely two, a pair to look at where it is neither."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import Scope, Trust
from muniment.knowledge.architecture import EntityRule
from muniment.knowledge.entities import Named, keys_of, link, merge, undo
from muniment.knowledge.entities.link import FIRST_KEPT, LAST_KEPT
from muniment.knowledge.values import Evidence, Mention

ANA, BEN = Scope(client="acme", user="ana"), Scope(client="acme", user="ben")
NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
RULES = tuple(EntityRule(name=name) for name in ("person", "organisation", "place", "product"))


def named(text, kind="person", record="r1", start=0, trust=Trust.TRUSTED):
    mention = Mention(text=text, start=start, end=start + len(text), kind=kind)
    return Named(mention=mention, evidence=Evidence(record=record, start=start, end=start + len(text), said_at=NOON), trust=trust)


class World:
    """Entities of one scope, told mention by mention, each in a record of its own; looked up by keys as a store would."""

    def __init__(self, *told, scope=ANA, rules=RULES, shared=()):
        self.scope, self.rules, self.shared = scope, rules, shared
        self.entities, self.merges, self.count = {}, {}, 0
        for one in told:
            self.tell(*((one,) if isinstance(one, str) else one))

    def tell(self, text, kind="person", **more):
        self.count += 1
        more.setdefault("record", f"r{self.count}")
        return self.link(named(text, kind, **more))[0]

    def link(self, *several):
        keys = {key for one in several for key in keys_of(one.mention)}
        known = [e for e in self.entities.values() if not keys.isdisjoint(e.keys)]
        linked = link(several, known, self.shared, rules=self.rules, scope=self.scope, now=NOON)
        self.entities |= {e.id: e for e in linked.entities}
        self.merges |= {m.id: m for m in linked.merges}
        return linked.ids

    @property
    def live(self):
        return [e for e in self.entities.values() if e.merged_into is None]

    @property
    def names(self):
        return sorted(sorted(alias.text for alias in e.aliases) for e in self.live)

    @property
    def open(self):
        return [m for m in self.merges.values() if not m.decided]


def test_C02_serial_numbers_that_differ_in_a_digit_are_two():
    world = World(("SR-2023-052", "code"), ("SR-2023-053", "code"), ("sr-2023-052", "code"))
    assert world.names == [["SR-2023-052", "sr-2023-052"], ["SR-2023-053"]]
    assert not world.merges


def test_C03_codes_and_packages_with_one_beginning_stay_apart():
    assert len(World(*((text, "code") for text in ("ASR1603", "ASR1605", "@t/jest-native", "@t/react-native"))).live) == 4


def test_C04_one_sherlock_with_aliases_and_his_brother_apart():
    world = World("Sherlock", "Sherlock Holmes", "Mr. Holmes", "Mycroft Holmes", "Mr. Holmes")
    assert world.names == [["Mr. Holmes", "Sherlock", "Sherlock Holmes"], ["Mycroft Holmes"]]
    assert {e.name for e in world.live} == {"Sherlock Holmes", "Mycroft Holmes"}


def test_C04_a_surname_that_two_bear_is_left_open_until_somebody_decides():
    world = World("Sherlock Holmes", "Mycroft Holmes", "Mr. Holmes")
    assert len(world.live) == 3
    assert len(world.open) == 2


def test_C07_and_C08_what_another_scope_knows_is_not_looked_at():
    theirs = World(("Apple", "organisation"), scope=BEN)
    linked = link([named("Apple", "organisation")], list(theirs.entities.values()), (), rules=RULES, scope=ANA, now=NOON)
    assert linked.ids[0] not in theirs.entities
    assert linked.entities[0].scope == ANA
    assert not linked.merges


def test_vector_50_a_sibling_scope_gives_no_name_even_when_its_type_is_shared():
    rules = (EntityRule(name="person", share="client"),)
    private = World("Dr. Adrian Vale", scope=BEN, rules=rules)
    linked = link([named("Dr. Vale")], [], list(private.entities.values()), rules=rules, scope=ANA, now=NOON)
    assert linked.entities[0].name == "Dr. Vale"
    assert "adrian" not in " ".join(linked.entities[0].keys)


def test_a_shared_type_takes_the_canonical_name_from_above_and_nothing_else():
    rules = (EntityRule(name="organisation", share="client"),)
    above = World(("World Health Organization", "organisation"), ("the Geneva lot", "organisation"), scope=Scope(client="acme"))
    world = World(("WHO", "organisation"), rules=rules, shared=tuple(above.entities.values()))
    assert [e.name for e in world.live] == ["World Health Organization"]
    assert world.names == [["WHO"]]
    not_shared = World(("WHO", "organisation"), shared=tuple(above.entities.values()))
    assert [e.name for e in not_shared.live] == ["WHO"]


def test_C10_numbered_headings_of_different_records_never_merge():
    world = World(("Task 5", ""), ("Task 5", ""), ("Task 6", ""))
    assert len(world.live) == 3
    same = World()
    assert len(set(same.link(named("Task 5", "", "r9"), named("Task 5", "", "r9", start=40)))) == 1


def test_G07_three_spellings_of_one_name_are_one_entity_and_stay_as_written():
    world = World("Zoë", "Zoe\u0308", "ZOË")
    assert [{alias.text for alias in e.aliases} for e in world.live] == [{"Zoë", "Zoe\u0308", "ZOË"}]
    assert len(World("محمد", "مُحَمَّد").live) == 1
    assert len(World("が", "か").live) == 2


def test_a_full_name_joins_the_short_ones_said_before_it():
    world = World("Sarah", ("SC", ""), "Sarah Chen")
    assert world.names == [["SC", "Sarah", "Sarah Chen"]]
    assert [m.decided for m in world.merges.values()] == [True]


def test_a_merge_that_was_undone_is_not_made_again():
    world = World("Sarah", ("SC", ""), "Sarah Chen")
    made = next(iter(world.merges.values()))
    kept, other, _ = undo(made, world.entities[made.kept], world.entities[made.other], at=NOON)
    world.entities |= {kept.id: kept, other.id: other}
    world.merges.clear()
    world.tell("Sarah Chen")
    world.tell("SC", "")
    assert len(world.live) == 2
    assert not world.merges


@pytest.mark.parametrize(
    "told",
    [
        ("Joscelin Park", "Joss", "JP"),
        ("Joss", "JP", "Joscelin Park"),
        ("JP", "Joscelin Park", ("Joss", "")),
        (("JP", ""), ("Joss", ""), "Joscelin Park"),
    ],
)
def test_a_beginning_and_initials_of_the_only_one_who_fits_are_that_person(told):
    assert World(*told).names == [["JP", "Joscelin Park", "Joss"]]


def test_a_beginning_that_two_fit_is_left_open():
    world = World("Joscelin Park", "Josephine Reed", "Joss")
    assert len(world.live) == 3
    assert len(world.open) == 2
    assert World("Beatrix Holm", "Bea").names == [["Bea", "Beatrix Holm"]]


def test_a_short_form_of_men_and_women_is_left_to_look_at():
    world = World("Christine Martin", "Chris Martin")
    assert len(world.live) == 2
    assert [m.why["given_name"] for m in world.open] == [0.85]


def test_a_word_that_is_a_place_too_joins_a_person_only_as_a_person():
    assert len(World("Virginia Woolf", ("Virginia", "place")).live) == 2
    assert len(World("Virginia Woolf", ("Virginia", "")).live) == 2
    assert len(World("Virginia Woolf", "Virginia").live) == 1


def test_untrusted_words_join_nothing():
    world = World()
    world.tell("Sarah")
    world.tell("SC", "")
    world.tell("Sarah Chen", trust=Trust.UNTRUSTED)
    assert len(world.live) == 3
    assert not [m for m in world.merges.values() if m.decided]


def test_two_who_share_a_given_name_leave_the_bare_name_open():
    world = World("Sarah Chen", "Sarah Miller")
    first = world.tell("Sarah")
    assert len(world.live) == 3
    assert len(world.open) == 2
    assert all(m.why for m in world.open)
    assert world.tell("Sarah") == first
    assert len(world.open) == 2


def test_inside_one_record_a_bare_name_is_whom_the_record_names():
    world = World("Sarah Chen", "Sarah Miller")
    ids = world.link(named("Sarah Miller", record="r9"), named("Sarah", record="r9", start=30))
    assert len(set(ids)) == 1


def test_a_short_form_in_brackets_is_what_stands_before_it():
    world = World()
    text = "World Health Organization"
    ids = world.link(named(text, "organisation", "r1"), named("WHO", "organisation", "r1", start=len(text) + 2))
    assert len(set(ids)) == 1


def test_an_address_that_spells_a_whole_name_is_an_alias_of_the_person():
    world = World("Sarah Chen", ("sarah.chen@acme.test", "email"))
    assert [{alias.kind for alias in e.aliases} for e in world.live] == [{"name", "email"}]
    assert len(World("Sarah Chen", ("s@acme.test", "email")).live) == 2


def test_a_person_and_a_place_of_one_name_are_two():
    assert len(World("Paris", ("Paris", "place")).live) == 2


def test_a_threshold_of_its_type_decides():
    strict = (EntityRule(name="person", merge_at=0.99, review_at=0.5),)
    world = World("Sarah Chen", "Sarah", rules=strict)
    assert len(world.live) == 2
    assert [round(m.score, 2) for m in world.open] == [0.92]


def test_a_name_said_often_keeps_bounded_evidence_and_its_count():
    world = World(*["Caroline"] * 100)
    alias = world.live[0].aliases[0]
    assert alias.count == 100
    assert len(alias.evidence) == FIRST_KEPT + LAST_KEPT
    assert alias.evidence[0].record == "r1"
    assert alias.evidence[-1].record == "r100"


def test_the_same_evidence_twice_is_one_mention():
    world = World()
    world.tell("Ana", record="r1")
    world.tell("Ana", record="r1")
    assert world.live[0].aliases[0].count == 1


def test_dates_follow_what_was_said_and_not_when_it_came_in():
    early = NOON - timedelta(days=900)
    late = Named(
        mention=Mention(text="Ana", start=0, end=3, kind="person"),
        evidence=Evidence(record="r2", start=0, end=3, said_at=early),
    )
    world = World("Ana")
    world.link(late)
    assert (world.live[0].first_seen, world.live[0].last_seen) == (early, NOON)


def test_a_mention_of_a_merged_entity_goes_to_the_one_it_went_into():
    world = World("Bob", ("Acme", "organisation"), ("Globex", "organisation"))
    acme, globex = (e for e in world.live if e.kind == "organisation")
    kept, gone, _ = merge(acme, globex, at=NOON)
    world.entities |= {kept.id: kept, gone.id: gone}
    assert world.tell("Globex", "organisation") == acme.id


def test_ids_are_the_same_for_the_same_words_of_the_same_record():
    assert World("Ana", "Bob").entities.keys() == World("Ana", "Bob").entities.keys()
    assert World("Ana").entities.keys() != World("Ana", scope=BEN).entities.keys()


@pytest.mark.parametrize(
    "text", ["", " ", "\ud800", "\0", "👩‍👩‍👧", "A" * 100_000, "-" * 1000, "שלום", "a\u0301" * 5000, "((((", "+++"]
)
def test_no_text_is_an_error(text):
    assert len(World((text, ""), (text, "person"), (text, "code"), (text, "place"), (text, "email")).entities) >= 1


NAMES = st.sampled_from(
    [
        "Sarah",
        "Sarah Chen",
        "SC",
        "Dr. Chen",
        "Sarah Miller",
        "Bob",
        "Robert Miller",
        "R. Miller",
        "WHO",
        "Acme",
        "Acme Inc",
        "Mr. Chen",
    ]
)


@given(st.lists(st.tuples(NAMES, st.sampled_from(["person", "organisation", ""])), max_size=12))
def test_every_mention_has_one_live_entity_that_says_its_name_and_contradictions_never_share_one(told):
    world = World()
    for text, kind in told:
        id_ = world.tell(text, kind)
        assert world.entities[id_].merged_into is None
        assert text in {alias.text for alias in world.entities[id_].aliases}
    for entity in world.live:
        names = {alias.text for alias in entity.aliases}
        assert not {"Sarah Chen", "Sarah Miller"} <= names
        assert not {"Sarah Chen", "Robert Miller"} <= names
        assert entity.scope == ANA


@given(st.lists(NAMES, max_size=8), st.lists(NAMES, max_size=8))
def test_what_one_scope_says_changes_nothing_in_another(mine, theirs):
    alone = World(*mine)
    other = World(*theirs, scope=BEN)
    beside = World()
    for number, text in enumerate(mine):
        linked = link(
            [named(text, record=f"r{number + 1}")],
            [*beside.entities.values(), *other.entities.values()],
            rules=RULES,
            scope=ANA,
            now=NOON,
        )
        beside.entities |= {e.id: e for e in linked.entities}
    assert beside.entities == alone.entities
