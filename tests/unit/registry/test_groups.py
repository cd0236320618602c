"""Groups: members stand together whatever is called, move as one, and keep their inner order."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import count, groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import BlockError
from muniment.registry import Registry
from muniment.types import Band, Group


def registry_of(names, *, grouped="", banded=True):
    numbers = count(1)
    registry = Registry(ids=lambda: f"id{next(numbers)}", banded=banded)
    ids = {name: registry.write(f"text of {name}", name=name) for name in names}
    if grouped:
        registry.group([ids[name] for name in grouped], name="g")
    return registry, ids


def names(registry):
    return "".join(block.name for block in registry)


def refused(code, call, *args, **kwargs):
    with pytest.raises(BlockError) as error:
        call(*args, **kwargs)
    assert error.value.reason == code
    assert error.value.hint
    return error.value


class TestGrouping:
    @pytest.mark.parametrize(
        ("members", "order"),
        [("ae", "aebcd"), ("ea", "bcdea"), ("ceb", "acebd"), ("c", "abcde"), ("edcba", "edcba"), ("bcd", "abcde")],
    )
    def test_members_stand_behind_the_first_in_the_order_given(self, members, order):
        registry, ids = registry_of("abcde")
        group = registry.group([ids[name] for name in members], name="g", gate_as_unit=True)
        assert group == Group(name="g", gate_as_unit=True)
        assert names(registry) == order
        assert [block.name for block in registry if block.group == group] == list(members)

    def test_a_group_can_be_extended_changed_and_reordered_by_its_name(self):
        registry, ids = registry_of("abcde", grouped="bc")
        registry.group([ids[name] for name in "ecb"], name="g", budget_as_unit=True)
        assert names(registry) == "adecb"
        assert registry.get(ids["b"]).group == Group(name="g", budget_as_unit=True)

    def test_a_block_is_in_one_group_at_most(self):
        registry, ids = registry_of("abcd", grouped="ab")
        before = registry.blocks
        refused("grouped", registry.group, [ids["b"], ids["c"]], name="h")
        refused("group_taken", registry.group, [ids["c"], ids["d"]], name="g")
        refused("group_taken", registry.group, [ids["a"], ids["c"]], name="g")
        assert registry.blocks == before

    def test_a_group_is_named_and_has_members_each_once(self):
        registry, ids = registry_of("ab")
        refused("duplicate", registry.group, [], name="g")
        refused("duplicate", registry.group, [ids["a"], ids["a"]], name="g")
        refused("name_empty", registry.group, [ids["a"]], name=" ")
        refused("range", registry.group, [ids["a"]], name="g", gate_as_unit=1)
        refused("unknown_block", registry.group, [ids["a"], "nobody"], name="g")

    def test_all_members_are_of_one_band(self):
        registry, ids = registry_of("ab")
        late = registry.write("x", name="v", band=Band.VOLATILE)
        refused("band", registry.group, [ids["a"], late], name="g")
        loose, ids = registry_of("ab", banded=False)
        late = loose.write("x", name="v", band=Band.VOLATILE)
        loose.group([ids["a"], late], name="g")
        assert names(loose) == "avb"

    def test_ungroup_leaves_the_blocks_where_they_are(self):
        registry, ids = registry_of("abcd", grouped="db")
        registry.ungroup("g")
        assert names(registry) == "acdb"
        assert not any(block.group for block in registry)
        refused("unknown_group", registry.ungroup, "g")
        registry.promote(ids["b"], steps=1)
        assert names(registry) == "acbd"

    def test_an_evicted_member_leaves_the_rest_a_group(self):
        registry, ids = registry_of("abcd", grouped="abc")
        registry.evict(ids["b"])
        registry.promote(ids["d"], to=1)
        assert names(registry) == "dac"
        registry.evict(ids["a"])
        assert registry.get(ids["c"]).group == Group(name="g")


class TestMovingAGroup:
    @pytest.mark.parametrize(
        ("directive", "order", "place"),
        [
            ({"steps": 1}, "acdbef", 2),
            ({"steps": 9}, "cdabef", 1),
            ({"to": "front"}, "cdabef", 1),
            ({"to": "back"}, "abefcd", 5),
            ({"to": 1}, "acdbef", 2),
            ({"to": 3}, "abecdf", 4),
            ({"to": 99}, "abefcd", 5),
            ({"before": "b"}, "acdbef", 2),
            ({"after": "e"}, "abecdf", 4),
            ({"before": "f"}, "abecdf", 4),
        ],
    )
    def test_a_member_takes_its_group_along(self, directive, order, place):
        registry, ids = registry_of("abcdef", grouped="cd")
        told = {key: ids.get(value, value) for key, value in directive.items()}
        assert registry.promote(ids["d"], **told) == place
        assert names(registry) == order

    def test_demote_takes_the_group_along(self):
        registry, ids = registry_of("abcdef", grouped="bcd")
        assert registry.demote(ids["c"]) == 3
        assert names(registry) == "aebcdf"
        registry.demote(ids["b"], 50)
        assert names(registry) == "aefbcd"

    def test_a_group_stays_in_its_band(self):
        registry, ids = registry_of("abc", grouped="bc")
        registry.write("x", name="p", band=Band.PINNED)
        registry.write("x", name="v", band=Band.VOLATILE)
        registry.promote(ids["c"], to=-9)
        assert names(registry) == "pbcav"
        registry.demote(ids["c"], 9)
        assert names(registry) == "pabcv"

    def test_a_member_cannot_be_moved_beside_a_member(self):
        registry, ids = registry_of("abc", grouped="bc")
        assert "group" in refused("self", registry.promote, ids["b"], after=ids["c"]).hint


class TestMovingAcrossAGroup:
    @pytest.mark.parametrize(
        ("name", "directive", "order"),
        [
            ("f", {"steps": 1}, "abcdfe"),
            ("f", {"steps": 2}, "afbcde"),
            ("f", {"to": 2}, "afbcde"),
            ("f", {"before": "d"}, "afbcde"),
            ("f", {"after": "b"}, "abcdfe"),
            ("a", {"to": 1}, "bcdaef"),
            ("a", {"before": "c"}, "abcdef"),
            ("a", {"after": "c"}, "bcdaef"),
        ],
    )
    def test_a_move_that_would_end_inside_goes_past(self, name, directive, order):
        registry, ids = registry_of("abcdef", grouped="bcd")
        registry.promote(ids[name], **{key: ids.get(value, value) for key, value in directive.items()})
        assert names(registry) == order

    def test_one_step_at_a_time_passes_a_group(self):
        registry, ids = registry_of("abcde", grouped="bcd")
        registry.demote(ids["a"])
        assert names(registry) == "bcdae"
        registry.promote(ids["a"], steps=1)
        assert names(registry) == "abcde"

    def test_a_group_passes_a_group(self):
        registry, ids = registry_of("abcdef", grouped="bcd")
        registry.group([ids["e"], ids["f"]], name="h")
        registry.promote(ids["f"], steps=1)
        assert names(registry) == "aefbcd"
        registry.demote(ids["e"], 2)
        assert names(registry) == "abcdef"

    @pytest.mark.parametrize(("position", "order"), [(1, "axbcde"), (2, "axbcde"), (3, "abcdxe"), (4, "abcdxe"), (0, "xabcde")])
    def test_a_new_block_goes_to_the_nearer_end(self, position, order):
        registry, _ = registry_of("abcde", grouped="bcd")
        registry.write("x", name="x", position=position)
        assert names(registry) == order

    def test_a_new_block_in_the_middle_goes_behind(self):
        registry, _ = registry_of("abcd", grouped="bc")
        registry.write("x", name="x", position=2)
        assert names(registry) == "abcxd"


class TestReorder:
    @pytest.mark.parametrize(
        ("given_names", "order"),
        [("e", "eabcdf"), ("d", "dbcaef"), ("fc", "fcbdae"), ("db", "dbcaef"), ("dfb", "dbcfae"), ("cae", "cbdaef")],
    )
    def test_a_group_goes_where_its_first_named_member_goes(self, given_names, order):
        registry, ids = registry_of("abcdef", grouped="bcd")
        registry.reorder([ids[name] for name in given_names])
        assert names(registry) == order


def by_shared_letters(task, blocks):
    wanted = Counter(task.removeprefix("text of "))
    return [sum((wanted & Counter(block.text.removeprefix("text of "))).values()) for block in blocks]


class TestAutomaticGroups:
    def test_a_block_is_grouped_with_its_nearest(self):
        registry, ids = registry_of(["abc", "xyz", "abz", "bcd", "abcd"])
        registry.group_near(ids["abc"], name="g", scorer=by_shared_letters, budget_as_unit=True)
        assert [block.name for block in registry] == ["abc", "abcd", "abz", "xyz", "bcd"]
        assert [block.name for block in registry if block.group == Group(name="g", budget_as_unit=True)] == ["abc", "abcd", "abz"]

    def test_what_is_not_near_stays_out(self):
        registry, ids = registry_of(["abc", "xyz", "pqr"])
        registry.group_near(ids["abc"], name="g", scorer=by_shared_letters)
        assert [block.name for block in registry if block.group] == ["abc"]

    def test_grouped_blocks_and_other_bands_are_not_drawn_in(self):
        registry, ids = registry_of(["abc", "abd", "abe"])
        registry.write("text of abc", name="v", band=Band.VOLATILE)
        registry.group([ids["abd"]], name="taken")
        registry.group_near(ids["abc"], name="g", scorer=by_shared_letters)
        assert [block.name for block in registry if block.group == Group(name="g")] == ["abc", "abe"]

    def test_most_and_characters_bound_it(self):
        registry, ids = registry_of(["abc", "abcdefgh", "ab", "a"])
        registry.group_near(ids["abc"], name="g", scorer=by_shared_letters, characters=25)
        assert [block.name for block in registry if block.group] == ["abc", "ab"]
        registry.ungroup("g")
        registry.group_near(ids["abc"], name="g", scorer=by_shared_letters, most=1)
        assert [block.name for block in registry if block.group] == ["abc", "abcdefgh"]

    @pytest.mark.parametrize(
        "wrong", [lambda t, b: [1.0], lambda t, b: [float("nan")] * len(b), lambda t, b: [float("inf")] * len(b)]
    )
    def test_a_scorer_gives_one_number_per_block(self, wrong):
        registry, ids = registry_of("abc")
        refused("scores", registry.group_near, ids["a"], name="g", scorer=wrong)
        assert not any(block.group for block in registry)

    def test_blocks_of_one_tag_are_a_group(self):
        registry = Registry()
        for name, tags in (("a", ["uart"]), ("b", []), ("c", ["spi", "uart"])):
            registry.write("x", name=name, tags=tags)
        assert registry.group_tagged("uart").name == "uart"
        assert names(registry) == "acb"
        refused("duplicate", registry.group_tagged, "no such tag")


VERBS = st.sampled_from(["write", "evict", "steps", "to", "before", "after", "demote", "reorder", "group", "ungroup", "undo"])
CALLS = st.lists(st.tuples(VERBS, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), max_size=40)


def perform(registry, verb, one, two, three):
    ids = [block.id for block in registry] or ["nobody"]
    pick = [ids[n % len(ids)] for n in (one, two, three)]
    if verb == "write":
        registry.write("x", name="x", band=Band(one % 2 + 1), position=two)
    elif verb == "evict":
        registry.evict(pick[0])
    elif verb in ("steps", "to"):
        registry.promote(pick[0], **{verb: two})
    elif verb in ("before", "after"):
        registry.promote(pick[0], **{verb: pick[1]})
    elif verb == "demote":
        registry.demote(pick[0], two)
    elif verb == "reorder":
        registry.reorder(pick[:2])
    elif verb == "group":
        registry.group(list(dict.fromkeys(pick)), name=f"g{two % 4}")
    elif verb == "ungroup":
        registry.ungroup(f"g{two % 4}")
    else:
        registry.undo(to=max(0, registry.version - one))


def inner_order(blocks):
    out = {}
    for block in blocks:
        if block.group:
            out.setdefault(block.group.name, []).append(block.id)
    return out


@given(CALLS, st.booleans())
def test_invariant_9_members_stand_together_whatever_is_called(calls, banded):
    registry = Registry(banded=banded)
    for name in "abcdefgh":
        registry.write("x", name=name, band=Band.STABLE if name < "f" else Band.SESSION)
    for call in calls:
        before = registry.blocks
        with suppress(BlockError):
            perform(registry, *call)
        runs = [name for name, _ in groupby(block.group.name if block.group else None for block in registry) if name]
        assert len(runs) == len(set(runs))
        bands = [block.band for block in registry]
        assert not banded or bands == sorted(bands)
        if call[0] in ("steps", "to", "before", "after", "demote"):
            assert inner_order(registry) == inner_order(before)
            assert sorted(block.id for block in before) == sorted(block.id for block in registry)
