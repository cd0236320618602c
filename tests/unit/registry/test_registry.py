"""The registry: order changes only when asked, bands hold, and a call that fails changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import BlockError
from muniment.registry import Principal, Registry, Right
from muniment.types import Band, BlockId, Role, Source, Tool, ToolCall, Trust


def numbered():
    numbers = count(1)
    return lambda: f"id{next(numbers)}"


def registry_of(names, *, band=Band.STABLE, banded=True):
    registry = Registry(ids=numbered(), banded=banded)
    return registry, {name: registry.write(f"text of {name}", name=name, band=band) for name in names}


def names(registry):
    return "".join(block.name for block in registry)


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Seed:
    name: str
    text: str
    description: str = ""
    priority: float = 0.5
    tags: tuple[str, ...] = ()
    band: Band = Band.STABLE
    trust: Trust = Trust.TRUSTED
    tool: Tool | None = None
    requires: tuple[str, ...] = ()
    gated: bool = True
    short: str = ""


def seed(name, **fields):
    return Seed(**{"name": name, "text": f"text of {name}"} | fields)


def refused(code, call, *args, **kwargs):
    with pytest.raises(BlockError) as error:
        call(*args, **kwargs)
    assert error.value.reason == code
    assert error.value.hint
    return error.value


class TestWrite:
    def test_blocks_are_appended_in_order(self):
        registry, _ = registry_of("abc")
        assert names(registry) == "abc"
        assert len(registry) == 3

    def test_bands_order_the_blocks_whatever_the_order_of_writing(self):
        registry = Registry()
        for band in (Band.VOLATILE, Band.STABLE, Band.SESSION, Band.PINNED, Band.STABLE, Band.VOLATILE):
            registry.write("x", name=f"{band.name[:2]}{len(registry)} ", band=band)
        assert names(registry) == "PI3 ST1 ST4 SE2 VO0 VO5 "

    def test_a_position_counts_inside_the_band(self):
        registry, _ = registry_of("ab")
        registry.write("x", name="p", band=Band.PINNED)
        registry.write("x", name="c", position=1)
        assert names(registry) == "pacb"

    @pytest.mark.parametrize(("position", "order"), [(-1, "xab"), (0, "xab"), (10**9, "abx"), (2, "abx")])
    def test_vector_76_positions_are_clamped_to_the_band(self, position, order):
        registry, _ = registry_of("ab")
        registry.write("x", name="v", band=Band.VOLATILE)
        registry.write("x", name="x", position=position)
        assert names(registry) == f"{order}v"

    @pytest.mark.parametrize("position", [True, 1.0, "1", float("nan")])
    def test_vector_76_a_position_that_is_no_whole_number_is_refused(self, position):
        registry, _ = registry_of("ab")
        refused("range", registry.write, "x", name="x", position=position)
        assert names(registry) == "ab"

    @pytest.mark.parametrize("priority", [float("nan"), -1, 2, "high", None, True, float("inf"), -0.001])
    def test_vector_76_priorities_out_of_range_are_refused(self, priority):
        registry, ids = registry_of("a")
        refused("range", registry.write, "x", name="x", priority=priority)
        if priority is not None:
            refused("range", registry.edit, ids["a"], priority=priority)
        assert names(registry) == "a"
        assert registry.get(ids["a"]).priority == 0.5

    def test_vector_76_priorities_at_the_ends_are_taken(self):
        registry = Registry()
        for priority in (0, 1, 0.25):
            assert registry.get(registry.write("x", name="x", priority=priority)).priority == priority

    def test_vector_76_empty_text_waits_for_its_words_and_too_long_text_is_refused(self):
        registry = Registry()
        block_id = registry.write("", name="digest")
        assert registry.edit(block_id, "words").text == "words"
        registry.write("x" * (1 << 20), name="just fits")
        refused("range", registry.write, "x" * ((1 << 20) + 1), name="too long")
        refused("range", registry.write, "é" * (1 << 19) + "x", name="too long in bytes")

    @pytest.mark.parametrize("text", [None, 3, b"bytes", ["a"]])
    def test_what_is_not_text_is_refused(self, text):
        registry = Registry()
        assert refused("not_text", registry.write, text, name="x").place == "text"
        assert refused("not_text", registry.write, "x", name=text).place == "name"
        assert not len(registry)

    def test_half_a_surrogate_pair_is_refused(self):
        refused("invalid_unicode", Registry().write, "a\ud83d", name="x")

    def test_a_name_is_needed(self):
        refused("name_empty", Registry().write, "x", name=" ")

    @pytest.mark.parametrize(
        "wrong",
        [
            {"band": 7},
            {"role": "king"},
            {"trust": "half"},
            {"required": 1},
            {"removable": "no"},
            {"gated": None},
            {"tool_calls": ["call"]},
        ],
    )
    def test_kinds_that_do_not_exist_are_refused(self, wrong):
        refused("range", Registry().write, "x", name="x", **wrong)

    @pytest.mark.parametrize("field", ["prefix", "suffix", "description", "short", "run"])
    def test_every_text_of_a_block_is_text(self, field):
        registry, ids = registry_of("a")
        for wrong in (7, b"x", ["x"]):
            refused("not_text", registry.write, "x", name="x", **{field: wrong})
            if field != "run":
                refused("not_text", registry.edit, ids["a"], **{field: wrong})
        refused("invalid_unicode", registry.write, "x", name="x", **{field: "\ud800"})
        refused("nul_not_allowed", registry.write, "x", name="x", **{field: "\0"})
        assert len(registry) == 1

    @pytest.mark.parametrize("field", ["tags", "requires"])
    def test_tags_and_requirements_are_lists_of_words(self, field):
        registry = Registry()
        assert getattr(registry.get(registry.write("x", name="x", **{field: ["b", "a"]})), field) == ("b", "a")
        for wrong in ("word", None, [7], 7):
            refused("not_text", registry.write, "x", name="x", **{field: wrong})
        refused("name_empty", registry.write, "x", name="x", **{field: ["a", " "]})
        assert len(registry) == 1

    def test_a_block_keeps_all_it_is_given(self):
        registry = Registry(clock=lambda: NOON)
        given = {
            "run": "r1", "tags": ("t",), "prefix": "<", "suffix": ">", "gated": False, "description": "what for", "short": "s",
            "requires": ("other",), "removable": False, "required": True, "priority": 0.9, "band": Band.VOLATILE,
            "tool": Tool(name="look_up", description="finds"), "role": Role.SYSTEM, "turn_key": "k",
        }  # fmt: skip
        block = registry.get(registry.write("x", name="x", **given))
        assert {name: getattr(block, name) for name in given} == given
        assert (block.author, block.source, block.created) == (registry.author, Source.AGENT, NOON)

    def test_a_tool_is_a_system_block_with_a_schema(self):
        registry = Registry()
        refused("tool_role", registry.write, "x", name="x", role=Role.USER, tool=Tool(name="f"))
        refused("tool_schema", registry.write, "x", name="x", tool=Tool(name="f", parameters="[]"))
        refused("tool_name", registry.write, "x", name="x", tool=Tool(name="two words"))
        refused("tool_invalid", registry.write, "x", name="x", tool={"name": "f"})
        assert not len(registry)

    def test_calls_belong_to_assistants_and_results_to_tools(self):
        call = ToolCall(id="1", name="f", arguments="{}")
        refused("tool_role", Registry().write, "", name="x", role=Role.USER, tool_calls=[call])
        refused("tool_role", Registry().write, "", name="x", role=Role.USER, tool_call_id="1")
        refused("not_text", Registry().write, "", name="x", role=Role.TOOL, tool_call_id=1)

    @pytest.mark.parametrize("band", [Band.PINNED, Band.STABLE])
    @pytest.mark.parametrize("banded", [True, False])
    def test_untrusted_text_cannot_stand_where_instructions_are(self, band, banded):
        registry = Registry(banded=banded)
        error = refused("untrusted_band", registry.write, "obey me", name="x", band=band, trust=Trust.UNTRUSTED)
        assert error.place == "band"
        assert not len(registry)

    def test_an_id_source_that_repeats_itself_is_refused(self):
        registry = Registry(ids=lambda: "same")
        registry.write("x", name="x")
        refused("id_taken", registry.write, "y", name="y")
        refused("id_taken", Registry(ids=lambda: "").write, "y", name="y")
        assert names(registry) == "x"

    def test_default_ids_are_fresh(self):
        registry, other = Registry(), Registry()
        ids = {r.write("x", name="x") for r in (registry, other) for _ in range(50)}
        assert len(ids) == 100


class TestFind:
    def test_vector_75_a_name_gives_every_block_that_bears_it_in_order(self):
        registry = Registry(ids=numbered())
        for text in ("one", "two", "three"):
            registry.write(text, name="rules")
        registry.promote(BlockId("id3"), to="front")
        assert [block.text for block in registry.named("rules")] == ["three", "one", "two"]
        assert registry.named("other") == ()

    def test_vector_75_changing_by_a_name_that_several_bear_is_refused_as_ambiguous(self):
        registry = Registry(ids=numbered())
        for text in ("one", "two"):
            registry.write(text, name="rules")
        before = registry.blocks
        for call in (registry.get, registry.evict, registry.edit, registry.demote):
            refused("ambiguous", call, "rules")
        assert registry.blocks == before

    def test_a_name_is_not_an_id_even_when_one_block_bears_it(self):
        registry, _ = registry_of("a")
        assert "named" in refused("unknown_block", registry.evict, "a").hint

    def test_unknown_ids_are_refused_everywhere(self):
        registry, ids = registry_of("ab")
        before = registry.blocks
        for call in (registry.get, registry.evict, registry.edit, registry.demote):
            refused("unknown_block", call, "nobody")
        refused("unknown_block", registry.promote, "nobody", steps=1)
        refused("unknown_block", registry.promote, ids["a"], before="nobody")
        refused("unknown_block", registry.reorder, [ids["b"], "nobody"])
        assert registry.blocks == before

    def test_ids_are_found_and_never_shown(self):
        registry, ids = registry_of("ab")
        assert ids["a"] in registry
        assert "nobody" not in registry
        assert ids["a"] not in repr(registry)
        assert registry.get(ids["a"]).text == "text of a"

    def test_blocks_is_a_view_that_later_changes_do_not_touch(self):
        registry, ids = registry_of("ab")
        before = registry.blocks
        registry.edit(ids["a"], "changed")
        registry.evict(ids["b"])
        assert [block.text for block in before] == ["text of a", "text of b"]

    def test_tags_find_blocks_in_order(self):
        registry = Registry()
        for name, tags in (("a", ["x"]), ("b", ["x", "y"]), ("c", ["y", "z"]), ("d", [])):
            registry.write("x", name=name, tags=tags)

        def found(**asked):
            return "".join(block.name for block in registry.tagged(**asked))

        assert found(any=["x", "z"]) == "abc"
        assert found(all=["x", "y"]) == "b"
        assert found(any=["x", "z"], all=["y"]) == "bc"
        assert found() == found(any=["q"]) == found(any=[], all=[]) == ""
        refused("not_text", registry.tagged, any="x")

    def test_a_view_stays_what_it_was(self):
        registry, ids = registry_of("ab")
        view = registry.view()
        registry.evict(ids["a"])
        assert (view.version, view.banded, "".join(block.name for block in view.blocks)) == (2, True, "ab")

    def test_unusable_settings_are_refused(self):
        refused("range", Registry, banded="yes")
        refused("range", Registry, history=1.5)
        refused("range", Registry, history=-1)


class TestLoad:
    def test_seeds_are_written_in_order_and_for_good(self):
        registry = Registry(clock=lambda: NOON)
        loaded = registry.load([seed("a", priority=0.9, tags=("t",)), seed("p", band=Band.PINNED), seed("b", gated=False)])
        assert names(registry) == "pab"
        assert [registry.get(block_id).name for block_id in loaded] == ["a", "p", "b"]
        block = registry.get(loaded[0])
        assert (block.source, block.author, block.removable) == (Source.SEED, registry.author, False)
        assert (block.priority, block.tags, block.created, block.run) == (0.9, ("t",), NOON, None)
        refused("read_only", registry.edit, loaded[0], "other words")
        refused("force_needed", registry.evict, loaded[0])
        assert registry.edit(loaded[0], prefix="> ", priority=0.1, required=True).text == "text of a"
        registry.evict(loaded[0], force=True)

    def test_all_are_loaded_or_none(self):
        registry, _ = registry_of("a")
        refused("untrusted_band", registry.load, [seed("b"), seed("c", trust=Trust.UNTRUSTED)])
        refused("range", registry.load, [seed("b"), seed("c", priority=2)])
        refused("not_text", registry.load, [seed("b", tags="word")])
        assert names(registry) == "a"
        assert registry.version == 1

    def test_a_load_is_one_call_to_undo(self):
        registry, _ = registry_of("a")
        registry.load([seed("b"), seed("c")])
        registry.undo()
        assert names(registry) == "a"

    def test_ids_are_fresh_on_every_load(self):
        registries = [Registry(), Registry()]
        assert len({block_id for r in registries for _ in range(3) for block_id in r.load([seed("a"), seed("a")])}) == 12

    def test_T05_defaults_of_a_second_client_change_nothing_that_is_there(self):
        registry = Registry()
        registry.load([seed("persona", band=Band.PINNED), seed("rules")], missing_only=True)
        mine = registry.write("written meanwhile", name="notes")
        before = registry.blocks
        second = [seed("persona", band=Band.PINNED, text="another"), seed("notes", text="another"), seed("new")]
        assert len(registry.load(second, missing_only=True)) == 1
        assert tuple(block for block in registry if block.name != "new") == before
        assert registry.get(mine).text == "written meanwhile"
        assert names(registry) == "personarulesnotesnew"
        assert registry.load(second, missing_only=True) == ()

    def test_a_guest_cannot_keep_a_seed_out_by_taking_its_name(self):
        registry = Registry()
        Principal().accept(registry.invite(Right.WRITE)).write("nothing", name="safety")
        assert len(registry.load([seed("safety")], missing_only=True)) == 1

    def test_F12_two_registries_each_own_a_block_of_one_name(self):
        one, other = Registry(), Registry()
        for registry, text in ((one, "Brand A"), (other, "Brand B")):
            registry.load([seed("brand_identity", text=text)])
        one.edit(one.named("brand_identity")[0].id, prefix="! ")
        assert [registry.named("brand_identity")[0].text for registry in (one, other)] == ["Brand A", "Brand B"]
        assert [registry.named("brand_identity")[0].prefix for registry in (one, other)] == ["! ", ""]
        refused("unknown_block", other.get, one.blocks[0].id)


class TestChange:
    def test_edit_changes_what_is_given_and_keeps_the_place(self):
        registry, ids = registry_of("abc")
        registry.edit(ids["b"], "new", priority=1, required=True)
        block = registry.get(ids["b"])
        assert (block.text, block.priority, block.required, block.band) == ("new", 1, True, Band.STABLE)
        assert names(registry) == "abc"

    def test_a_failed_edit_changes_nothing(self):
        registry, ids = registry_of("a")
        before = registry.blocks
        refused("not_text", registry.edit, ids["a"], 7, required=True)
        refused("range", registry.edit, ids["a"], "new", required="yes")
        assert registry.blocks == before

    def test_evict_removes_one_block_and_returns_it(self):
        registry, ids = registry_of("abc")
        assert registry.evict(ids["b"]).name == "b"
        assert names(registry) == "ac"
        refused("unknown_block", registry.evict, ids["b"])


class TestMove:
    @pytest.mark.parametrize(
        ("directive", "order", "place"),
        [
            ({"steps": 1}, "abdce", 2),
            ({"steps": 99}, "dabce", 0),
            ({"steps": 0}, "abcde", 3),
            ({"to": 1}, "adbce", 1),
            ({"to": 99}, "abced", 4),
            ({"to": -5}, "dabce", 0),
            ({"to": "front"}, "dabce", 0),
            ({"to": "back"}, "abced", 4),
            ({"before": "id2"}, "adbce", 1),
            ({"after": "id1"}, "adbce", 1),
            ({"before": "id5"}, "abcde", 3),
            ({"after": "id5"}, "abced", 4),
        ],
    )
    def test_promote_follows_its_directive(self, directive, order, place):
        registry, ids = registry_of("abcde")
        assert registry.promote(ids["d"], **directive) == place
        assert names(registry) == order

    def test_demote_moves_back_and_stops_at_the_end(self):
        registry, ids = registry_of("abc")
        assert registry.demote(ids["a"]) == 1
        assert names(registry) == "bac"
        assert registry.demote(ids["b"], 99) == 2
        assert names(registry) == "acb"

    @pytest.mark.parametrize("directives", [{}, {"steps": 1, "to": 0}, {"before": "id1", "after": "id2"}])
    def test_a_move_takes_exactly_one_directive(self, directives):
        registry, ids = registry_of("abc")
        refused("directive", registry.promote, ids["c"], **directives)
        assert names(registry) == "abc"

    @pytest.mark.parametrize("steps", [-1, 1.5, "1", True])
    def test_steps_are_whole_and_not_negative(self, steps):
        registry, ids = registry_of("abc")
        refused("range", registry.promote, ids["c"], steps=steps)
        refused("range", registry.demote, ids["a"], steps)
        assert names(registry) == "abc"

    def test_a_position_is_a_number_or_an_end(self):
        registry, ids = registry_of("abc")
        refused("range", registry.promote, ids["c"], to="middle")
        assert names(registry) == "abc"

    def test_a_block_cannot_stand_beside_itself(self):
        registry, ids = registry_of("abc")
        refused("self", registry.promote, ids["c"], before=ids["c"])

    def test_no_move_leaves_the_band(self):
        registry, ids = registry_of("abc")
        pin = registry.write("x", name="p", band=Band.PINNED)
        late = registry.write("x", name="v", band=Band.VOLATILE)
        registry.promote(ids["c"], to="front")
        registry.promote(late, steps=50)
        registry.demote(pin, 50)
        assert names(registry) == "pcabv"
        refused("band", registry.promote, ids["a"], before=pin)
        refused("band", registry.promote, ids["a"], after=late)
        assert names(registry) == "pcabv"

    def test_reorder_brings_the_named_blocks_to_the_front_of_their_band(self):
        registry, ids = registry_of("abcd")
        pin = registry.write("x", name="p", band=Band.PINNED)
        late = [registry.write("x", name=name, band=Band.VOLATILE) for name in "vw"]
        registry.reorder([pin, ids["d"], ids["b"], late[1]])
        assert names(registry) == "pdbacwv"
        registry.reorder([])
        assert names(registry) == "pdbacwv"

    def test_reorder_refuses_repeats_and_orders_across_bands(self):
        registry, ids = registry_of("abcd")
        pin = registry.write("x", name="p", band=Band.PINNED)
        refused("duplicate", registry.reorder, [ids["a"], ids["b"], ids["a"]])
        refused("band", registry.reorder, [ids["a"], pin])
        assert names(registry) == "pabcd"

    def test_without_bands_any_order_is_possible(self):
        registry, ids = registry_of("ab", banded=False)
        pin = registry.write("x", name="p", band=Band.PINNED)
        late = registry.write("x", name="v", band=Band.VOLATILE, position=0)
        assert names(registry) == "vabp"
        registry.promote(ids["b"], before=late)
        registry.reorder([ids["a"], pin])
        assert names(registry) == "apbv"
        assert not registry.banded


IDS = st.sampled_from([f"id{n}" for n in range(1, 10)])
NUMBERS = st.integers(-3, 12)
CALLS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(Band), st.none() | NUMBERS, st.sampled_from(Trust)),
    st.tuples(st.just("evict"), IDS),
    st.tuples(st.just("edit"), IDS, st.none() | st.text(max_size=3)),
    st.tuples(st.just("demote"), IDS, NUMBERS),
    st.tuples(st.just("steps"), IDS, NUMBERS),
    st.tuples(st.just("to"), IDS, NUMBERS | st.sampled_from(["front", "back", "elsewhere"])),
    st.tuples(st.just("before"), IDS, IDS),
    st.tuples(st.just("after"), IDS, IDS),
    st.tuples(st.just("reorder"), st.lists(IDS, max_size=4)),
)


def perform(registry, call):
    verb, *args = call
    if verb == "write":
        band, position, trust = args
        registry.write("x", name="x", band=band, position=position, trust=trust)
    elif verb in ("steps", "to", "before", "after"):
        registry.promote(args[0], **{verb: args[1]})
    else:
        getattr(registry, verb)(*args)


@given(st.lists(CALLS, max_size=25), st.booleans())
def test_any_calls_keep_the_bands_and_moves_are_permutations(calls, banded):
    registry = Registry(ids=numbered(), banded=banded)
    for call in calls:
        before = registry.blocks
        try:
            perform(registry, call)
        except BlockError:
            assert registry.blocks == before
            continue
        after = registry.blocks
        if call[0] in ("steps", "to", "before", "after", "demote", "reorder"):
            assert sorted(block.id for block in before) == sorted(block.id for block in after)
        bands = [block.band for block in after]
        assert not banded or bands == sorted(bands)
        assert all(block.trust is Trust.TRUSTED or block.band > Band.STABLE for block in after)
        assert len(after) == len(registry) == len({block.id for block in after})
        others = [block for block in after if block in before]
        if call[0] in ("write", "evict", "edit"):
            assert others == [block for block in before if block in after]
