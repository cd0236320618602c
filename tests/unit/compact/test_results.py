"""What a tool gave back is told row by row, each value as it stood, and nothing of it is lost."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.compact.rules_results import left_out, parts

_SCALARS = st.one_of(st.integers(), st.booleans(), st.none(), st.text(alphabet="abcXYZ 019-_äß", min_size=1, max_size=8))


def table_of(kept):
    """Parts as lines: each header once, before the first row that stands under it."""
    lines, header = [], ""
    for one in kept:
        lines += [one.header] if one.header and one.header != header else []
        header = one.header
        lines.append(one.text)
    return "\n".join(lines)


def test_objects_are_a_table_with_one_header():
    text = '[{"id": "A1", "price": 2.50}, {"id": "B2", "price": 1e3, "note": null}]'
    assert table_of(parts(text)) == "id | price | note\nA1 | 2.50 | \nB2 | 1e3 | null"
    assert [text[one.start : one.end] for one in parts(text)] == [
        '{"id": "A1", "price": 2.50}',
        '{"id": "B2", "price": 1e3, "note": null}',
    ]


def test_an_object_is_its_fields():
    text = '{"name": {"first": "Mia"}, "tags": [1, 2], "legs": [{"to": "SEA"}]}'
    assert table_of(parts(text)) == "name.first: Mia\ntags: [1, 2]\nlegs | to\nSEA"


@pytest.mark.parametrize("text", ["", "plain", '"x"', "12", "[]", "{}", "[1, 2", '{"a": 1} and more', "[" * 100_000])
def test_what_is_no_table_is_left_to_be_read_as_text(text):
    assert parts(text) == ()


def test_what_is_left_out_is_named():
    assert left_out("row", 1, "r1") == "… 1 row left out, see record r1"
    assert left_out("row", 7, "r1") == "… 7 rows left out, see record r1"


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), _SCALARS, min_size=1), min_size=1, max_size=6))
def test_every_value_stands_in_its_row(rows):
    text = json.dumps(rows, ensure_ascii=False)
    found = parts(text)
    assert len(found) == len(rows)
    for one, row in zip(found, rows, strict=True):
        assert json.loads(text[one.start : one.end]) == row
        cells = one.text.split(" | ")
        assert all((value if isinstance(value, str) else json.dumps(value)) in cells for value in row.values())
