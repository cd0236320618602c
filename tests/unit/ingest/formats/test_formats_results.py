"""Results of tools: JSON as lines, and huge ones kept beside an excerpt that names them."""

# ruff: noqa: E501  # samples stay whole
from __future__ import annotations

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.ingest.formats.results import HEAD, HUGE, TAIL, flattened, kept_apart
from muniment.types import Kind, Role, Turn


def result(text, **fields):
    return Turn(text=text, role=Role.TOOL, kind=Kind.TOOL_RESULT, **fields)


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


@pytest.mark.parametrize("turn", [result('{"ok": true}'), result("é" * (HUGE // 2)), Turn(text="x" * 2 * HUGE)])
def test_what_is_not_huge_or_no_result_stays_as_it_was_given(turn):
    assert kept_apart(turn) == (turn, None)


def test_a_huge_result_keeps_its_bytes_and_an_excerpt_that_names_them():
    content = json.dumps([{"row": n, "value": "é" * 50} for n in range(2000)], ensure_ascii=False)
    turn, blob = kept_apart(result(content, metadata={"source": "query"}))
    size = len(content.encode())
    assert blob.data == content.encode()
    assert blob.digest == sha256(blob.data).hexdigest()
    assert turn.metadata == {"source": "query", "blob": blob.digest, "bytes": str(size), "media": "application/json"}
    assert turn.text.startswith("[0].row: 0\n[0].value: ééé")
    assert "[1999].row: 1999\n" in turn.text
    assert turn.text.endswith(f"\n[{size} bytes of application/json, sha256 {blob.digest}]")
    assert len(turn.text) < HEAD + TAIL + 300


def test_an_excerpt_counts_what_it_leaves_out():
    lines = [f"line {n:05}" for n in range(10_000)]
    turn, blob = kept_apart(result("\n".join(lines)))
    shown = [line for line in turn.text.splitlines() if line.startswith("line")]
    assert f"[… {10_000 - len(shown) + 1} lines, " in turn.text
    assert (shown[0], shown[-1], blob.media) == ("line 00000", "line 09999", "text/plain; charset=utf-8")


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "\n" * 100_000 + "x", "[" * 100_000, '{"a": 1' + " " * 100_000 + "}", "x\n" * 50_000]
)
def test_whatever_its_shape_an_excerpt_is_short_and_the_blob_whole(text):
    turn, blob = kept_apart(result(text))
    assert blob.data == text.encode()
    assert len(turn.text) < HEAD + TAIL + 300


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
