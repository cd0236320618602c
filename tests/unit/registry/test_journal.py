"""The journal: every mutation once, replay reproduces the state, undo is new changes, and the past can be compared."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import BlockError
from muniment.registry import Journal, Op, Principal, Registry, Right, replay
from muniment.registry.journal import content_hash, difference
from muniment.types import Band, Source, Trust


def ticking():
    minutes = count()
    return lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=next(minutes))


def registry_of(names, **options):
    registry = Registry(**options)
    return registry, {name: registry.write(f"text of {name}", name=name) for name in names}


def names(blocks):
    return "".join(block.name for block in blocks)


def refused(code, call, *args, **kwargs):
    with pytest.raises(BlockError) as error:
        call(*args, **kwargs)
    assert error.value.reason == code
    assert error.value.hint
    return error.value


class TestEntries:
    def test_every_mutation_stands_there_once_with_its_version(self):
        registry, ids = registry_of("abc")
        registry.edit(ids["a"], "new")
        registry.promote(ids["c"], to="front")
        registry.reorder([ids["b"]])
        registry.evict(ids["a"])
        entries = registry.journal.entries
        assert [change.op for change in entries] == [*[Op.WRITE] * 3, Op.EDIT, Op.MOVE, Op.REORDER, Op.EVICT]
        assert [change.version for change in entries] == list(range(1, 8)) == list(range(1, registry.version + 1))

    def test_what_changes_nothing_is_no_change(self):
        registry, ids = registry_of("abc")
        registry.edit(ids["a"], "text of a")
        registry.promote(ids["a"], to="front")
        registry.demote(ids["c"])
        registry.reorder([ids["a"], ids["b"]])
        registry.reorder([])
        registry.load([])
        assert registry.rollback("no such run").removed == ()
        assert registry.version == len(registry.journal.entries) == 3

    def test_a_failed_call_leaves_no_trace(self):
        registry, ids = registry_of("ab")
        before = (registry.journal, registry.version, registry.blocks)
        refused("unknown_block", registry.reorder, [ids["b"], "nobody"])
        refused("unknown_block", registry.group, [ids["b"], "nobody"], name="g")
        refused("not_text", registry.edit, ids["a"], 7)
        assert (registry.journal, registry.version, registry.blocks) == before

    def test_the_changes_of_one_call_share_a_step_and_a_time(self):
        registry, ids = registry_of("abcd", clock=ticking())
        registry.group([ids["a"], ids["d"]], name="g")
        made = registry.journal.entries[4:]
        assert len(made) > 1
        assert {change.step for change in made} == {5}
        assert {change.at for change in made} == {datetime(2026, 1, 1, 0, 4, tzinfo=UTC)}

    def test_a_block_is_as_old_as_the_change_that_wrote_it(self):
        registry, _ = registry_of("ab", clock=ticking())
        assert [block.created for block in registry] == [change.at for change in registry.journal.entries]
        assert registry_of("a")[0].blocks[0].created is None

    def test_entries_name_who_acted_and_in_which_run(self):
        registry = Registry()
        agent = Principal("agent")
        agent.accept(registry.invite(Right.WRITE)).write("x", name="x", run="r1")
        registry.rollback("r1")
        written, rolled_back = registry.journal.entries
        assert (written.actor, written.run, written.note) == (agent.id, "r1", "")
        assert (rolled_back.actor, rolled_back.run, rolled_back.note) == (registry.author, "r1", "rollback of r1")

    def test_the_journal_is_a_value_that_later_changes_do_not_touch(self):
        registry, ids = registry_of("ab")
        journal = registry.journal
        registry.evict(ids["a"])
        assert (journal.version, names(journal.blocks), len(journal.entries)) == (2, "ab", 2)
        assert repr(journal) == "<Journal of versions 0 to 2>"


class TestAudit:
    def test_an_audit_has_names_and_hashes_but_neither_texts_nor_ids(self):
        registry = Registry(clock=ticking())
        block_id = registry.write("the secret text", name="rule", run="r1")
        registry.edit(block_id, "another secret text")
        registry.promote(block_id, to="front")
        registry.evict(block_id)
        lines = registry.journal.to_json_lines()
        rows = [json.loads(line) for line in lines.splitlines()]
        assert [row["op"] for row in rows] == ["write", "edit", "evict"]
        assert {row["name"] for row in rows} == {"rule"}
        assert rows[0]["at"] == "2026-01-01T00:00:00+00:00"
        assert (rows[0]["before"], rows[2]["after"]) == ("", "")
        assert rows[0]["after"] == rows[1]["before"] != rows[1]["after"] == rows[2]["before"]
        assert "secret" not in lines
        assert block_id not in lines

    def test_a_hash_tells_what_a_block_says_and_is_but_not_its_id(self):
        one, other = Registry(principal=(me := Principal())), Registry(principal=me)
        blocks = [r.get(r.write("x", name="x", tags=["t"])) for r in (one, other)]
        assert blocks[0].id != blocks[1].id
        assert content_hash(blocks[0]) == content_hash(blocks[1])
        assert content_hash(one.edit(blocks[0].id, tags=["u"])) != content_hash(blocks[1])


class TestPast:
    def test_at_shows_any_version(self):
        registry, ids = registry_of("abc")
        registry.promote(ids["c"], to="front")
        registry.evict(ids["a"])
        registry.reorder([ids["b"]])
        journal = registry.journal
        assert [names(journal.at(version)) for version in range(7)] == ["", "a", "ab", "abc", "cab", "cb", "bc"]

    def test_versions_that_never_were_are_refused(self):
        registry, _ = registry_of("ab")
        for version in (-1, 3, "1", None, True, 1.0):
            refused("range", registry.journal.at, version)
            if version is not None:
                refused("range", registry.undo, to=version)

    def test_old_changes_are_forgotten_beyond_the_limit(self):
        registry, ids = registry_of("abcde", history=3)
        assert registry.journal.oldest == 2
        assert names(registry.journal.at(2)) == "ab"
        error = refused("forgotten", registry.journal.at, 1)
        assert "history" in error.hint
        refused("forgotten", registry.undo, to=1)
        registry.undo(to=2)
        assert names(registry) == "ab"
        assert ids["c"] not in registry

    def test_without_a_history_nothing_is_kept_of_what_is_gone(self):
        registry, ids = registry_of("ab", history=0)
        registry.evict(ids["a"])
        assert registry.journal.entries == ()
        assert registry.version == 3
        refused("forgotten", registry.undo)

    def test_diff_tells_added_removed_edited_and_moved_blocks(self):
        registry, ids = registry_of("abcde")
        registry.promote(ids["e"], to="front")
        registry.evict(ids["b"])
        registry.edit(ids["c"], "new words")
        registry.write("x", name="f")
        found = registry.journal.diff(5)
        assert [names(part) for part in (found.added, found.removed, found.moved)] == ["f", "b", "e"]
        assert [(old.text, new.text) for old, new in found.edited] == [("text of c", "new words")]
        back = registry.journal.diff(registry.version, 5)
        assert [names(part) for part in (back.added, back.removed, back.moved)] == ["b", "f", "e"]
        assert not registry.journal.diff(5, 5)

    def test_what_was_moved_is_told_by_the_fewest_blocks(self):
        registry, ids = registry_of("abcdef")
        registry.promote(ids["a"], to="back")
        registry.promote(ids["d"], to="front")
        assert set(names(registry.journal.diff(6).moved)) == {"a", "d"}

    @given(st.permutations(range(7)))
    def test_the_unmoved_rest_of_any_permutation_keeps_its_order(self, order):
        blocks = registry_of("abcdefg")[0].blocks
        new = [blocks[place] for place in order]
        moved = difference(blocks, new).moved
        rest = [block.name for block in new if block not in moved]
        assert rest == sorted(rest)


class TestUndo:
    @pytest.mark.parametrize(
        "change",
        [
            lambda r, ids: r.write("x", name="x", position=1),
            lambda r, ids: r.evict(ids["b"]),
            lambda r, ids: r.edit(ids["b"], "new", priority=1, tags=["t"]),
            lambda r, ids: r.promote(ids["d"], to="front"),
            lambda r, ids: r.demote(ids["a"], 2),
            lambda r, ids: r.reorder([ids["d"], ids["b"]]),
            lambda r, ids: r.group([ids["c"], ids["a"]], name="g", budget_as_unit=True),
            lambda r, ids: r.rollback("r"),
        ],
    )
    def test_any_call_can_be_undone_whole(self, change):
        registry, ids = registry_of("abcd")
        for name in "ef":
            registry.write("x", name=name, run="r", removable=False)
        before, version = registry.blocks, registry.version
        change(registry, ids)
        assert registry.blocks != before
        assert registry.undo() == version
        assert registry.blocks == before

    def test_undo_goes_further_back_each_time_and_keeps_the_journal(self):
        registry, ids = registry_of("abc")
        registry.evict(ids["a"])
        registry.edit(ids["b"], "new")
        for expected in ("bc", "abc", "ab"):
            registry.undo()
            assert names(registry) == expected
        assert registry.get(ids["b"]).text == "text of b"
        assert registry.version == len(registry.journal.entries) == 8
        assert registry.journal.entries[-1].note == "undo to version 2"

    def test_a_new_call_after_an_undo_is_undone_first(self):
        registry, ids = registry_of("abc")
        registry.undo()
        registry.edit(ids["a"], "new")
        registry.undo()
        assert (names(registry), registry.get(ids["a"]).text) == ("ab", "text of a")
        registry.undo()
        assert names(registry) == "a"

    def test_an_undo_is_undone_by_its_version(self):
        registry, ids = registry_of("abc")
        registry.promote(ids["c"], to="front")
        version = registry.version
        registry.undo(to=0)
        assert names(registry) == ""
        registry.undo(to=version)
        assert names(registry) == "cab"
        assert registry.get(ids["a"]).text == "text of a"

    def test_with_nothing_left_undo_says_so(self):
        registry, _ = registry_of("a")
        registry.undo()
        refused("nothing_to_undo", registry.undo)
        refused("nothing_to_undo", Registry().undo)

    def test_a_version_inside_one_call_is_no_state_to_go_back_to(self):
        registry, ids = registry_of("abc")
        registry.group([ids["c"], ids["a"]], name="g")
        for inside in range(4, registry.version):
            assert "3" in refused("range", registry.undo, to=inside).hint
        registry.undo(to=3)
        assert names(registry) == "abc"

    def test_an_undo_is_refused_where_it_would_remove_what_another_made_irremovable(self):
        registry, _ = registry_of("a")
        agent = Principal().accept(registry.invite(Right.WRITE))
        agent.write("keep", name="f", removable=False)
        registry.write("mine", name="b")
        before = (registry.blocks, registry.journal)
        assert "'f'" in refused("not_owner", registry.undo, to=1).message
        assert (registry.blocks, registry.journal) == before
        registry.undo()
        assert names(registry) == "af"

    def test_an_undo_does_not_put_words_into_anothers_mouth(self):
        registry = Registry()
        agent = Principal().accept(registry.invite(Right.WRITE))
        block_id = agent.write("first", name="f")
        agent.edit(block_id, "second")
        refused("not_owner", registry.undo, to=1)
        assert registry.get(block_id).text == "second"
        assert registry.undo() == 0  # the call before is the last that can be taken back: a removable block was written
        assert names(registry) == ""

    def test_an_undo_does_not_bring_back_what_its_author_took_away_for_good(self):
        registry = Registry()
        agent = Principal().accept(registry.invite(Right.WRITE))
        agent.evict(agent.write("never mind", name="f", removable=False), force=True)
        refused("not_owner", registry.undo, to=1)
        refused("nothing_to_undo", registry.undo)
        assert names(registry) == ""

    def test_no_guest_stands_in_the_way_of_taking_back_ones_own_step(self):
        registry, ids = registry_of("a")
        registry.edit(ids["a"], "oops")
        agent = Principal().accept(registry.invite(Right.WRITE))
        for number in range(3):
            agent.write("keep", name=f"f{number}", removable=False)
        assert registry.undo() == 1
        assert registry.get(ids["a"]).text == "text of a"
        assert [block.name for block in registry] == ["a", "f0", "f1", "f2"]
        still = registry.journal.diff(1)
        assert [block.name for block in still.added] == ["f0", "f1", "f2"]
        assert (still.removed, still.edited, still.moved) == ((), (), ())
        assert registry.journal.entries[-1].note == "undo to version 1, but for what is of others"
        registry.undo()
        assert [block.name for block in registry] == ["f0", "f1", "f2"]
        refused("nothing_to_undo", registry.undo)

    def test_a_guests_irremovable_block_in_front_is_no_step_to_take_back(self):
        registry, ids = registry_of("a")
        registry.edit(ids["a"], "oops")
        agent = Principal().accept(registry.invite(Right.WRITE, bands=list(Band), trust=Trust.TRUSTED))
        agent.write("keep", name="f", band=Band.STABLE, position=0, removable=False)
        assert registry.undo() == 1
        assert registry.get(ids["a"]).text == "text of a"

    def test_an_undo_leaves_what_others_said_and_where_they_grouped_it(self):
        registry, ids = registry_of("ab")
        agent = Principal().accept(registry.invite(Right.READ, Right.WRITE, Right.MOVE, bands=list(Band), trust=Trust.TRUSTED))
        held = agent.write("first", name="f", band=Band.STABLE, removable=False)
        registry.edit(ids["a"], "oops")
        agent.edit(held, "second", prefix="- ")
        agent.promote(held, to="front")
        for _ in range(2):
            registry.undo()
        assert registry.get(ids["a"]).text == "text of a"
        assert (registry.get(held).text, registry.get(held).prefix) == ("second", "- ")
        assert names(registry) == "abf"

    def test_undo_says_so_when_the_journal_holds_too_little(self):
        registry, ids = registry_of("a", history=5)
        registry.edit(ids["a"], "oops")
        agent = Principal().accept(registry.invite(Right.WRITE))
        for _ in range(5):
            agent.write("keep", name="f", removable=False)
        before = registry.blocks
        refused("forgotten", registry.undo)
        assert registry.blocks == before

    def test_what_came_and_went_in_between_is_no_hindrance(self):
        registry, _ = registry_of("a")
        agent = Principal().accept(registry.invite(Right.WRITE))
        agent.evict(agent.write("never mind", name="f", removable=False), force=True)
        registry.undo(to=0)
        assert names(registry) == ""

    def test_the_owner_can_undo_what_others_did_to_its_own_blocks(self):
        registry = Registry()
        block_id = registry.write("mine", name="a", band=Band.VOLATILE)
        agent = Principal().accept(registry.invite(Right.WRITE, Right.READ))
        agent.evict(block_id)
        registry.undo()
        assert registry.get(block_id).author == registry.author


CALLS = st.lists(
    st.tuples(
        st.sampled_from(["write", "edit", "evict", "promote", "demote", "reorder", "group", "ungroup", "undo"]),
        st.integers(0, 7),
        st.integers(0, 7),
    ),
    max_size=25,
)


def perform(registry, verb, one, other):
    ids = [block.id for block in registry] or ["nobody"]
    pick = [ids[n % len(ids)] for n in (one, other)]
    calls = {
        "write": lambda: registry.write(f"{one}", name=f"{other}", band=Band(one % 4), position=other),
        "edit": lambda: registry.edit(pick[0], f"{other}", priority=one / 7),
        "evict": lambda: registry.evict(pick[0]),
        "promote": lambda: registry.promote(pick[0], to=other),
        "demote": lambda: registry.demote(pick[0], other),
        "reorder": lambda: registry.reorder(pick),
        "group": lambda: registry.group(pick, name=f"g{other % 3}"),
        "ungroup": lambda: registry.ungroup(f"g{other % 3}"),
        "undo": lambda: registry.undo(to=max(0, registry.version - other)),
    }
    try:
        calls[verb]()
    except BlockError:
        return False
    return True


@given(CALLS, st.booleans())
def test_invariant_10_replay_reproduces_every_state(calls, banded):
    registry = Registry(banded=banded)
    states = {0: ()}
    for call in calls:
        version = registry.version
        done = perform(registry, *call)
        assert done or registry.version == version
        states[registry.version] = registry.blocks
    journal = registry.journal
    assert replay(journal.entries) == registry.blocks
    for version, blocks in states.items():
        assert journal.at(version) == blocks
        assert replay(journal.entries[version:], start=blocks) == registry.blocks
    assert [change.version for change in journal.entries] == list(range(1, registry.version + 1))


@given(CALLS, st.integers(0, 25))
def test_any_earlier_state_comes_back_and_goes_again(calls, choice):
    registry = Registry()
    ends = [0]
    for call in calls:
        perform(registry, *call)
        ends.append(registry.version)
    before, version = registry.blocks, registry.version
    to = ends[choice % len(ends)]
    was = registry.journal.at(to)
    registry.undo(to=to)
    assert registry.blocks == was
    registry.undo(to=version)
    assert registry.blocks == before


def test_a_journal_can_be_kept_and_compared():
    registry, _ = registry_of("ab")
    assert isinstance(registry.journal, Journal)
    assert registry.journal == registry.journal
    assert all(change.block.source is Source.AGENT for change in registry.journal.entries)
