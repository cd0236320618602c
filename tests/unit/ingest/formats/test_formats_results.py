"""Results of tools: JSON as lines, and huge or binary ones kept beside an excerpt that names them."""

# ruff: noqa: E501  # samples stay whole
from __future__ import annotations

import json
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from muniment.ingest.formats.results import HUGE, flattened, result_turn
from muniment.types import Kind, Role


def test_json_becomes_lines_of_path_and_value():
    value = {
        "user": {"name": "Zoë", "tags": ["a", "b"]},
        "orders": [{"id": 1, "open": True}, {"id": 2, "open": None}],
        "note": "x\ny",
    }
    assert flattened(json.dumps(value)).split("\n") == [
        "user.name: Zoë", "user.tags: a, b", "orders[0].id: 1", "orders[0].open: true", "orders[1].id: 2", "orders[1].open: null", "note: x", "  y",
    ]  # fmt: skip


def test_what_is_no_json_or_a_bare_value_stays_as_it_is():
    assert flattened("12 degrees") == "12 degrees"
    assert flattened('"hi"') == '"hi"'
    assert flattened("[" * 100_000) == "[" * 100_000


def test_a_small_result_is_one_untrusted_turn_without_a_blob():
    turn, blob = result_turn('{"ok": true}', tool="ping", tool_call_id="c1")
    assert (turn.text, turn.role, turn.kind, turn.speaker, turn.tool_call_id) == (
        "ok: true",
        Role.TOOL,
        Kind.TOOL_RESULT,
        "ping",
        "c1",
    )
    assert blob is None


def test_a_huge_result_keeps_its_bytes_and_an_excerpt_that_names_them():
    content = json.dumps([{"row": n, "value": "x" * 50} for n in range(2000)])
    turn, blob = result_turn(content, tool="query")
    assert len(content) > HUGE
    assert blob.data == content.encode()
    assert blob.digest == sha256(content.encode()).hexdigest() == turn.metadata["blob"]
    assert turn.text.startswith("[0].row: 0\n[0].value: xxx")
    assert turn.text.endswith(f"[{len(content)} bytes of application/json, sha256 {blob.digest}]")
    assert len(turn.text) < 5000


def test_bytes_that_are_no_text_are_named_and_never_spelled_out():
    turn, blob = result_turn(b"\x89PNG\0\xff", tool="shot", media="image/png")
    assert turn.text == f"[6 bytes of image/png, sha256 {blob.digest}]"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda x: st.lists(x, max_size=4) | st.dictionaries(st.text(), x, max_size=4),
)


@given(st.dictionaries(st.text(), JSON, min_size=1))
def test_every_text_in_a_value_is_in_its_lines(value):
    lines = flattened(json.dumps(value))
    stack = [value]
    while stack:
        item = stack.pop()
        stack += item.values() if isinstance(item, dict) else item if isinstance(item, list) else []
        assert not isinstance(item, str) or item.replace("\n", "\n  ") in lines
