"""A page as a visitor reads it: order, headings, links' words, tables, and nothing of what is hidden or works the page."""

# ruff: noqa: E501  # samples stay whole
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import FormatError
from muniment.ingest.formats import read_turns
from muniment.ingest.formats.html import is_html, readable
from muniment.types import Kind, Role

PAGE = """<!DOCTYPE html><html><head><title>The boat</title><style>p{}</style><script>var a = '<p>no</p>'</script></head>
<body><nav><a href="/">Home</a></nav><!-- <p>old</p> --><h1>Boats</h1>
<p>My <a href="x">boat</a> is <b>red</b>.<p hidden>secret<p>Shown &amp; seen.
<div style="display: none">gone <div>deep</div> gone</div><ul><li>one<li>two</ul>
<table><tr><th>Name<th>Role<tr><td>Ana<td>Chef</table><pre>x = 1
  y</pre><h2>More</h2><p># not a heading</p><footer>(c)</footer></body></html>"""


def texts(page):
    return [turn.text.strip() for turn in read_turns(page.encode(), name="boat.html").turns]


def test_a_page_becomes_passages_under_their_headings():
    parsed = read_turns(PAGE.encode(), name="boat.html")
    assert parsed.format == "html"
    assert texts(PAGE) == [
        "# The boat\n\n# Boats\n\nMy boat is red.",
        "Shown & seen.",
        "- one\n- two",
        "Name | Role\nAna | Chef",
        "```\nx = 1\n  y\n```",
        "## More\n\n\\# not a heading",
    ]
    assert parsed.turns[-1].metadata["heading"] == "Boats > More"
    assert {(t.role, t.kind, t.origin, t.ref) for t in parsed.turns} == {(Role.DOCUMENT, Kind.PASSAGE, "boat.html", "boat.html")}


def test_each_passage_cites_its_offset_in_the_readable_text():
    whole = readable(PAGE)
    for turn in read_turns(PAGE.encode(), name="boat.html").turns:
        at = int(turn.metadata["offset"])
        assert whole[at : at + len(turn.text)] == turn.text


def test_a_page_is_read_in_the_encoding_it_names():
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>Zoë aß</p></body></html>'
    assert [turn.text for turn in read_turns(page.encode("latin-1"), name="a.html").turns] == ["Zoë aß"]


def test_a_page_with_nothing_to_read_is_an_error():
    with pytest.raises(FormatError) as error:
        read_turns(b"<html><script>alert(1)</script></html>", name="a.html")
    assert (error.value.code, error.value.place) == ("empty_content", "a.html")


@pytest.mark.parametrize(
    "piece", ["<div>", "<a", "<!--", "<!", "</", "&#", "<a href='", "<script>", "<?", "<td>", "<a ''", "<!-- >", "<p hidden>", "<![CDATA[", "<h1>", '<a "']
)  # fmt: skip
def test_a_hundred_thousand_broken_or_nested_tags_are_read(piece):
    assert isinstance(readable("<html><p>x" + piece * 100_000), str)


@given(
    st.text()
    | st.lists(
        st.sampled_from(["<p>", "</p>", "<ul>", "<li hidden>", "a", "&lt;", "<", ">", "'", '"', "<pre>", "</pre>", "<!--", "-->"])
    ).map("".join)
)
def test_any_text_is_read_as_a_page_without_a_fault(text):
    assert isinstance(readable(text), str)


def test_text_that_only_mentions_tags_is_no_page():
    assert not is_html("Use <b> for bold.")
    assert read_turns(b"a < b and c > d", name="a.txt").format == "text"
