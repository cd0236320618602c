"""The same words give the same terms, in documents and in questions, whatever the script, and never an error."""

# ruff: noqa: RUF001  words of other scripts are what this file is about

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.text.terms import (
    ASKS,
    LONGEST,
    TELLS_TIME,
    is_blank,
    is_dense,
    normal,
    passage_terms,
    question_terms,
    terms,
)


def matched(question: str, text: str) -> list[str]:
    """Words of `question` that `text` holds."""
    held = set(terms(text))
    return [term.word for term in question_terms(question) if held.intersection(term.forms)]


@pytest.mark.parametrize("spelling", ["Zoë", "Zoe\u0308", "ZOË", "zoë", "Zoe"])
def test_G07_spellings_of_one_name_are_one_term(spelling):
    assert terms(spelling) == ["zoe"]
    assert matched(spelling, "Lunch with Zoë on the pier")


def test_G07_arabic_vowel_points_and_tatweel_do_not_part_words():
    assert terms("سَلَامٌ") == terms("سلام") == terms("ســلام")


def test_G07_each_emoji_is_a_word_of_its_own():
    assert matched("👩‍👩‍👧", "our family 👩‍👩‍👧 at the lake") == ["👩", "👧"]
    assert matched("😂", "so funny 😂😂")


@pytest.mark.parametrize("query", ["精排", "rerank", "模型"])
def test_G02_chinese_and_latin_words_in_one_text_are_both_found(query):
    assert matched(query, "上个月换成的 rerank 精排模型") == [query]


def test_G03_a_mixed_text_matches_itself_word_by_word():
    text = "每周检查 cron 备份"
    assert len(matched(text, text)) == len(question_terms(text))


def test_a_single_chinese_letter_is_found_inside_a_longer_run():
    assert matched("猫", "我的猫很可爱") == ["猫"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("서울", "서울에 살아요"),
        ("ครับ", "สวัสดีครับ"),
        ("すし", "おすしが好き"),
        ("किताब", "मेरी किताब कहाँ है"),
        ("книги", "Вчера я читал книгу о море"),
        ("casas", "¿Dónde está la casa?"),
        ("Häuser", "Das Haus und die Häuser am Fluss"),
        ("σπίτια", "το σπίτι είναι εδώ"),
        ("كتاب", "قرأت كِتاب عن البحر"),
    ],
)
def test_words_are_found_in_many_scripts_and_languages(question, text):
    assert matched(question, text)


def test_one_word_without_a_language_is_tried_in_all_of_them():
    assert matched("casas", "la casa es grande y las puertas son verdes")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("paintings", "she painted a lake"),
        ("Which agencies?", "an adoption agency"),
        ("running", "He runs every day"),
        ("Anna's dog", "Anna has a dog"),
        ("cafe", "the little café"),
        ("Straße", "STRASSE"),
        ("e-mail", "my email"),
        ("USA", "in the U.S.A. again"),
        ("1000", "paid 1,000 for it"),
    ],
)
def test_forms_of_a_word_meet(question, text):
    assert matched(question, text)


@pytest.mark.parametrize(
    "literal", ["multi-agent", "C++", "foo'bar", "src/main.py", r"C:\repo\src\main.py", "a/b/c", "x_y", "C#"]
)
def test_vector_24_compounds_are_found_whole_and_by_their_parts(literal):
    whole = question_terms(literal)[-1].forms
    assert set(whole) <= set(terms(f"it says {literal} here"))
    assert matched(literal, f"it says {literal} here") == [t.word for t in question_terms(literal)]


def test_contractions_are_not_compounds():
    assert terms("I don't, she won't, it's Ana's") == ["i", "do", "she", "will", "it", "ana"]


def test_vector_23_a_question_of_function_words_keeps_them():
    assert [term.word for term in question_terms("to be or not to be")] == ["to", "be", "or", "not"]
    assert question_terms("to be", fall_back=False) == []


@pytest.mark.parametrize("query", ["", " ", "?", '"', "(", "*", "%_%", "'; --", "\u200b", "\u0301"])
def test_L03_signs_alone_hold_no_word_and_are_no_error(query):
    assert all(term.forms for term in question_terms(query))


@pytest.mark.parametrize(
    "query", ["a AND", "NEAR(", "col:x", "^x", "{a b}:x", "-x", "a NOT", "(a+)+$", "[[:alpha:]]", ".*", "drop table x;--"]
)
def test_vector_25_nothing_in_a_query_is_an_operator(query):
    assert matched(query, f"someone typed {query} once") == [term.word for term in question_terms(query)]


def test_function_words_are_left_out_when_there_is_more():
    assert [term.word for term in question_terms("What did they do about the harvest?")] == ["harvest"]
    assert [term.word for term in question_terms("¿Qué hizo con la cosecha?")] == ["hizo", "cosecha"]


def test_each_word_is_asked_for_once():
    found = question_terms("Run, running RUNS")
    assert len({form for term in found for form in term.forms}) == sum(len(term.forms) for term in found)
    assert found[0].word == "run"


def test_a_passage_says_whether_it_asks_and_whether_it_tells_a_time():
    assert passage_terms("Where were you yesterday?")[-2:] == [ASKS, TELLS_TIME]
    assert ASKS not in passage_terms("Where were you? I was home.")
    assert ASKS in passage_terms("Nice, is that yours? [image: a red boat]")
    assert TELLS_TIME not in passage_terms("I like the sea")


@pytest.mark.parametrize(
    "text",
    [
        "Z" + "\u0301" * 10_000,
        "Z" + "\u0301\u0316" * 500_000,
        "\ufdfa" * 60_000,
        "a" * 2_000_000,
        "é-" * 300_000,
        "漢" * 300_000,
        "'" * 500_000,
        "a" * 8192,
    ],
    ids=["marks", "mixed marks", "ligature", "no spaces", "hyphens", "han", "quotes", "long token"],
)
def test_vectors_08_09_26_piled_up_text_stays_bounded(text):
    found = terms(text)
    assert len(found) <= 2 * len(text) + 1
    assert all(len(term) <= 18 * LONGEST for term in found)


def test_mark_pile_ups_keep_the_letter():
    assert terms("Z" + "\u0301" * 10_000)[0].startswith("z")


@given(st.text(max_size=200))
def test_a_text_is_found_by_itself(text):
    held = set(terms(text))
    for term in question_terms(text):
        assert held.intersection(term.forms)


@given(st.text(max_size=200))
def test_normal_form_and_case_change_nothing(text):
    assert terms(unicodedata.normalize("NFD", text)) == terms(unicodedata.normalize("NFC", text))


@given(st.text(max_size=100))
def test_normal_is_stable(text):
    assert unicodedata.is_normalized("NFC", normal(text))


def test_blank_and_dense():
    assert is_blank(" \u200b\n\ufeff")
    assert not is_blank("?")
    assert is_dense("ok 好")
    assert not is_dense("naïve")
