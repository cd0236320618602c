"""A scope sees itself and its ancestors. What a sibling holds changes nothing that it sees: no answer, order or count."""

from __future__ import annotations

import pytest

from muniment.ports import Store, Target
from muniment.testing.conformance.base import (
    ANA,
    BEN,
    CLIENT,
    CUSTOMER,
    EVERYTHING,
    RIVAL,
    SOUTH,
    STRANGERS,
    StoreUnderTest,
    fill,
    find_all,
    shelves_of,
    texts_found,
    texts_kept,
)
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_write
from muniment.types import Filter, RecordId, Scope

TWINS = [
    ("john-doe", "john_doe"),
    ("john_doe", "john%doe"),
    ("a%", "ab"),
    ("a.b@x", "a_b@x"),
    ("a-b x", "a.b@x"),
    ("a.b", "a b"),
    ("ana", "Ana"),
    ("admin", "\u0430dmin"),
    ("stra\u00dfe", "strasse"),
    ("\ufb01n", "fin"),
    ("1", "01"),
    ("1", "1.0"),
    ("m; DROP TABLE m", "m"),
    ('"m"', "m"),
    ("sqlite_master", "pg_catalog.x"),
    ("x' OR '1'='1", "x"),
    ("00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-00000000000l"),
]
PLACES = {
    "wider_rung": (Scope(user="north"), Scope(customer="north")),
    "other_rung": (Scope(client="north"), Scope(customer="north")),
    "joined": (Scope(client="a", customer="b"), Scope(client="a b")),
    "shifted": (Scope(client="a", customer="b c"), Scope(client="a b", customer="c")),
    "skipped_rung": (Scope(client="a", user="b"), Scope(client="a", customer="b")),
    "same_user_of_another_customer": (ANA, Scope(client="acme", customer="south", user="ana")),
    "same_user_of_another_client": (ANA, RIVAL),
    "same_customer_of_another_client": (CUSTOMER, Scope(client="rival", customer="north")),
    "user_without_client": (ANA, Scope(user="ana")),
}


async def assert_apart(store: Store, one: Scope, other: Scope) -> None:
    for scope, text in ((one, "of the one"), (other, "of the other")):
        await fill(store, scope, text)
    for scope, text in ((one, "of the one"), (other, "of the other")):
        assert await texts_kept(store, scope) == await texts_found(store, scope) == [text]


class IsolationConformance(StoreUnderTest):
    """Siblings, strangers and near twins."""

    @pytest.mark.parametrize(("one", "other"), TWINS)
    async def test_F04_F13_L01_vector_37_ids_are_compared_exactly(self, store: Store, one: str, other: str) -> None:
        await assert_apart(store, Scope(user=one), Scope(user=other))

    @pytest.mark.parametrize(("one", "other"), PLACES.values(), ids=PLACES)
    async def test_equal_names_on_other_rungs_are_other_scopes(self, store: Store, one: Scope, other: Scope) -> None:
        await assert_apart(store, one, other)

    async def test_ancestors_are_seen_and_siblings_are_not(self, store: Store) -> None:
        for scope in (CLIENT, CUSTOMER, ANA, *STRANGERS):
            await fill(store, scope, f"{scope}")
        assert await texts_found(store, ANA) == [f"{ANA}", f"{CUSTOMER}", f"{CLIENT}"]
        assert await texts_found(store, CUSTOMER) == [f"{CUSTOMER}", f"{CLIENT}"]
        assert await texts_found(store, CLIENT) == [f"{CLIENT}"]
        assert await texts_found(store, Scope(client="acme", customer="north", user="nobody")) == [f"{CUSTOMER}", f"{CLIENT}"]

    @pytest.mark.parametrize("stranger", [*STRANGERS, Scope(user="ana")], ids=str)
    async def test_vector_41_a_foreign_id_gets_the_answer_of_an_absent_one(self, store: Store, stranger: Scope) -> None:
        (foreign,) = await fill(store, ANA, "private")
        await fill(store, stranger, "own")
        absent = RecordId("absent")
        assert await store.get(stranger, [foreign.id]) == await store.get(stranger, [absent])
        assert await store.erase(Target(scope=stranger, ids=(foreign.id,)), NOON) == await store.erase(
            Target(scope=stranger, ids=(absent,)), NOON
        )
        assert await texts_kept(store, ANA) == ["private"]

    async def test_vector_45_a_foreign_id_among_own_ones_is_left_out_silently(self, store: Store) -> None:
        own = await fill(store, ANA, *map(str, range(49)))
        (foreign,) = await fill(store, BEN, "foreign")
        asked = [record.id for record in own]
        asked.insert(20, foreign.id)
        assert list(await store.get(ANA, asked)) == own
        erased = await store.erase(Target(scope=ANA, ids=tuple(asked)), NOON)
        assert erased.records == 49
        assert await texts_kept(store, BEN) == ["foreign"]

    async def test_F16_vector_46_one_conversation_id_of_two_users_is_two_conversations(self, store: Store) -> None:
        for scope in (ANA, BEN):
            await store.put([sample_write(scope, f"{scope}", conversation="session-1")])
        where = Filter(conversation="session-1")
        assert [record.text for record in (await store.page(ANA, where, limit=9)).records] == [f"{ANA}"]
        assert (await store.stats(CUSTOMER)).conversations == 2
        await store.erase(Target(scope=BEN, conversation="session-1"), NOON)
        assert (await texts_kept(store, ANA), await texts_kept(store, BEN)) == ([f"{ANA}"], [])

    async def test_F10_metadata_cannot_move_a_record(self, store: Store) -> None:
        await store.put(
            [sample_write(ANA, "stays", metadata={"user": "ben", "user_id": "ben", "scope": "client=rival", "client": "rival"})]
        )
        assert await texts_kept(store, ANA) == ["stays"]
        for stranger in STRANGERS:
            assert await texts_found(store, stranger) == []

    @pytest.mark.parametrize("neighbour", [BEN, SOUTH, RIVAL], ids=str)
    async def test_vector_48_49_a_crowded_neighbour_changes_nothing(self, store: Store, neighbour: Scope) -> None:
        texts = ["the red boat", "the blue boat", "a boat house"]
        await fill(store, ANA, *texts)
        (before,) = await shelves_of(store, ANA)
        seen = (await find_all(store, ANA), await store.page(ANA, EVERYTHING, limit=2), await store.stats(ANA))
        await store.put([sample_write(neighbour, f"boat boat house {n}") for n in range(200)])
        (after,) = await shelves_of(store, ANA)
        assert seen == (await find_all(store, ANA), await store.page(ANA, EVERYTHING, limit=2), await store.stats(ANA))
        assert after.generation == before.generation
        for column in ("head", "bounds", "terms", "vectors", "embedded"):
            assert getattr(after, column).tobytes() == getattr(before, column).tobytes()

    async def test_a_scan_and_the_counts_of_a_scope_cover_only_it_and_what_is_below(self, store: Store) -> None:
        for scope in (CLIENT, CUSTOMER, ANA, *STRANGERS):
            await fill(store, scope, f"{scope}")
        assert {record.text async for record in store.scan(CUSTOMER)} == {f"{CUSTOMER}", f"{ANA}", f"{BEN}"}
        assert {record.text async for record in store.scan(ANA)} == {f"{ANA}"}
        assert (await store.stats(CUSTOMER)).records == 3
        assert (await store.stats(Scope(client="nobody"))).records == 0
