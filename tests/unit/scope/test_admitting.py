"""Credential and request become one scope: inside the ceiling, or one answer that tells nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import Scope
from muniment.errors import AccessError, InputError, ScopeError
from muniment.scope import Credential, Permission, admit
from muniment.types import RUNGS

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
NORTH = Scope(client="acme", customer="north")
ANA = Scope(client="acme", customer="north", user="ana")
IDS = st.sampled_from(["acme", "north", "ana", "ben", "rival"])
SCOPES = st.dictionaries(st.sampled_from(RUNGS), IDS, min_size=1).map(lambda rungs: Scope(**rungs))
REQUESTS = SCOPES | st.dictionaries(st.sampled_from(RUNGS), st.none() | IDS)


def of(ceiling, *permissions, **more):
    return Credential(ceiling=ceiling, permissions=permissions or ("read",), **more)


def told(credential, request, permission=Permission.READ):
    try:
        return admit(credential, request, permission, now=NOON)
    except (AccessError, ScopeError) as error:
        return type(error), error.code, str(error)


@given(st.none() | SCOPES, REQUESTS)
def test_no_request_leads_out_of_the_ceiling(ceiling, request):
    admitted = told(of(ceiling), request)
    assert isinstance(admitted, tuple) or ceiling is None or ceiling.covers(admitted)


@given(SCOPES, SCOPES)
def test_a_scope_inside_the_ceiling_is_taken_as_it_is(ceiling, scope):
    admitted = told(of(ceiling), scope)
    assert (admitted == scope) is ceiling.covers(scope)


def test_rungs_left_out_are_those_of_the_ceiling():
    assert told(of(NORTH), {}) == NORTH
    assert told(of(NORTH), {"user": "ana", "client": None}) == ANA
    assert told(of(NORTH), {"customer": "north"}) == NORTH
    assert told(of(None), {"user": "ana"}) == Scope(user="ana")


def test_outside_and_above_are_one_answer_whatever_is_named():
    credential = of(ANA)
    asked = [Scope(client="acme"), NORTH, Scope(user="ana"), {"user": "ben"}, {"client": "rival"}, {"customer": "nobody"}]
    answers = {told(credential, request) for request in asked}
    assert len(answers) == 1
    assert answers.pop()[:2] == (ScopeError, "scope_absent")


@pytest.mark.parametrize(
    "request_",
    [
        None,
        "",
        "*",
        [],
        ["ana"],
        {"user": "*"},
        {"user": ""},
        {"user": ["ana", "ben"]},
        {"users": "ana"},
        {1: "ana"},
        {"user": 1},
    ],
)
def test_what_is_no_request_is_refused(request_):
    for ceiling in (None, NORTH):
        assert told(of(ceiling), request_)[0] is ScopeError


def test_an_empty_request_names_nothing_without_a_ceiling():
    assert told(of(None), {})[:2] == (ScopeError, "scope_required")


@given(st.sets(st.sampled_from(Permission), min_size=1), st.sampled_from(Permission))
def test_no_permission_includes_another(permissions, asked):
    answer = told(of(NORTH, *permissions), {}, asked)
    assert (answer == NORTH) is (asked in permissions)
    if asked not in permissions:
        assert answer[:2] == (AccessError, "not_allowed")


def test_a_credential_holds_until_it_expires_or_is_revoked():
    later, before = NOON + timedelta(seconds=1), NOON - timedelta(seconds=1)
    assert told(of(NORTH, expires_at=later), {}) == NORTH
    gone = {told(of(NORTH, expires_at=NOON), {}), told(of(NORTH, revoked_at=before), {}), told(of(None, expires_at=before), {})}
    assert len(gone) == 1
    assert gone.pop()[:2] == (AccessError, "key_refused")


def test_a_credential_that_cannot_be_used_is_not_made():
    for wrong in (
        {"ceiling": "acme"},
        {"permissions": ()},
        {"permissions": ("read", "all")},
        {"permissions": 7},
        {"expires_at": datetime(2026, 3, 20)},  # noqa: DTZ001  (what is refused)
        {"note": "\ud800"},
        {"created_by": 7},
    ):
        with pytest.raises(InputError, match="cannot be used"):
            Credential(**{"ceiling": NORTH, "permissions": ("read",), **wrong})
    assert of(NORTH, "erase", "read", "read").permissions == (Permission.READ, Permission.ERASE)
    assert of(NORTH, expires_at=NOON.astimezone()).expires_at == NOON
