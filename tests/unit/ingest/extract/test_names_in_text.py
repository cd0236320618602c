"""Names in text: found by shape and place, whatever the script; and no common word, whatever its capital."""

# letters of other scripts are meant

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.ingest.extract.rules_names import MOST, mentions


def found(text):
    return [(m.text, m.kind) for m in mentions(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I moved to Porto with my sister Anna.", [("Porto", "place"), ("Anna", "person")]),
        (
            "Dr. Sarah Chen works at Acme Inc. in Lisbon.",
            [("Dr. Sarah Chen", "person"), ("Acme Inc.", "organisation"), ("Lisbon", "place")],
        ),
        (
            "Ludwig van der Berg met O'Neil and Mrs. Jones",
            [("Ludwig van der Berg", "person"), ("O'Neil", "person"), ("Mrs. Jones", "person")],
        ),
        ("It was J. R. R. Tolkien who wrote it", [("J. R. R. Tolkien", "person")]),
        ("Anne-Marie Duval called", [("Anne-Marie Duval", "person")]),
        ("She met Martin Luther King Jr. there", [("Martin Luther King Jr.", "person")]),
        ("Bob's car and Ana's dog", [("Bob", "person"), ("Ana", "person")]),
        ("The University of Oxford is old", [("University of Oxford", "organisation")]),
        ("He works for Müller GmbH", [("Müller GmbH", "organisation")]),
        ("The World Health Organization (WHO) said so", [("World Health Organization", "organisation"), ("WHO", "organisation")]),
        ("We flew to North Korea", [("North Korea", "place")]),
        ("I bought an iPhone 15 yesterday", [("iPhone 15", "product")]),
        ('We watched "The Long Road (TLR)" yesterday', [("The Long Road (TLR)", "work")]),
        ('We watched "The Long Road" yesterday', [("The Long Road", "work")]),
        ("my friend emma lives in amsterdam", [("emma", "person"), ("amsterdam", "place")]),
        (
            "Sherlock Holmes and Mr. Holmes and Mycroft Holmes",
            [(n, "person") for n in ("Sherlock Holmes", "Mr. Holmes", "Mycroft Holmes")],
        ),
    ],
)
def test_names_are_found_with_their_kind(text, names):
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Write to ana.t@example.org now", [("ana.t@example.org", "email")]),
        ("Ask @sarah_c about it", [("@sarah_c", "handle")]),
        ("Call +49 30 1234567 today", [("+49 30 1234567", "phone")]),
        ("See https://example.org/a?b=1.", [("https://example.org/a?b=1", "url")]),
        ("Recommendation SR-2023-052 is closed", [("SR-2023-052", "code")]),
        ("the chips ASR1603 and ASR1605", [("ASR1603", "code"), ("ASR1605", "code")]),
        ("use @t/jest-native or @t/react-native", [("@t/jest-native", "code"), ("@t/react-native", "code")]),
        ("where is order ORD-10042, or #12345?", [("ORD-10042", "code"), ("#12345", "code")]),
    ],
)
def test_addresses_numbers_and_codes_are_exact(text, names):
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("张伟说他住在北京。", ["张伟"]),
        ("田中さんは東京に住んでいます。", ["田中"]),
        ("김민수씨가 왔어요", ["김민수"]),
        ("قال السيد أحمد حسن", ["أحمد حسن"]),
        ("Вчера Иван Петров звонил", ["Иван Петров"]),
        ("Χθες είδα τον Νίκος Παπάς", ["Νίκος Παπάς"]),
    ],
)
def test_other_scripts_have_names_too(text, names):
    assert [m.text for m in mentions(text)] == names


@pytest.mark.parametrize(
    "text",
    [
        "Thanks! Great to hear. Working on it.",
        "Yes. No. Maybe later. Sounds good!",
        "I think I'm fine on Monday in May.",
        "Actually, we should go. However, it rained.",
        "In 2024 it cost $5. At 10am, on 2024-05-01, 3rd time, 5kg.",
        "- Please fix the build\n- Then deploy it",
        "ok",
        "PLEASE STOP DOING THIS RIGHT NOW",
        "Ich habe das Buch auf den Tisch gelegt und der Hund ist müde",
    ],
)
def test_common_words_are_no_names(text):
    assert found(text) == []


@given(st.text(max_size=200) | st.text(alphabet="Aa1@.-#('\" \n/+田さ", max_size=300))
def test_spans_are_the_words_they_name_in_order_and_never_overlap(text):
    last = 0
    for mention in mentions(text):
        assert text[mention.start : mention.end] in (mention.text, mention.text.replace("\u2019s", ""))
        assert mention.start >= last
        assert mention.text.strip()
        last = mention.end


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "A",
        "1",
        "@",
        ".",
        "-",
        "(",
        "'",
        '"',
        "A ",
        "A1-",
        "a@",
        "+1 ",
        "王",
        "さ",
        "Aa. ",
        "1-a",
        "#1 ",
        "a@b.cc Anna ",
        '"Anna" read (WHO) ',
        "田中さん Anna ",
    ],
)
def test_a_long_line_of_one_thing_is_read_in_one_pass(piece):
    assert len(mentions(piece * (100_000 // len(piece)))) <= MOST


def test_surrogates_nul_and_emoji_are_passed_over():
    assert found("\ud800\0 👩‍👩‍👧 \u202e Anna \ufeff") == [("Anna", "person")]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("We moved from MySQL to Postgres.", "Postgres", "product"),
        ("We are on the Solo plan.", "Solo", "product"),
        ("I am on the Gold plan now.", "Gold", "product"),
        ("Our Wi-Fi password is new.", "Wi-Fi", "product"),
        ("I installed Obsidian yesterday.", "Obsidian", "product"),
        ("We are using Brindle Loom for logs.", "Brindle Loom", "product"),
        ("I write Python every day.", "Python", "product"),
        ("We dined at Lakeside Hall.", "Lakeside Hall", "place"),
        ("We saw the Cliffs of Moher.", "Cliffs of Moher", "place"),
        ("We walked to Rivera Park.", "Rivera Park", "place"),
        ("I love Purple Mornings.", "Purple Mornings", ""),
        ("It costs more than Solo.", "Solo", ""),
        ("I met Tamsel Quist yesterday.", "Tamsel Quist", "person"),
        ("My boss Wen called.", "Wen", "person"),
        ("I had lunch with Tamsel.", "Tamsel", "person"),
        ("I did it with Tamsel.", "Tamsel", ""),
        ("Then Tamsel Quist said no.", "Tamsel Quist", "person"),
        ("Elena Park is here.", "Elena Park", "person"),
        ("Tamsel Park is our designer.", "Tamsel Park", "person"),
        ("Tamsel Park joined Acme Inc. in May.", "Tamsel Park", "person"),
        ("Tamsel Park works at Acme Inc. now.", "Tamsel Park", "person"),
        ("TQ approved the budget.", "TQ", "person"),
        ("We have a database called Tamsel.", "Tamsel", ""),
        ("We drove to Virginia.", "Virginia", "place"),
        ("My aunt Virginia called.", "Virginia", "person"),
        ("I love Virginia.", "Virginia", ""),
        ("Virginia is my wife.", "Virginia", "person"),
        ("I work with Tamsel now.", "Tamsel", ""),
        ("We have a cat named Tamsel.", "Tamsel", ""),
    ],
)
def test_a_kind_needs_a_reason(text, name, kind):
    assert dict(found(text)).get(name) == kind


def test_a_full_stop_behind_a_package_ends_the_sentence():
    assert found("We use @t/react-native. It works.") == [("@t/react-native", "code")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("S. Chen called.", "S. Chen"),
        ("M. Silva, owner", "M. Silva"),
        ("Spike Lee called.", "Spike Lee"),
        ("Wow Ana!", "Ana"),
    ],
)
def test_a_name_that_opens_a_sentence_keeps_its_initial_and_its_first_word(text, name):
    assert [mention.text for mention in mentions(text)] == [name]
