"""What a sentence does, whether it is denied, how surely it is said."""

# ruff: noqa: RUF001  apostrophes as people type them

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.ingest.extract.rules_classify import acknowledges, clauses, function_of, length, modality_of, negated, opening
from muniment.ingest.extract.rules_sentence import Function
from muniment.knowledge.values import Modality


@pytest.mark.parametrize(
    ("function", "texts"),
    [
        (
            Function.GREETING,
            ["Hi there!", "Good morning", "How are you?", "Bonjour", "你好", "おはようございます", "Привет!", "مرحبا", "नमस्ते"],
        ),
        (
            Function.ACKNOWLEDGEMENT,
            ["ok", "Thanks a lot!", "👍", "got it", "Sounds good", "Great work!", "谢谢", "はい", "네", "Danke", "Merci", "да"],
        ),
        (
            Function.QUESTION,
            [
                "Where do you live?",
                "can you help me",
                "What is the plan",
                "你住在哪里吗",
                "どこですか",
                "¿Dónde vives?",
                "هل تعرف",
            ],
        ),
        (
            Function.INSTRUCTION,
            ["Always answer in French", "Please send me the report", "don't use emojis", "请用中文回答", "Antworte kurz, bitte"],
        ),
        (
            Function.DECISION,
            [
                "We decided to use Redis.",
                "Let's go with plan B",
                "我决定下周改用 PostgreSQL",
                "Wir haben uns entschieden",
                "Hemos decidido esperar",
                "Мы решили ждать",
                "उसने फैसला किया",
            ],
        ),
        (Function.COMMITMENT, ["I'll send it tomorrow.", "I promise to call her", "明天我会发给你", "Ich werde es schicken"]),
        (
            Function.PREFERENCE,
            [
                "I prefer tea.",
                "My favourite band is Lowtide",
                "I can't stand noise",
                "我喜欢茶",
                "お茶が好きです",
                "커피를 좋아해요",
                "J'aime le thé",
                "Me gusta el café",
                "Я люблю чай",
                "أحب القهوة",
                "मुझे चाय पसंद है",
            ],
        ),
        (Function.EVENT, ["I visited Kyoto in April.", "We met yesterday", "Gestern war ich in Rom"]),
        (Function.OPINION, ["That movie seems boring", "I think it is fine"]),
        (Function.STATEMENT, ["I live in Porto.", "When I was young I was shy.", "私は東京に住んでいます。"]),
    ],
)
def test_what_a_sentence_does(function, texts):
    assert {text: function_of(text) for text in texts} == dict.fromkeys(texts, function)


@pytest.mark.parametrize(
    "text",
    [
        "I don't eat meat.",
        "I no longer work at Acme",
        "She never came",
        "I hardly sleep",
        "Neither of us drives",
        "I dont smoke",
        "I can’t swim",
        "I have no pets",
        "Ich wohne nicht mehr dort",
        "Je ne fume pas",
        "我不吃肉",
        "Я не пью",
        "ya no vivo allí",
        "मुझे चाय पसंद नहीं है",
    ],
)
def test_a_denial_is_kept(text):
    assert negated(text)


@pytest.mark.parametrize(
    "text",
    [
        "I eat meat.",
        "I can't wait for it",
        "No problem",
        "I know Ana",
        "I never don't drink tea",
        "Not only Ana came",
        "I like it because it isn't loud",
        "No, I live in Rome",
        "Another note on nuts",
    ],
)
def test_what_only_looks_like_a_denial_is_none(text):
    assert not negated(text)


@pytest.mark.parametrize(
    ("modality", "texts"),
    [
        (Modality.ASSERTED, ["I live in Rome", "I decided to move next week", "我住在罗马", "My birthday is in May"]),
        (Modality.POSSIBLE, ["I might move", "Maybe we go", "She could be late", "Vielleicht komme ich", "我可能去"]),
        (
            Modality.PLANNED,
            ["I'm going to move", "I will call", "I plan to learn Greek", "I'm flying to Oslo next week", "Voy a viajar"],
        ),
        (
            Modality.WISHED,
            ["I wish I could fly", "I hope to go", "I'd like to see Rome", "I want to learn", "Je voudrais partir"],
        ),
        (Modality.CONDITIONAL, ["If I were rich I would travel", "Imagine we had a boat", "I would move", "What if it rains"]),
    ],
)
def test_how_surely_something_is_said(modality, texts):
    assert {
        text: modality_of(text, function_of(text)) if not text.startswith("What") else modality_of(text, Function.STATEMENT)
        for text in texts
    } == dict.fromkeys(texts, modality)


def test_a_question_is_asked():
    assert modality_of("Do you live in Rome?", Function.QUESTION) is Modality.ASKED


def test_length_counts_letters_of_scripts_without_spaces_by_pairs():
    assert (length("I live"), length("我决定下周改用 PostgreSQL"), length("好"), length("")) == (2, 5, 1, 0)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Hi Ben, I moved", "I moved"),
        ("By the way, I moved", "I moved"),
        ("Please remember that I am allergic", "I am allergic"),
        ("Hello! Just so you know, I moved", "I moved"),
        ("I moved", "I moved"),
    ],
)
def test_what_stands_before_a_statement_is_passed_over(text, rest):
    assert text[opening(text) :] == rest


def test_a_question_behind_a_statement_is_cut_off():
    for text in ("I moved to Porto in May, can you update my address?", "I moved to Porto in May can you update my address?"):
        assert [text[at:] for at in clauses(text)] == ["can you update my address?"]


@given(st.text(max_size=200))
def test_nothing_that_is_typed_breaks_the_rules(text):
    function = function_of(text)
    assert isinstance(modality_of(text, function), Modality)
    assert negated(text) in (True, False)
    assert acknowledges(text) in (True, False)
    assert 0 <= opening(text) <= len(text)
    assert all(0 < at < len(text) for at in clauses(text))
