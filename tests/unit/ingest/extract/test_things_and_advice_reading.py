"""Statements about things, advice, masked words, names of speakers, second clauses: what is kept of them, and what is not."""

from __future__ import annotations

import pytest
from facts_read import read, record

from muniment.knowledge.values import Act
from muniment.types import Role


def slots(text, **more):
    return [(c.attribute, c.value) for c in read(text, **more) if c.attribute]


def told(text, **more):
    return [c.text for c in read(text, **more)]


@pytest.mark.parametrize(
    ("text", "subject", "value"),
    [
        ("The chip ASR1603 is in stock.", "ASR1603", "in stock"),
        ("Recommendation SR-2023-052 is closed.", "SR-2023-052", "closed"),
        ("Ticket OPS-77 is blocked now.", "OPS-77", "blocked"),
        ("OPS-77 was resolved yesterday.", "OPS-77", "resolved"),
    ],
)
def test_the_state_of_a_coded_thing_fills_its_status(text, subject, value):
    (found,) = read(text)
    assert (found.subject, found.attribute, found.value, found.functional) == (subject, "status", value, True)


def test_a_state_that_a_thing_was_in_is_not_its_status():
    assert slots("OPS-77 was open last week.") == []


@pytest.mark.parametrize(
    "text", ["The server runs Ubuntu 24.04.", "Acme Corp ships to Norway.", "The iPhone 15 has a USB-C port."]
)
def test_what_is_told_of_a_named_thing_or_in_figures_is_kept(text):
    assert told(text) == [text.rstrip(".")]


@pytest.mark.parametrize("text", ["The movie is about a dog.", "The weather is nice.", "The thing runs well."])
def test_what_is_true_of_any_thing_is_not_kept(text):
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("My doctor said I should stop drinking coffee.", "user's doctor said user should stop drinking coffee"),
        ("My doctor told me that I must avoid gluten.", "user's doctor said user must avoid gluten"),
        ("My sister ought to quit her job.", "user's sister ought to quit her job"),
        ("I should move to Berlin.", "user should move to Berlin"),
    ],
)
def test_what_ought_to_be_fills_no_slot_of_what_is(text, said):
    assert said in told(text)
    assert not {"likes:coffee", "lives_in", "job", "works_at"} & {c.attribute for c in read(text)}


def test_advice_is_said_by_whoever_gave_it():
    assert [c.speaker for c in read("My doctor said I should stop drinking coffee.")] == ["user's doctor"]


@pytest.mark.parametrize("text", ["My password is [secret].", "My card number is [card] and my pin is [secret].", "[secret]"])
def test_words_that_only_held_what_was_masked_are_no_memory(text):
    assert told(text) == []


def test_what_stands_for_a_sealed_value_fills_its_slot():
    assert slots("My e-mail is [email:k3f9].") == [("email", "[email:k3f9]")]
    assert slots("[email:k3f9]", before=["What is your e-mail?"]) == [("email", "[email:k3f9]")]
    assert slots("It's [phone:ab2c].", before=["What is your phone number?"]) == [("phone", "[phone:ab2c]")]


def test_a_single_capital_is_a_name_and_no_article():
    assert slots("We use A and B for storage.") == [("uses", "A"), ("uses", "B")]
    assert slots("We use a car and a bike.") == [("uses", "car"), ("uses", "bike")]


def test_a_speaker_with_a_name_is_not_told_of_by_that_name():
    assert read("I'm Sarah Chen", speaker="Sarah Chen") == []
    assert read("Sarah Chen here.", speaker="Sarah Chen") == []


@pytest.mark.parametrize(("text", "alias"), [("SC here.", "SC"), ("Hi, I'm Sarah.", "Sarah")])
def test_a_short_form_of_a_speakers_name_is_another_name_of_theirs(text, alias):
    (found,) = read(text, speaker="Sarah Chen")
    assert (found.attribute, found.value, found.functional) == ("alias", alias, False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich wohne in Berlin und arbeite bei Siemens.", [("lives_in", "Berlin"), ("works_at", "Siemens")]),
        ("J'habite à Lyon et travaille chez Airbus.", [("lives_in", "Lyon"), ("works_at", "Airbus")]),
        ("Vivo en Madrid y trabajo en Iberia.", [("lives_in", "Madrid"), ("works_at", "Iberia")]),
        ("Abito a Roma e lavoro per Fiat.", [("lives_in", "Roma"), ("works_at", "Fiat")]),
        ("我住在上海，喜欢喝茶。", [("lives_in", "上海"), ("likes:喝茶", "likes")]),  # noqa: RUF001  as it is written there
        ("Ich mag Kaffee und Tee.", [("likes:kaffee", "likes")]),
    ],
)
def test_a_second_clause_of_another_language_is_read_as_well(text, expected):
    assert slots(text) == expected


@pytest.mark.parametrize("text", ["I'm so tired today lol", "I'm hungry.", "I am really bored right now!", "I'm starving"])
def test_how_one_is_for_an_hour_is_not_kept(text):
    assert told(text) == []


@pytest.mark.parametrize("text", ["I'm tired of my job.", "I'm full of energy.", "I am allergic to nuts."])
def test_a_state_with_something_behind_it_is_kept(text):
    assert len(told(text)) == 1


@pytest.mark.parametrize("text", ["Actually, I meant Silver, not Gold.", "No, Silver, not Gold.", "I meant Silver."])
def test_a_bare_correction_puts_right_what_was_said_before_it(text):
    before = [record("I'm on the Gold plan."), record("Gold, noted.", speaker="assistant", role=Role.ASSISTANT)]
    (found,) = read(text, before=before)
    assert (found.act, found.attribute, found.value, found.targets) == (Act.CORRECT, "plan", "Silver", ("Gold",))
    assert read(text) == []


def test_one_thing_instead_of_another_corrects_nothing():
    assert {c.act for c in read("We went to Rome instead of Paris last summer.")} == {Act.STATE}


@pytest.mark.parametrize(
    ("text", "subject", "value"),
    [
        ("Order 4411-22 is delivered.", "Order 4411-22", "delivered"),
        ("Project Falcon is on hold until May.", "Project Falcon", "on hold"),
        ("The Falcon project is done.", "Falcon project", "done"),
    ],
)
def test_a_piece_of_work_with_a_number_or_a_name_has_a_status_too(text, subject, value):
    (found,) = read(text)
    assert (found.subject, found.attribute, found.value) == (subject, "status", value)


@pytest.mark.parametrize("text", ["Python is easy.", "Microsoft Word is slow.", "The project is done."])
def test_a_bare_judgement_of_a_thing_or_a_thing_without_a_name_is_not_kept(text):
    assert told(text) == []
