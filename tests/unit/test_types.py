"""Ids and scopes: what may name a rung, what a read may see, and what lies below; and the small sums of the other values."""

# ruff: noqa: RUF001  look-alike letters are what these tests are about

from __future__ import annotations

import dataclasses
import unicodedata
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import types
from muniment.bundle import Bundle, Health
from muniment.errors import ScopeError
from muniment.testing.strategies import ids, scopes
from muniment.types import RUNGS, Band, ItemReceipt, Outcome, Receipt, RecordId, Scope, check_id


def refusal(value: object) -> ScopeError:
    with pytest.raises(ScopeError) as caught:
        check_id(value, "user")
    return caught.value


def test_vector_06_an_id_that_is_not_in_nfc_is_refused_so_that_no_two_look_equal():
    assert check_id("\u00e9", "user") == "\u00e9"
    assert refusal("e\u0301").reason == "id_not_normalized"


def test_vector_07_look_alike_ids_stay_distinct_and_invisible_additions_are_refused():
    alike = ["admin", "аdmin", "Admin"]
    assert len({Scope(user=check_id(name, "user")) for name in alike}) == 3
    for name in (
        "admin ",
        " admin",
        "admin\u00a0",
        "admin\u200b",
        "\ufeffadmin",
        "ad\u00admin",
        "admin\u2060",
        "admin\u202e",
        "admin\U000e0041",
    ):
        assert refusal(name).reason == "id_invalid"


@pytest.mark.parametrize(
    "blank", ["\u034f", "\u115f", "\u1160", "\u17b4", "\u2800", "\u3164", "\uffa0", "\ufe0f", "\U000e0100", "\u180b"], ids=ascii
)
def test_vector_07_letters_that_show_nothing_are_refused(blank):
    assert refusal(f"admin{blank}").reason == "id_invalid"


@pytest.mark.parametrize("value", ["x", "x" * 255, "é" * 127, "👍" * 63, "...x".lstrip("."), ".x", "a.b", "x..y"], ids=ascii)
def test_vector_30_ids_of_1_to_255_bytes_are_kept_as_they_are(value):
    assert check_id(value, "user") == value


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x" * 256,
        "é" * 128,
        ".",
        "..",
        "...",
        "..x",
        "x.",
        "/",
        "a/b",
        "con",
        "CON",
        "nul.txt",
        "com1",
        "lpt9.log",
        "a\nb",
        "a\tb",
        "a\0b",
        "a\x7fb",
    ],
    ids=ascii,
)
def test_vector_30_ids_that_name_nothing_or_something_else_are_refused(value):
    assert refusal(value).reason == "id_invalid"


def test_vector_30_words_that_merely_begin_like_devices_are_ids():
    for value in ("console", "connor", "null-island", "nano", "com", "com10", "auxiliary", "nonesuch"):
        assert check_id(value, "user") == value


@pytest.mark.parametrize("name", ["m; DROP TABLE m", '"m"', "sqlite_master", "pg_catalog.x", "x' OR '1'='1", "%", "$.a", "{x}"])
def test_L06_vector_37_names_are_data_and_never_identifiers(name):
    assert Scope(client=name).rungs == (("client", name),)


@pytest.mark.parametrize(
    "value",
    [
        "../../etc/hosts",
        "..%2f",
        "%252e%252e/",
        "..\\..\\x",
        "/abs",
        "C:\\x",
        "file:///x",
        "\\\\host\\x",
        "x/",
        "\u2044..".replace("\u2044", "/"),
    ],
)
def test_vector_39_ids_that_could_be_paths_are_refused(value):
    assert refusal(value).reason == "id_invalid"


@pytest.mark.parametrize(
    "value", ["", "*", ["u1", "u2"], ("u1",), 7, True, b"u1", {"u": 1}, "undefined", "None", "null", "NULL", "NaN"], ids=ascii
)
def test_vector_44_a_wildcard_a_null_word_or_several_users_are_no_user(value):
    with pytest.raises(ScopeError) as caught:
        Scope(user=value)
    assert (caught.value.reason, caught.value.place) == ("id_invalid", "user")


def test_vector_44_a_scope_without_a_rung_is_refused_and_never_means_all():
    for given_rungs in ({}, {"user": None}, dict.fromkeys(RUNGS)):
        with pytest.raises(ScopeError) as caught:
            Scope(**given_rungs)
        assert caught.value.reason == "scope_required"
        assert caught.value.hint


def test_F04_wildcards_in_ids_are_plain_characters():
    one, other = Scope(user="john_doe"), Scope(user="john-doe")
    assert one != other
    assert not one.covers(other)
    assert not Scope(user="a%").covers(Scope(user="ab"))
    assert Scope(client="a.b") not in Scope(client="a", customer="b").lineage


def test_F13_ids_that_a_sanitiser_would_join_stay_three():
    assert len({Scope(user=name) for name in ("a.b@x", "a_b@x", "a-b x")}) == 3


def test_L01_hyphens_and_uuids_are_ids():
    for name in ("acpt-probe", "00000000-0000-0000-0000-000000000001", "main"):
        assert str(Scope(client=name)) == f"client={name}"


def test_L05_a_colon_and_spaces_inside_are_allowed():
    assert check_id("category:Academic History", "conversation") == "category:Academic History"


def test_a_refusal_names_the_rung_the_reason_and_a_next_step():
    with pytest.raises(ScopeError) as caught:
        Scope(client="acme", customer="a/b")
    assert caught.value.place == "customer"
    assert str(caught.value) == (
        "customer: this is not a usable id (it holds a slash). "
        "Use 1 to 255 bytes of visible text without / or \\, for example 'acme' or 'ana@example.org'."
    )


@given(st.text())
def test_an_accepted_id_is_visible_normal_and_bounded(value):
    try:
        kept = check_id(value, "user")
    except ScopeError:
        return
    assert kept is value
    assert 1 <= len(value.encode()) <= 255
    assert unicodedata.normalize("NFC", value) == value == value.strip()
    assert not any(unicodedata.category(c).startswith("C") for c in value)


@given(ids(), ids())
def test_two_scopes_are_equal_exactly_when_their_ids_are(one, other):
    assert (Scope(user=one) == Scope(user=other)) == (one == other)


@given(scopes())
def test_a_lineage_goes_from_the_scope_to_its_widest_rung(scope):
    lineage = scope.lineage
    assert lineage[0] == scope
    assert [len(s.rungs) for s in lineage] == list(range(len(scope.rungs), 0, -1))
    assert all(narrow.rungs[: len(wide.rungs)] == wide.rungs for narrow, wide in pairwise(lineage))


@given(scopes())
def test_every_ancestor_covers_the_scope_and_only_itself_is_covered_by_it(scope):
    assert all(ancestor.covers(scope) for ancestor in scope.lineage)
    assert [ancestor for ancestor in scope.lineage if scope.covers(ancestor)] == [scope]


@given(scopes(), scopes(), scopes())
def test_covering_is_an_order(one, two, three):
    assert one.covers(one)
    assert not (one.covers(two) and two.covers(one)) or one == two
    assert not (one.covers(two) and two.covers(three)) or one.covers(three)


@given(scopes(), scopes())
def test_what_a_scope_reads_covers_it(one, other):
    if other in one.lineage:
        assert other.covers(one)


@given(scopes(), ids())
def test_a_sibling_is_neither_read_nor_covered(scope, name):
    rung, value = scope.rungs[-1]
    sibling = dataclasses.replace(scope, **{rung: name})
    if name != value:
        assert sibling not in scope.lineage
        assert not sibling.covers(scope)
        assert not scope.covers(sibling)


@given(scopes())
def test_a_scope_is_a_value(scope):
    twin = Scope(client=scope.client, customer=scope.customer, user=scope.user)
    assert (twin, hash(twin), str(twin)) == (scope, hash(scope), str(scope))
    with pytest.raises(dataclasses.FrozenInstanceError):
        scope.user = "other"


def test_every_value_is_frozen_and_takes_keywords():
    values = [t for t in vars(types).values() if isinstance(t, type) and dataclasses.is_dataclass(t)]
    assert len(values) > 10
    for value in values:
        assert value.__dataclass_params__.frozen, value
        assert all(field.kw_only for field in dataclasses.fields(value)), value


def test_a_receipt_counts_its_items():
    items = [
        ItemReceipt(place="1", outcome=Outcome.STORED, id=RecordId("a")),
        ItemReceipt(place="2", outcome=Outcome.REFUSED, reason="empty_content"),
        ItemReceipt(place="3", outcome=Outcome.UNCHANGED, id=RecordId("b")),
    ]
    receipt = Receipt(items=tuple(items))
    assert (receipt.count(Outcome.STORED), receipt.count(Outcome.FAILED)) == (1, 0)
    assert receipt.ids == ("a", "b")
    assert not receipt.ok
    assert Receipt(items=(items[0], items[2])).ok
    assert Receipt(items=()).ok


def test_health_is_degraded_when_it_has_something_to_say():
    assert not Health(searched=3, embedder=None).degraded
    assert Health(searched=3, embedder=None, notes=("The embedder did not answer.",)).degraded


def test_a_bundle_is_the_row_of_its_hits():
    bundle = Bundle(query="q", hits=(), tokens=0, health=Health(searched=0, embedder=None))
    assert (len(bundle), list(bundle)) == (0, [])


def test_bands_stand_in_the_order_of_the_prompt():
    assert sorted(Band) == [Band.PINNED, Band.STABLE, Band.SESSION, Band.VOLATILE]


def test_times_of_values_may_carry_a_zone():
    assert types.Turn(text="x", said_at=datetime(2026, 1, 1, tzinfo=UTC)).said_at.tzinfo is UTC
