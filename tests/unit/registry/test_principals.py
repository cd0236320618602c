"""Principals and invites: who one is follows from a secret, what one may do from an invite, and neither can be made up."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

from muniment.errors import BlockError
from muniment.registry import Invite, Principal, Registry, Right
from muniment.registry.principals import Terms
from muniment.types import Band, Role, Source, Tool, ToolCall, Trust

SECRET = b"sixteen bytes or more"


def refused(code, call, *args, **kwargs):
    with pytest.raises(BlockError) as error:
        call(*args, **kwargs)
    assert error.value.reason == code
    assert error.value.hint
    return error.value


class TestPrincipal:
    def test_the_same_secret_is_the_same_author_after_a_restart(self):
        assert Principal("a", secret=SECRET).id == Principal("b", secret=SECRET).id
        assert Principal(secret=SECRET).id != Principal(secret=SECRET + b"!").id

    def test_without_a_secret_each_is_another(self):
        assert len({Principal().id for _ in range(50)}) == 50

    @pytest.mark.parametrize("secret", [b"", b"short", "text that is long enough", 7])
    def test_a_secret_is_bytes_enough(self, secret):
        refused("secret", Principal, secret=secret)

    def test_neither_secret_nor_id_shows(self):
        for principal in (Principal("planner", secret=SECRET), Principal(secret=SECRET)):
            assert principal.id not in repr(principal)
            assert "sixteen" not in repr(principal)
        assert repr(Principal("planner")) == "<Principal planner>"
        assert Principal("planner").name == "planner"

    def test_who_one_is_cannot_be_set(self):
        principal = Principal("me")
        for name in ("id", "name"):
            with pytest.raises(AttributeError):
                setattr(principal, name, "someone else")

    def test_a_principal_signs_nothing_for_others(self):
        assert {name for name in dir(Principal()) if not name.startswith("_")} == {"accept", "id", "name"}

    def test_only_a_principal_owns_a_registry(self):
        victim, registry = Principal(), Registry()
        fake = type("Fake", (), {"id": victim.id, "name": "fake"})()
        heir = type("Heir", (Principal,), {"id": victim.id})()
        for owner in (fake, heir, "planner", victim.id, Registry(principal=victim)):
            assert "Principal(name" in refused("range", Registry, principal=owner).hint
            refused("range", registry.fork, principal=owner)
            refused("range", registry.snapshot().to_json, owner)
            refused("range", registry.invite(Right.WRITE).accept, owner)


class TestIdentity:
    def test_the_author_is_who_accepted(self):
        registry, agent = Registry(), Principal()
        handle = agent.accept(registry.invite(Right.WRITE))
        block = registry.get(handle.write("x", name="x"))
        assert block.author == handle.author == agent.id != registry.author
        assert block.source is Source.AGENT

    def test_a_registry_writes_elsewhere_as_its_owner(self):
        here, there = Registry(), Registry()
        block_id = here.accept(there.invite(Right.WRITE)).write("x", name="x")
        assert there.get(block_id).author == here.author

    def test_the_owner_of_a_registry_can_be_given(self):
        principal = Principal(secret=SECRET)
        registry = Registry(principal=principal)
        assert registry.get(registry.write("x", name="x")).author == principal.id == registry.author

    def test_vector_88_author_and_time_cannot_be_given(self):
        registry = Registry()
        for field in ("author", "source", "created", "accesses", "id", "group"):
            with pytest.raises(TypeError):
                registry.write("x", name="x", **{field: "mine"})

    def test_a_class_that_tells_another_id_is_no_principal(self):
        victim = Principal()
        fake = type("Fake", (), {"id": victim.id, "name": "fake"})()
        refused("range", Registry().invite(Right.WRITE).accept, fake)

    def test_only_a_genuine_invite_is_shown_a_principal(self):
        seen = []
        fake = type("Fake", (), {"accept": lambda self, principal: seen.append(principal)})()
        refused("range", Principal().accept, fake)
        refused("range", Registry().accept, fake)
        assert seen == []

    def test_an_invite_of_a_strangers_make_learns_only_the_public_id(self):
        seen, agent = [], Principal()
        agent.accept(Invite(Terms(rights=frozenset()), bind=lambda *given: seen.append(given)))
        assert [given[0] for given in seen] == [agent.id]


class TestTerms:
    def test_what_an_invite_grants_can_be_read_and_not_changed(self):
        invite = Registry().invite(Right.WRITE, "read", blocks=3)
        assert invite.terms == Terms(rights=frozenset({Right.WRITE, Right.READ}), blocks=3)
        assert repr(invite) == "<Invite to read, write>"
        with pytest.raises(AttributeError):
            invite.terms = Registry().invite(*Right).terms
        with pytest.raises(dataclasses.FrozenInstanceError):
            invite.terms.trust = Trust.TRUSTED
        assert repr(Registry().invite()) == "<Invite to nothing>"

    def test_it_is_narrow_unless_asked(self):
        terms = Registry().invite(Right.WRITE).terms
        assert (terms.bands, terms.trust, terms.source) == ({Band.SESSION, Band.VOLATILE}, Trust.UNTRUSTED, Source.AGENT)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"bands": ["volatile"]},
            {"trust": "trusted!"},
            {"source": Source.SEED},
            {"source": Source.ORCHESTRATOR},
            {"blocks": -1},
            {"blocks": True},
            {"characters": 1.5},
        ],
    )
    def test_terms_that_make_no_sense_are_refused(self, wrong):
        refused("range", Registry().invite, Right.WRITE, **wrong)

    def test_a_right_that_does_not_exist_is_refused(self):
        assert "arrange" in refused("range", Registry().invite, "rule").hint

    def test_an_orchestrators_words_are_trusted(self):
        registry = Registry()
        handle = Principal().accept(registry.invite(Right.WRITE, trust=Trust.TRUSTED, source=Source.ORCHESTRATOR))
        block = registry.get(handle.write("x", name="x"))
        assert (block.source, block.trust, block.band) == (Source.ORCHESTRATOR, Trust.TRUSTED, Band.VOLATILE)


class TestPassingOn:
    def test_a_handle_grants_what_it_has_and_no_more(self):
        registry = Registry()
        wide = registry.invite(
            Right.READ, Right.WRITE, bands=[Band.STABLE, Band.VOLATILE], trust=Trust.TRUSTED, blocks=5, characters=900
        )
        handle = Principal().accept(wide)
        for wider in (
            {"bands": [Band.PINNED]},
            {"bands": [Band.SESSION]},
            {"blocks": 6},
            {"characters": 901},
            {"source": Source.ORCHESTRATOR, "trust": Trust.TRUSTED},
        ):
            refused("wider", handle.invite, Right.WRITE, **wider)
        refused("wider", handle.invite, Right.ARRANGE)
        terms = handle.invite(Right.WRITE, blocks=2).terms
        assert terms.within(handle.invite(Right.READ, Right.WRITE, trust=Trust.TRUSTED, bands=[Band.STABLE, Band.VOLATILE]).terms)
        assert (terms.bands, terms.blocks, terms.characters) == ({Band.VOLATILE}, 2, 900)

    def test_untrusted_cannot_pass_on_trust(self):
        handle = Principal().accept(Registry().invite(Right.WRITE))
        refused("wider", handle.invite, Right.WRITE, trust=Trust.TRUSTED)

    def test_revoking_ends_an_invite_and_all_that_came_from_it(self):
        registry = Registry()
        invite = registry.invite(Right.WRITE, Right.READ)
        handle = Principal().accept(invite)
        further = handle.invite(Right.WRITE)
        deep = Principal().accept(further).invite(Right.WRITE)
        deepest = Principal().accept(deep)
        other = Principal().accept(registry.invite(Right.WRITE))
        block_id = deepest.write("x", name="x")
        registry.revoke(invite)
        assert repr(further) == "<Revoked invite to write>"
        for call in (
            lambda: handle.blocks,
            lambda: handle.write("y", name="y"),
            lambda: deepest.write("y", name="y"),
            lambda: deepest.evict(block_id),
            lambda: deepest.get(block_id),
            lambda: deepest.named("x"),
            lambda: block_id in deepest,
            lambda: deepest.invite(Right.WRITE),
            lambda: Principal().accept(further),
        ):
            refused("revoked", call)
        assert other.write("z", name="z")
        assert [block.name for block in registry] == ["x", "z"]

    def test_only_who_stands_above_can_revoke(self):
        registry = Registry()
        invites = [registry.invite(Right.WRITE) for _ in range(2)]
        handles = [Principal().accept(invite) for invite in invites]
        below = handles[0].invite(Right.WRITE)
        for invite in (invites[0], invites[1]):
            refused("not_owner", handles[0].revoke, invite)
        refused("not_owner", handles[1].revoke, below)
        refused("not_owner", Registry().revoke, invites[0])
        handles[0].revoke(below)
        assert below.revoked
        assert handles[0].write("x", name="x")

    def test_a_revoked_invite_may_be_revoked_again(self):
        registry = Registry()
        invite = registry.invite(Right.WRITE)
        registry.revoke(invite)
        registry.revoke(invite)
        assert invite.revoked

    def test_invites_can_be_passed_on_so_often_and_no_more(self):
        registry = Registry()
        first = invite = registry.invite(Right.WRITE, Right.READ)
        for _ in range(63):
            handle = Principal().accept(invite)
            invite = handle.invite(Right.WRITE)
        last = Principal().accept(invite)
        refused("range", last.invite, Right.WRITE)
        last.write("x", name="x")
        registry.revoke(first)
        assert invite.revoked
        refused("revoked", last.write, "x", name="x")

    def test_one_handle_may_give_many_invites(self):
        registry = Registry()
        handle = Principal().accept(above := registry.invite(Right.WRITE))
        many = [handle.invite(Right.WRITE) for _ in range(5000)]
        registry.revoke(above)
        assert all(invite.revoked for invite in many)

    def test_only_an_invite_can_be_revoked_and_bands_are_a_list(self):
        registry = Registry()
        for wrong in ("x", None, Principal()):
            refused("range", registry.revoke, wrong)
        for wrong in (Band.STABLE, "stable", 7):
            assert "[Band.SESSION]" in refused("range", registry.invite, Right.WRITE, bands=wrong).hint


class TestRoom:
    def test_an_invite_has_room_for_so_many_blocks_at_a_time(self):
        registry = Registry()
        handle = Principal().accept(registry.invite(Right.WRITE, blocks=2))
        first = handle.write("1", name="x")
        handle.write("2", name="x")
        refused("quota", handle.write, "3", name="x")
        handle.evict(first)
        handle.write("3", name="x")
        registry.write("mine", name="y")
        refused("quota", handle.write, "4", name="x")
        assert len(registry) == 3

    def test_everything_a_block_says_takes_room(self):
        registry = Registry()
        handle = Principal().accept(registry.invite(Right.WRITE, characters=20))
        block_id = handle.write("0123456789", name="x")
        for more in ({"prefix": "0123456789"}, {"short": "0123456789"}, {"tags": ["0123456789"]}, {"description": "0123456789"}):
            refused("quota", handle.edit, block_id, **more)
            refused("quota", handle.write, "", name="y", **more)
        trusted = Principal().accept(registry.invite(Right.WRITE, characters=20, trust=Trust.TRUSTED))
        refused("quota", trusted.write, "", name="y", tool=Tool(name="f", description="0123456789"))
        call = ToolCall(id="1", name="f", arguments="0123456789012345678")
        refused("quota", trusted.write, "", name="y", role=Role.ASSISTANT, tool_calls=[call])
        handle.edit(block_id, "012345678901234567")
        handle.edit(block_id, "01")
        assert registry.get(block_id).text == "01"

    def test_no_text_that_a_guest_gives_is_free(self):
        registry = Registry()
        handle = Principal().accept(registry.invite(Right.WRITE, characters=20, trust=Trust.TRUSTED))
        long = "0123456789" * 3
        for more in ({"turn_key": long}, {"run": long}, {"requires": [long]}, {"role": Role.TOOL, "tool_call_id": long}):
            refused("quota", handle.write, "", name="y", **more)
        refused("quota", handle.write, "", name=long)
        assert len(registry) == 0

    def test_what_is_passed_on_comes_out_of_the_same_room(self):
        registry = Registry()
        invite = registry.invite(Right.WRITE, blocks=2)
        handle = Principal().accept(invite)
        below = Principal().accept(handle.invite(Right.WRITE))
        below.write("1", name="x")
        handle.write("2", name="x")
        refused("quota", below.write, "3", name="x")
        refused("quota", handle.write, "3", name="x")

    def test_accepting_again_under_other_names_makes_no_more_room(self):
        registry = Registry()
        invite = registry.invite(Right.WRITE, blocks=1)
        Principal().accept(invite).write("1", name="x")
        refused("quota", Principal().accept(invite).write, "2", name="x")


class TestOneOfAKind:
    @pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
    def test_a_copy_of_an_invite_has_no_quota_of_its_own_and_ends_with_it(self, copied):
        registry = Registry()
        invite = registry.invite(Right.WRITE, blocks=1)
        handle, twin = Principal().accept(invite), Principal().accept(copied(invite))
        handle.write("1", name="x")
        refused("quota", twin.write, "2", name="x")
        registry.revoke(invite)
        for late in (twin, copied(handle), copied(twin)):
            refused("revoked", late.write, "x", name="x")
        refused("revoked", Principal().accept, copied(invite))

    @pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
    def test_a_copy_of_a_principal_or_a_handle_is_itself(self, copied):
        principal = Principal()
        handle = principal.accept(Registry().invite(Right.WRITE))
        assert copied(principal) is principal
        assert copied(handle) is handle
        assert copied([handle])[0] is handle

    def test_rights_and_secrets_are_not_pickled(self):
        registry = Registry()
        invite = registry.invite(Right.WRITE)
        for one in (registry, invite, Principal(), Principal().accept(invite)):
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                refused("not_allowed", pickle.dumps, one, protocol)

    @pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
    def test_a_registry_is_forked_and_not_copied(self, copied):
        assert "fork()" in refused("not_allowed", copied, Registry()).hint
