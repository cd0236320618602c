"""Styled text keeps its words and its styles however it is cut, and no row is wider than it may be."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running_cli import Cli, environment, on_terminal

from muniment.cli.documents import REASONS
from muniment.cli.paint import Text, cells
from muniment.cli.terminal import Progress
from muniment.types import Fate

ANA = ("--user", "ana")
LETTERS = st.sampled_from([*"ab  -\n\t", "船", "é", "e\u0301", "👩‍👩‍👧‍👦", "🇵🇹", "1️⃣", "न्द", "ไ", "ש", "…"])
WORDS = st.lists(LETTERS, max_size=60).map("".join)
STYLES = st.sampled_from(["", "bold", "bold cyan", "italic dim", "bright_blue"])
TEXTS = st.lists(st.tuples(WORDS, STYLES), max_size=4).map(lambda pieces: Text.of(*pieces))
CODE = re.compile(r"\x1b\[[0-9;]*m")


def squeezed(text):
    return re.sub(r"\s", "", text)


@given(TEXTS, st.integers(2, 40))
def test_wrapped_rows_fit_and_hold_every_word_in_its_style(text, width):
    [*parts] = text.split()
    rows = [row for part in parts for row in part.wrapped(width)]
    assert all(row.cells <= width for row in rows)
    assert squeezed("".join(row.plain for row in rows)) == squeezed(text.plain)
    kept = [(char, style) for row in rows for char, style in zip(row.plain, row.styles, strict=True) if not char.isspace()]
    assert kept == [(char, style) for char, style in zip(text.plain, text.styles, strict=True) if not char.isspace()]


@given(TEXTS, st.integers(1, 40))
def test_a_fitted_row_is_as_wide_as_asked_and_shows_where_it_was_cut(text, width):
    row = Text.of(*text.split()).fitted(width)
    assert row.cells <= width
    assert len(row.plain) == len(row.styles)
    whole = Text.of(*text.split()).fitted(10_000)
    assert row == whole if whole.cells <= width else row.plain.endswith("…")
    assert Text.of(*text.split()).fitted(width, pad=True).cells == width


@given(TEXTS)
def test_painting_adds_codes_and_nothing_else(text):
    assert CODE.sub("", text.ansi()) == text.plain
    assert Text.of(*text.split()).plain == text.plain.replace("\n", "")


def test_style_names_are_the_codes_terminals_know():
    assert Text.of("plain ", ("loud", "bold cyan"), ("soft", "italic dim")).ansi() == (
        "plain \x1b[36m\x1b[1mloud\x1b[0m\x1b[2m\x1b[3msoft\x1b[0m"
    )


def test_words_are_marked_wherever_they_stand_and_whatever_their_case():
    marked = Text.of("A boat, BOAT and (b)oat.").marked(["boat", "(b)"], "bold")
    assert CODE.sub("*", marked.ansi()) == "A *boat*, *BOAT* and *(b)*oat."
    assert Text.of("nothing").marked([], "bold") == Text.of("nothing")


@pytest.mark.parametrize(
    ("text", "columns"),
    [("boat", 4), ("船の", 4), ("e\u0301", 1), ("👩‍👩‍👧‍👦👍🏽", 4), ("🇵🇹", 2), ("1️⃣", 2), ("ไทย", 3), ("שלום", 4), ("각", 2)],
)
def test_cells_are_what_terminals_use(text, columns):
    assert cells(text) == columns


def test_a_word_longer_than_a_row_is_folded_in_time_that_grows_with_it():
    rows = Text.of("船" * 200_000).wrapped(76)
    assert len(rows) == -(-200_000 // 38)


def test_tabs_stand_in_columns_of_eight():
    assert [row.plain for row in Text.of("a\tb\t船\tc").wrapped(40)] == ["a       b       船      c"]


def test_a_bar_shows_how_much_is_done_where_that_is_known():
    progress = Progress("chat.json", 4)
    assert list(progress.counting("ab")) == ["a", "b"]
    assert progress.row().plain == f"chat.json {'━' * 30} 2 0:00:00"
    assert progress.row().styles.count("magenta") == 15
    assert Progress("-", None).row().plain == "- 0 0:00:00"


def test_every_fate_has_a_reason():
    assert set(REASONS) == set(Fate) - {Fate.INCLUDED}


def test_long_work_shows_a_bar_and_clears_it_away(tmp_path, monkeypatch):
    cli = Cli(tmp_path, monkeypatch)
    cli.file("many.txt", "\n\n".join(f"Paragraph {n} about boats. " + "word " * 100 for n in range(1000)))
    shown, code = on_terminal("ingest", "many.txt", *ANA, folder=tmp_path, columns=60)
    assert code == 0
    assert "many.txt ━" in CODE.sub("", shown)
    assert shown.split("\r\x1b[K")[-1].startswith("\x1b[1mmany.txt")
    cli.file("many.txt", "\n\n".join(f"Paragraph {n} about harbours." for n in range(300)))
    for env in (environment(tmp_path, NO_COLOR="1"), environment(tmp_path, TERM="dumb")):
        plain, code = on_terminal("ingest", "many.txt", *ANA, folder=tmp_path, columns=60, env=env)
        assert code == 0
        assert not CODE.search(plain)
