"""Snapshots, their sealed JSON, restores and forks: everything comes back but what others own, and nothing can be invented."""

from __future__ import annotations

import hmac
import json
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.compile import compile as compile_blocks
from muniment.errors import BlockError, FormatError, InputError
from muniment.providers.tokens import EstimatedTokens
from muniment.registry import Principal, Registry, Right, replay
from muniment.registry.registry import ledger_of
from muniment.registry.snapshot import Snapshot, read_snapshot
from muniment.testing.strategies import texts
from muniment.types import Band, Block, Role, Source, Tool, ToolCall, Trust

SECRET = b"sixteen bytes or more"
NOON = datetime(2026, 5, 16, 12, tzinfo=timezone(timedelta(hours=2)))


def names(registry):
    return " ".join(block.name for block in registry)


def sealed(content):
    """The seal as the documented recipe makes it: a keyed hash of the content in one spelling."""
    spelled = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    return hmac.digest(SECRET, b"muniment registry snapshot\0" + spelled, "sha256").hex()


def refused(code, call, *args, kind=BlockError, **kwargs):
    with pytest.raises(kind) as error:
        call(*args, **kwargs)
    assert error.value.reason == code
    assert error.value.hint
    return error.value


def prompt(registry):
    return compile_blocks(registry.blocks, budget=10_000, tokens=EstimatedTokens()).text


def mixed(**options):
    """A registry with every kind of block, a group, counts, and a guest's blocks, one of them irremovable."""
    registry = Registry(principal=Principal(secret=SECRET), clock=lambda: NOON, **options)
    call = ToolCall(id="1", name="look", arguments="{}")
    ids = [
        registry.write("Rules.", name="rules", band=Band.PINNED, required=True, removable=False),
        registry.write("", name="tool", tool=Tool(name="look", description="Looks."), gated=False, tags=["tools"]),
        registry.write("A", name="a", priority=0.25, prefix="<", suffix=">", description="about a", short="a.", run="r1"),
        registry.write("B", name="b", requires=["a"]),
        registry.write("", name="call", role=Role.ASSISTANT, band=Band.SESSION, tool_calls=[call], turn_key="t"),
        registry.write("seen", name="result", role=Role.TOOL, band=Band.SESSION, tool_call_id="1", turn_key="t"),
        registry.write("note", name="note", band=Band.VOLATILE),
    ]
    registry.group(ids[2:4], name="pair", budget_as_unit=True)
    guest = Principal("guest").accept(registry.invite(Right.READ, Right.WRITE, Right.MOVE))
    guest.write("held", name="held", removable=False)
    guest.write("lent", name="lent")
    ledger_of(registry).shown(ids[:3])
    ledger_of(registry).shown(ids[:1])
    return registry, guest


def content(block):
    return replace(block, id="")


class TestRestore:
    def test_everything_comes_back_under_fresh_ids(self):
        registry, _ = mixed()
        taken, text = registry.snapshot(), prompt(registry)
        counts = [registry.accesses(block.id) for block in registry]
        registry.evict(registry.named("lent")[0].id)
        registry.ungroup("pair")
        registry.edit(registry.named("a")[0].id, "other words")
        registry.promote(registry.named("b")[0].id, to="front")
        registry.write("x", name="new")
        ledger_of(registry).shown([])
        new = registry.restore(taken)
        assert prompt(registry) == text
        assert [content(block) for block in registry] == [content(block) for block in taken.blocks]
        assert [new[block.id] for block in taken.blocks] == [block.id for block in registry]
        held = registry.named("held")[0]
        now = [registry.accesses(block.id) for block in registry if block.id != held.id]
        assert now == [count for block, count in zip(taken.blocks, counts, strict=True) if block.id != held.id]
        assert {block.id for block in taken.blocks} & {block.id for block in registry} == {held.id}

    def test_it_is_one_step_in_the_journal_and_can_be_undone(self):
        registry, _ = mixed()
        taken = registry.snapshot()
        registry.write("x", name="new")
        before, blocks = registry.version, registry.blocks
        registry.restore(taken)
        entries = registry.journal.entries[before:]
        assert {(entry.step, entry.note) for entry in entries} == {(before + 1, f"restore of version {taken.version}")}
        registry.undo()
        assert registry.blocks == blocks

    def test_a_snapshot_is_a_value_that_later_changes_do_not_touch(self):
        registry, _ = mixed()
        taken = registry.snapshot()
        blocks, hashes = taken.blocks, taken.hashes
        registry.edit(registry.named("a")[0].id, "other words")
        assert (taken.blocks, taken.hashes) == (blocks, hashes)
        assert taken == replace(taken)
        assert "Rules" not in repr(taken)

    def test_hashes_are_the_same_wherever_it_is_restored(self):
        registry, _ = mixed()
        taken = registry.snapshot()
        other = Registry()
        other.restore(taken)
        assert other.snapshot().hashes == taken.hashes

    def test_restoring_the_same_snapshot_again_doubles_nothing(self):
        registry, _ = mixed()
        taken = registry.snapshot()
        fresh = Registry(principal=Principal(secret=SECRET))
        for _ in range(3):
            fresh.restore(taken)
            registry.restore(taken)
        assert names(fresh) == names(registry) == " ".join(block.name for block in taken.blocks)

    def test_an_order_without_bands_is_kept_and_refused_where_bands_are(self):
        free = Registry(banded=False)
        free.write("v", name="v", band=Band.VOLATILE)
        free.write("s", name="s")
        taken = free.snapshot()
        other = Registry(banded=False)
        other.restore(taken)
        assert names(other) == "v s"
        banded = Registry()
        banded.write("x", name="x")
        refused("band", banded.restore, taken)
        assert names(banded) == "x"

    def test_an_id_source_that_repeats_itself_restores_nothing(self):
        ids = iter("abcdde")
        registry = Registry(ids=lambda: next(ids))
        for _ in range(3):
            registry.write("x", name="x")
        taken, before = registry.snapshot(), registry.blocks
        refused("id_taken", registry.restore, taken)
        assert registry.blocks == before

    def test_an_empty_snapshot_empties_what_may_be_emptied(self):
        registry, _ = mixed()
        registry.restore(Registry().snapshot())
        assert names(registry) == "held"


class TestForeignBlocks:
    def test_vector_87_a_restore_of_an_older_snapshot_leaves_what_others_made_irremovable_as_it_is(self):
        registry, guest = mixed()
        taken = registry.snapshot()
        held = registry.named("held")[0].id
        guest.edit(held, "newer words")
        later = guest.write("later", name="later", removable=False)
        gone = guest.write("on loan", name="on loan")
        registry.restore(taken)
        assert guest.get(held).text == "newer words"
        assert guest.get(later).text == "later"
        assert gone not in registry
        assert names(registry) == "rules tool a b call result held lent later note".replace(
            "held lent later note", "note held lent later"
        )

    def test_they_stand_at_the_end_of_their_band(self):
        registry, _ = mixed()
        taken = registry.snapshot()
        guest = Principal("other").accept(
            registry.invite(Right.READ, Right.WRITE, bands=[Band.STABLE, Band.SESSION], trust=Trust.TRUSTED)
        )
        guest.write("x", name="x", band=Band.STABLE, position=0, removable=False)
        registry.restore(taken)
        assert names(registry).startswith("rules tool a b x call result")

    def test_what_its_author_took_away_for_good_stays_away_in_the_same_registry(self):
        registry, guest = mixed()
        taken = registry.snapshot()
        by_json = read_snapshot(taken.to_json(Principal(secret=SECRET)), Principal(secret=SECRET))
        old = registry.named("held")[0].id
        guest.evict(old, force=True)
        for snapshot in (taken, by_json):
            assert old not in registry.restore(snapshot)
            assert not registry.named("held")
        assert names(registry) == names(registry).replace(" held", "")
        assert [block.name for block in registry] == [block.name for block in taken.blocks if block.name != "held"]

    def test_elsewhere_it_comes_back_as_its_authors(self):
        registry, guest = mixed()
        taken = registry.snapshot()
        guest.evict(registry.named("held")[0].id, force=True)
        other = Registry()
        assert len(other.restore(taken)) == len(taken.blocks)
        (held,) = other.named("held")
        assert held.author == guest.author
        refused("not_owner", other.evict, held.id, force=True)

    def test_in_another_registry_all_that_is_irremovable_is_foreign(self):
        registry, guest = mixed()
        other = Registry()
        other.restore(registry.snapshot())
        for name, author in (("rules", registry.author), ("held", guest.author)):
            (block,) = other.named(name)
            assert block.author == author
            refused("not_owner", other.evict, block.id, force=True)
        other.evict(other.named("lent")[0].id)

    def test_groups_stay_together_whatever_stays(self):
        registry, guest = mixed()
        held = registry.named("held")[0].id
        taken = registry.snapshot()
        own = registry.write("own", name="own", band=Band.VOLATILE)
        later = guest.write("later", name="later", removable=False)
        registry.group([own, held, later], name="trio")
        registry.restore(taken)
        assert registry.get(held).group is None
        assert registry.get(later).group.name == "trio"
        assert not registry.named("own")
        registry.ungroup("trio")
        registry.ungroup("pair")
        registry.group([held, later], name="pair")
        registry.restore(taken)
        assert [block.name for block in registry if block.group] == ["a", "b"]

    def test_a_twin_by_name_in_another_band_is_another_block(self):
        registry, guest = mixed()
        taken = registry.snapshot()
        guest.evict(registry.named("held")[0].id, force=True)
        guest.write("moved", name="held", band=Band.SESSION, removable=False)
        registry.restore(taken)
        assert [(block.band, block.text) for block in registry.named("held")] == [(Band.SESSION, "moved")]
        other = Registry()
        other.restore(registry.snapshot())
        other.restore(taken)
        assert [block.text for block in other.named("held")] == ["moved", "held"]


class TestGenuine:
    def test_vector_88_a_snapshot_made_or_changed_by_hand_is_refused(self):
        registry, guest = mixed()
        taken = registry.snapshot()
        forged = [
            replace(taken, blocks=tuple(replace(block, author=guest.author) for block in taken.blocks)),
            replace(taken),
            Snapshot(owner=registry.author, banded=True, version=0, blocks=taken.blocks, accesses=taken.accesses),
            None,
        ]
        before = registry.blocks
        for snapshot in forged:
            refused("seal", registry.restore, snapshot)
        refused("seal", forged[0].to_json, Principal(secret=SECRET))
        assert registry.blocks == before

    def test_vector_88_json_is_believed_by_its_owners_seal_only(self):
        registry, guest = mixed()
        owner = Principal(secret=SECRET)
        whole = json.loads(registry.snapshot().to_json(owner))
        for change in ({"author": guest.author}, {"source": "orchestrator"}, {"run": "r9"}, {"created": None}, {"text": "obey"}):
            forged = deepcopy(whole)
            forged["content"]["blocks"][2]["block"] |= change
            refused("seal", read_snapshot, json.dumps(forged), owner)
        forged = deepcopy(whole)
        forged["content"]["blocks"][2]["accesses"] = 99
        refused("seal", read_snapshot, json.dumps(forged), owner)
        refused("seal", read_snapshot, json.dumps(whole | {"seal": "é" * 64}), owner)
        refused("seal", read_snapshot, json.dumps(whole), Principal("another"))
        refused("seal", registry.snapshot().to_json, Principal("another"))

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("[]", "snapshot_invalid"),
            ("3", "snapshot_invalid"),
            ('{"kind": "registry snapshot", "schema": 2}', "snapshot_invalid"),
            ('{"kind": "registry snapshot", "schema": 1}', "snapshot_invalid"),
            ('{"kind": "registry snapshot", "schema": true, "seal": "", "content": {}}', "snapshot_invalid"),
            ('{"kind": "registry snapshot", "schema": 1.0, "seal": "", "content": {}}', "snapshot_invalid"),
            ('{"kind": "registry snapshot", "schema": 1, "seal": "", "content": {}, "more": 1}', "snapshot_invalid"),
            (b"{}", "snapshot_invalid"),
            (None, "snapshot_invalid"),
            ('{"kind": "registry snapshot", "schema": 1, "seal": 3, "content": {}}', "snapshot_invalid"),
            ('{"kind": "a", "kind": "b"}', "duplicate_key"),
            ("[" * 99, "too_deep"),
            ("", "malformed"),
            ('{"schema": NaN}', "number_out_of_range"),
        ],
    )
    def test_what_is_no_snapshot_is_refused(self, text, code):
        refused(code, read_snapshot, text, Principal(secret=SECRET), kind=FormatError)

    @pytest.mark.parametrize(
        "change",
        [
            lambda content: content.pop("owner"),
            lambda content: content.update(extra=1),
            lambda content: content.update(banded="yes"),
            lambda content: content.update(blocks={}),
            lambda content: content["blocks"].append(3),
            lambda content: content["blocks"][0].pop("accesses"),
            lambda content: content["blocks"][0].update(accesses=-1),
            lambda content: content["blocks"][0]["block"].update(band="cellar"),
            lambda content: content["blocks"][0]["block"].update(created="yesterday"),
            lambda content: content["blocks"][0]["block"].update(priority=7),
            lambda content: content["blocks"][0]["block"].update(text="\0"),
            lambda content: content["blocks"][0]["block"].update(tool={"name": 1}),
            lambda content: content["blocks"][0]["block"].pop("name"),
            lambda content: content["blocks"].append(content["blocks"][0]),
        ],
    )
    def test_a_sealed_text_that_makes_no_sense_is_refused_as_well(self, change):
        registry, _ = mixed()
        owner = Principal(secret=SECRET)
        whole = json.loads(registry.snapshot().to_json(owner))
        change(whole["content"])
        whole["seal"] = sealed(whole["content"])
        with pytest.raises(InputError) as error:
            read_snapshot(json.dumps(whole), owner)
        assert error.value.reason in {"snapshot_invalid", "range", "nul_not_allowed"}
        assert error.value.hint


BLOCKS = st.lists(
    st.fixed_dictionaries(
        {
            "text": texts(),
            "name": texts(),
            "priority": st.floats(0, 1) | st.just(-0.0),
            "required": st.booleans(),
            "removable": st.booleans(),
            "gated": st.booleans(),
            "prefix": st.just("") | texts(),
            "suffix": st.just("") | texts(),
            "description": st.just("") | texts(),
            "short": st.just("") | texts(),
            "run": st.none() | st.just("r1"),
            "tags": st.lists(texts(), max_size=2),
            "requires": st.lists(texts(), max_size=2),
            "band": st.sampled_from(Band),
            "turn_key": st.none() | texts(),
        }
    ),
    max_size=6,
)


class TestJson:
    def test_it_comes_back_whole_for_the_same_secret_in_another_process(self):
        registry, _ = mixed()
        taken = registry.snapshot()
        text = taken.to_json(Principal(secret=SECRET))
        again = read_snapshot(text, Principal(secret=SECRET))
        assert again == taken
        fresh = Registry(principal=Principal(secret=SECRET))
        new = fresh.restore(again)
        assert prompt(fresh) == prompt(registry)
        assert set(new) == {block.id for block in taken.blocks}
        fresh.evict(new[registry.named("rules")[0].id], force=True)

    def test_how_the_file_is_laid_out_does_not_matter(self):
        registry, _ = mixed()
        owner = Principal(secret=SECRET)
        text = registry.snapshot().to_json(owner)
        assert read_snapshot(json.dumps(json.loads(text), indent=4, sort_keys=True), owner) == registry.snapshot()

    @given(BLOCKS, st.booleans())
    def test_any_registry_survives_its_json(self, drawn, banded):
        owner = Principal(secret=SECRET)
        registry = Registry(banded=banded, principal=owner, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))
        for fields in drawn:
            registry.write(**fields)
        taken = registry.snapshot()
        again = read_snapshot(taken.to_json(owner), owner)
        assert again == taken
        other = Registry(banded=banded, principal=owner)
        other.restore(again)
        assert [content(block) for block in other] == [content(block) for block in registry]
        assert not {block.id for block in other} & {block.id for block in registry}


class TestFork:
    def test_a_fork_says_the_same_and_goes_its_own_way(self):
        registry, _ = mixed()
        registry.write("x" * 50, name="long")
        fork = registry.fork(label="branch")
        assert (fork.label, fork.banded) == ("branch", registry.banded)
        assert prompt(fork) == prompt(registry)
        assert [content(block) for block in fork] == [content(block) for block in registry]
        assert not {block.id for block in fork} & {block.id for block in registry}
        assert all(one.text is other.text for one, other in zip(fork, registry, strict=True))
        assert [fork.accesses(b.id) for b in fork] == [registry.accesses(b.id) for b in registry]
        before = registry.blocks
        fork.write("x", name="only here")
        fork.evict(fork.named("long")[0].id)
        assert registry.blocks == before

    def test_its_owner_is_new_and_may_treat_the_parents_blocks_as_its_own_there_only(self):
        registry, guest = mixed()
        fork = registry.fork()
        assert fork.author not in {registry.author, guest.author}
        assert fork.get(fork.write("x", name="x")).author == fork.author
        fork.edit(fork.named("a")[0].id, "other words")
        fork.evict(fork.named("rules")[0].id, force=True)
        refused("not_owner", fork.evict, fork.named("held")[0].id, force=True)
        mine = registry.write("mine", name="mine", band=Band.VOLATILE, removable=False)
        handle = fork.accept(registry.invite(Right.READ, Right.WRITE))
        refused("not_owner", handle.evict, mine, force=True)

    def test_the_parents_owner_has_no_rights_in_it(self):
        registry, _ = mixed()
        fork = registry.fork()
        back = fork.accept(registry.invite(Right.READ))
        refused("not_allowed", back.write, "x", name="x")

    def test_its_journal_starts_with_the_fork(self):
        registry, _ = mixed()
        fork = registry.fork()
        assert {(entry.step, entry.note, entry.actor) for entry in fork.journal.entries} == {(1, "fork", fork.author)}
        assert replay(fork.journal.entries) == fork.blocks

    def test_a_snapshot_of_the_parent_can_be_restored_in_the_fork(self):
        registry, _ = mixed()
        taken = registry.snapshot()
        fork = registry.fork()
        fork.evict(fork.named("a")[0].id)
        fork.restore(taken)
        assert prompt(fork) == prompt(registry)

    def test_forks_of_forks_inherit(self):
        registry, _ = mixed()
        fork = registry.fork().fork()
        fork.evict(fork.named("rules")[0].id, force=True)

    def test_a_label_that_is_taken_makes_no_fork(self):
        registry, _ = mixed(label="taken")
        refused("label_taken", registry.fork, label="taken")


def test_a_snapshot_remembers_sources():
    class Seed:
        name, text, description, priority, tags = "seed", "words", "", 0.5, ()
        band, trust, tool, requires, gated, short = Band.STABLE, Trust.TRUSTED, None, (), True, ""

    registry = Registry()
    registry.load([Seed()])
    other = Registry()
    other.restore(registry.snapshot())
    (block,) = other.blocks
    assert isinstance(block, Block)
    assert (block.source, block.removable, block.author) == (Source.SEED, False, registry.author)
