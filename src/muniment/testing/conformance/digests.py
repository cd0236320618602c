"""Digests of parts of conversations: numbered by part, read latest first, and gone with any record they were made from."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from muniment.errors import InputError
from muniment.knowledge.digests import (
    Alteration,
    CheckedClaim,
    ClaimFate,
    ClaimKind,
    Digest,
    DigestClaim,
    DigestLine,
    Invention,
    Span,
    Verification,
)
from muniment.knowledge.values import Changes, Wanted
from muniment.ports import Store, Target
from muniment.testing.conformance.base import ANA, CUSTOMER, MODEL, STRANGERS, StoreUnderTest, fill
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_memory, sample_record
from muniment.types import Record, RecordId, Scope, Trust

TALK = "talk"
AGENT = "desk"
MANY = 99


def made_of(*records: Record, said: str = "It costs 40 euros.", **changes: Any) -> Digest:
    """A digest of these records in which something is held in every field."""
    spans = tuple(Span(record=one.id, start=0, end=len(one.text)) for one in records)
    claim = DigestClaim(kind=ClaimKind.MONEY, text=said, value="40 EUR", weight=1.5, spans=spans)
    lost = DigestClaim(kind=ClaimKind.NAME, text="Zoë", value="zoë", weight=0.25, spans=spans[:1])
    line = DigestLine(text=said, spans=spans, speaker="Ana", said_at=NOON, trust=Trust.UNTRUSTED, pinned=True, note="2 more")
    checked = Verification(
        claims=(
            CheckedClaim(claim=claim, fate=ClaimFate.KEPT, line=0),
            CheckedClaim(claim=lost, fate=ClaimFate.LOST, why="not said"),
        ),
        inventions=(Invention(line=0, text="a tip", why="nobody says it"),),
        score=6 / 7,
        alterations=(Alteration(line=None, text="40", why="another number", source="41"),),
        notes=("no second opinion",),
    )
    whole = Digest(
        lines=(line, DigestLine(text="\u0000 'and'; --\n", spans=())),
        verification=checked,
        level="balanced",
        relaxed="conservative",
        target=10,
        tokens=12,
        source_tokens=30,
        threshold=0.8,
        records=tuple(one.id for one in records),
        form="structured",
        scope=records[0].scope,
        conversation=TALK,
        first=records[0].seq,
        last=records[-1].seq,
        made_at=NOON + timedelta(microseconds=7),
        agent=AGENT,
        model="fake",
    )
    return replace(whole, **changes)


async def kept_of(store: Store, scope: Scope, **asked: Any) -> list[Digest]:
    """The digests of the talk at a scope."""
    return list(await store.digests(scope, TALK, **{"agent": AGENT, "limit": MANY, **asked}))


async def keep(store: Store, digest: Digest) -> Digest:
    """Keep a digest whose records are there."""
    kept = await store.keep_digest(digest)
    assert kept is not None
    return kept


class DigestsConformance(StoreUnderTest):
    async def test_a_digest_comes_back_as_it_was_under_its_number(self, store: Store) -> None:
        digest = made_of(*await fill(store, ANA, "one", "two"))
        assert await keep(store, digest) == replace(digest, version=1)
        assert await kept_of(store, ANA) == [replace(digest, version=1)]

    async def test_the_newest_version_of_each_part_is_read_latest_part_first(self, store: Store) -> None:
        one, two, three = await fill(store, ANA, "one", "two", "three")
        for said, records in (("a", (one, two)), ("b", (three,)), ("c", (one,))):
            await keep(store, made_of(*records, said=said))
        assert [(one.lines[0].text, one.version) for one in await kept_of(store, ANA)] == [("b", 1), ("c", 2)]
        every = await kept_of(store, ANA, versions=True)
        assert [(one.lines[0].text, one.version) for one in every] == [("b", 1), ("c", 2), ("a", 1)]
        assert await kept_of(store, ANA, limit=1) == every[:1]
        assert await kept_of(store, ANA, limit=0) == []

    async def test_agents_and_conversations_have_their_own(self, store: Store) -> None:
        (one,) = await fill(store, ANA, "one")
        await keep(store, made_of(one))
        others = {"agent": made_of(one, agent="écrit"), "conversation": made_of(one, conversation="talk 2")}
        for other in others.values():
            assert (await keep(store, other)).version == 1
        assert len(await kept_of(store, ANA)) == 1
        assert [one.agent for one in await kept_of(store, ANA, agent="écrit")] == ["écrit"]
        assert len(await store.digests(ANA, "talk 2", agent=AGENT, limit=MANY)) == 1

    async def test_it_is_of_exactly_one_scope(self, store: Store) -> None:
        await keep(store, made_of(*await fill(store, ANA, "one")))
        for scope in (*STRANGERS, *ANA.lineage[1:]):
            await fill(store, scope, "one")
            assert await kept_of(store, scope) == []

    async def test_none_is_kept_of_a_record_that_is_not_there(self, store: Store) -> None:
        (one,) = await fill(store, ANA, "one")
        (upper,) = await fill(store, CUSTOMER, "upper")
        missing = sample_record(ANA, "missing")
        for records in ((one, missing), (one, upper)):
            assert await store.keep_digest(made_of(*records)) is None
        await store.erase(Target(scope=ANA, ids=(one.id,)), NOON)
        assert await store.keep_digest(made_of(one)) is None
        assert await kept_of(store, ANA) == []

    @pytest.mark.parametrize("missing", [{"scope": None}, {"conversation": None}, {"made_at": None}, {"records": ()}])
    async def test_what_has_no_place_is_refused(self, store: Store, missing: dict[str, Any]) -> None:
        (one,) = await fill(store, ANA, "one")
        with pytest.raises(InputError, match="cannot be kept"):
            await store.keep_digest(replace(made_of(one), **missing))

    @pytest.mark.parametrize("changes", [{"conversation": "\ud800"}, {"agent": "\ud800"}, {"said": "\ud800"}])
    async def test_half_a_character_is_refused(self, store: Store, changes: dict[str, str]) -> None:
        (one,) = await fill(store, ANA, "one")
        with pytest.raises(InputError, match="cannot be kept"):
            await store.keep_digest(made_of(one, **changes))
        assert list(await store.digests(ANA, "\ud800", agent=AGENT, limit=MANY)) == []
        assert await kept_of(store, ANA, agent="\ud800") == []

    async def test_every_version_goes_with_any_of_its_records(self, store: Store) -> None:
        one, two, three = await fill(store, ANA, "one", "two", "three")
        for records in ((one, two), (one, two), (three,)):
            await keep(store, made_of(*records))
        removed = (await store.erase(Target(scope=ANA, ids=(two.id,)), NOON)).removed
        assert removed["digest"] == 2
        assert [one.first for one in await kept_of(store, ANA, versions=True)] == [three.seq]
        assert (await keep(store, made_of(one))).version == 1

    async def test_all_go_with_their_scope(self, store: Store) -> None:
        await keep(store, made_of(*await fill(store, ANA, "one")))
        await keep(store, made_of(*await fill(store, CUSTOMER, "one")))
        assert (await store.erase(Target(scope=ANA), NOON)).removed["digest"] == 1
        assert len(await kept_of(store, CUSTOMER)) == 1
        assert (await store.erase(Target(scope=ANA), NOON)).removed["digest"] == 0

    async def test_a_memory_that_is_purged_takes_the_digests_of_what_proves_it_along(self, store: Store) -> None:
        one, two = await fill(store, ANA, "one", "two")
        memory = sample_memory(ANA, "one")
        await store.settle(ANA, Wanted(), lambda _: Changes(memories=[memory]), at=NOON)
        for record in (one, two):
            await keep(store, made_of(record))
        assert (await store.purge(ANA, [memory.id], NOON)).removed["digest"] == 1
        assert [one.first for one in await kept_of(store, ANA)] == [two.seq]

    async def test_versions_made_at_once_are_numbered_one_after_another(self, store: Store) -> None:
        (one,) = await fill(store, ANA, "one")
        kept = await asyncio.gather(*(keep(store, made_of(one, said=f"{n}")) for n in range(8)))
        assert sorted(digest.version for digest in kept) == list(range(1, 9))
        assert len(await kept_of(store, ANA, versions=True)) == 8

    async def test_a_digest_made_while_its_record_is_erased_is_not_left_behind(self, store: Store) -> None:
        for n in range(5):
            (one,) = await fill(store, ANA, f"one {n}")
            digest = made_of(one, said="secret")
            await asyncio.gather(store.keep_digest(digest), store.erase(Target(scope=ANA, ids=(one.id,)), NOON))
            assert await kept_of(store, ANA, versions=True) == []

    async def test_it_outlives_a_restart_and_leaves_no_byte_when_it_is_erased(self, tmp_path: Path) -> None:
        if not self.durable:
            pytest.skip("this store keeps nothing")
        store = await self.open_store(tmp_path)
        await store.adopt(MODEL)
        one, _ = await fill(store, ANA, "one", "two")
        await keep(store, made_of(one, said="the heliotrope budget"))
        await store.close()
        store = await self.open_store(tmp_path)
        assert len(await kept_of(store, ANA)) == 1
        erased = await store.erase(Target(scope=ANA, ids=(RecordId(one.id),)), NOON)
        await store.close()
        assert erased.removed["digest"] == 1
        if self.overwrites:
            assert not any(b"heliotrope" in file.read_bytes() for file in tmp_path.iterdir())

    async def test_the_doctor_finds_them_sound(self, store: Store) -> None:
        await keep(store, made_of(*await fill(store, ANA, "one")))
        assert [finding.message for finding in await store.check(sample_derive) if finding.check == "digests"] == [
            "1 digests read back as they were kept."
        ]
