"""Whether a text is surely in another language than those expected: script and function words decide, and doubt keeps it."""

# ruff: noqa: RUF001  words of other scripts are what this file is about

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.text.expected import surely_other
from muniment.text.words_expected import LISTS, SCRIPTS


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("Moro em Lisboa e o meu plano é o Pro.", ["en"]),
        ("Ich wohne in Berlin und arbeite bei Siemens.", ["en", "pt-BR"]),
        ("Je m'appelle Claire et je travaille pour la mairie.", ["en"]),
        ("I live in Porto and my plan is Pro.", ["pt"]),
        ("Меня зовут Анна, я живу в Москве.", ["en", "de"]),
        ("我住在北京，在大学工作。", ["en"]),
        ("私は東京に住んでいます。", ["zh-Hant"]),
        ("Με λένε Άννα και μένω στην Πάτρα.", ["ru"]),
        ("أعيش في القاهرة مع أسرتي", ["he"]),
    ],
)
def test_what_is_surely_in_another_language_is_told(text, languages):
    assert surely_other(text, languages)


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("Moro em Lisboa e o meu plano é o Pro.", ["en", "pt"]),
        ("Moro em Lisboa e o meu plano é o Pro.", ["pt-BR"]),
        ("I live in Porto and my plan is Pro.", []),
        ("iPhone 15 Pro", ["ja"]),
        ("Hola", ["en"]),
        ("I was in Berlin", ["de"]),
        ("Watched El Camino de los Angeles", ["en"]),
        ("I love La Traviata and Il Trovatore", ["en"]),
        ("Mieszkam w Warszawie i pracuję na uczelni", ["pl"]),
        ("I live in Warsaw and my plan is Pro", ["pl"]),
        ("我住在北京", ["ja"]),
        ("Живу в Киеве", ["uk"]),
        ("Живем у Београду", ["sr"]),
        ("anything at all, and what is it", ["tlh"]),
        ("Call me 王伟", ["en"]),
        ("+351 912 345 678", ["ru"]),
        ("", ["en"]),
    ],
)
def test_in_doubt_a_text_passes(text, languages):
    assert not surely_other(text, languages)


def test_every_list_of_function_words_is_of_a_language_in_latin_letters():
    assert all("LATIN" in SCRIPTS[tag] for tag in LISTS)


@given(st.text(max_size=200), st.lists(st.sampled_from([*SCRIPTS, "tlh"]), max_size=4))
def test_more_languages_never_make_a_text_foreign(text, languages):
    if not surely_other(text, languages):
        assert not surely_other(text, [*languages, "tlh"])


@pytest.mark.parametrize("text", ["A", "a ", "Aa a ", "de la ", "字", "И "])
def test_a_long_run_is_read(text):
    surely_other(text * 50_000, ["en"])
