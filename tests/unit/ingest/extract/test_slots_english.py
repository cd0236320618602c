"""Which slot an English statement fills, and with what."""

from __future__ import annotations

import pytest
from tests.unit.ingest.extract.facts_read import read, slots


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("My name is Ana Sousa.", "name", "Ana Sousa"),
        ("I'm Ana.", "name", "Ana"),
        ("I live in Porto.", "lives_in", "Porto"),
        ("I'm currently based in Lisbon.", "lives_in", "Lisbon"),
        ("I moved to Porto in May 2026.", "lives_in", "Porto"),
        ("We relocated to Berlin last year.", "lives_in", "Berlin"),
        ("I'm originally from Spain.", "origin", "Spain"),
        ("I work at Acme.", "works_at", "Acme"),
        ("I just joined Acme.", "works_at", "Acme"),
        ("I'm a nurse.", "job", "nurse"),
        ("I work as a data analyst at Acme.", "job", "data analyst"),
        ("I study biology at Leeds University.", "studies_at", "Leeds University"),
        ("I upgraded to the Gold plan.", "plan", "Gold"),
        ("I'm on the Free tier.", "plan", "Free"),
        ("We switched from Basic to Pro.", "plan", "Pro"),
        ("I'm married.", "relationship", "married"),
        ("I am 34 years old.", "age", "34"),
        ("My birthday is March 3.", "birthday", "March 3"),
        ("My email is ana@example.org", "email", "ana@example.org"),
        ("My phone number is +351 910 000 111", "phone", "+351 910 000 111"),
        ("I'm a vegetarian.", "diet", "vegetarian"),
        ("My native language is Portuguese.", "language", "Portuguese"),
        ("My timezone is CET.", "timezone", "CET"),
        ("My favourite food is pasta.", "favourite:food", "pasta"),
        ("My favorite colour is green.", "favourite:colour", "green"),
        ("I love Chinese food.", "likes:chinese food", "loves"),
        ("I hate Chinese food.", "likes:chinese food", "hates"),
        ("I have two kids.", "has_child", "two kids"),
        ("I have a dog.", "has_pet", "dog"),
        ("I bought a new car.", "owns", "new car"),
        ("I play the guitar.", "plays", "guitar"),
        ("I've been to Japan.", "visited", "Japan"),
        ("I'm allergic to nuts.", "allergic_to", "nuts"),
        ("I know how to knit sweaters.", "skill", "knit sweaters"),
        ("I use Emacs.", "uses", "Emacs"),
        ("My boss is Kim.", "boss", "Kim"),
    ],
)
def test_a_plain_statement_fills_its_slot(said, attribute, value):
    assert (attribute, value) in slots(said)


def test_origin_is_not_where_one_lives():
    assert not any(attribute == "lives_in" for attribute, _ in slots("I'm from Porto."))


def test_each_language_spoken_is_a_value_of_its_own():
    assert {("speaks", "English"), ("speaks", "Spanish")} <= slots("I speak English and Spanish.")


def test_two_slots_of_one_clause_are_worded_apart():
    found = read("I work as a nurse at Mercy Hospital.")
    assert {c.attribute for c in found} == {"job", "works_at"}
    assert len({c.text for c in found}) == 2


def test_a_value_ends_where_a_time_begins():
    assert ("works_at", "Acme") in slots("I started working at Acme in March 2024.")


def test_a_thing_said_of_a_relative_is_the_relatives():
    (city,) = [c for c in read("My sister Ana lives in Rome.") if c.attribute == "lives_in"]
    assert (city.subject, city.value, city.text) == ("Ana", "Rome", "user's sister Ana lives in Rome")


def test_a_relative_without_a_name_is_the_speakers():
    (city,) = [c for c in read("My sister lives in Rome.") if c.attribute == "lives_in"]
    assert city.subject == "user's sister"


def test_she_is_the_relative_just_spoken_of():
    assert any(c.subject == "Ana" and c.attribute == "has_child" for c in read("My sister Ana lives in Rome. She has two kids."))


def test_a_name_is_the_subject_of_what_is_said_of_it():
    (job,) = [c for c in read("Ben works at P.") if c.attribute]
    assert (job.subject, job.attribute, job.value) == ("Ben", "works_at", "P")


def test_a_speaker_with_a_name_is_named():
    (home,) = [c for c in read("I live in Porto.", speaker="Caroline") if c.attribute == "lives_in"]
    assert (home.subject, home.text) == ("Caroline", "Caroline lives in Porto")


def test_having_someone_is_told_by_saying_my():
    assert ("has_child", "son") in slots("My son is in junior high.")


def test_a_question_may_tell_whom_one_has():
    assert ("has_pet", "dog") in slots("Can my dog eat grapes?")


def test_here_tells_where_one_lives_unless_on_the_way():
    assert ("lives_in", "Alaska") in slots("Sled dogs are loud here in Alaska.")
    assert slots("On my trip I saw sled dogs here in Alaska.").isdisjoint({("lives_in", "Alaska")})


def test_what_was_is_no_longer():
    (plan,) = read("My plan was Gold.")
    assert (plan.attribute, plan.value, plan.ends) == ("plan", "Gold", True)


def test_things_named_together_are_values_of_their_own():
    assert {("uses", "Postgres"), ("uses", "Redis")} <= slots("We use Postgres and Redis in production.")


def test_a_names_own_things_are_its_owners():
    (birthday,) = read("Ana's birthday is on 3 March.")
    assert (birthday.subject, birthday.attribute, birthday.value) == ("Ana", "birthday", "3 March")


def test_leaving_for_another_ends_one_job_and_begins_the_next():
    old, new = read("I left Acme to join Globex.")
    assert (old.value, old.ends) == ("Acme", True)
    assert (new.value, new.ends, new.targets) == ("Globex", False, ("Acme",))


def test_everyone_has_a_mother():
    assert not any(attribute == "has" for attribute, _ in slots("My mother liked it here."))


def test_C06_what_is_many_valued_is_no_functional_slot():
    found = [read(f"The benchmark was tested with model {letter}.") for letter in "ABC"]
    assert {c.attribute for (c,) in found} == {"tested_with"}
    assert all(c.functional is None and not c.targets for (c,) in found)


def test_E01_love_and_hate_of_one_thing_fill_one_slot():
    (love,), (hate,) = read("I love Chinese food"), read("I hate Chinese food")
    assert (love.attribute, love.subject) == (hate.attribute, hate.subject)
    assert love.value != hate.value


def test_E03_a_new_favourite_fills_the_slot_of_the_old():
    (old,) = read("My favourite food is pasta.")
    (new,) = [c for c in read("I'm on a diet, favourite food is salad now.") if c.attribute.startswith("favourite")]
    assert (old.attribute, new.attribute, new.value) == ("favourite:food", "favourite:food", "salad")


def test_E11_moving_to_a_company_fills_the_employers_slot():
    (old,), (new,) = read("Ben works at P."), read("Ben moved to company Q.")
    assert (old.subject, old.attribute) == (new.subject, new.attribute) == ("Ben", "works_at")
    assert new.value == "Q"


def test_E13_each_move_is_dated():
    found = [read(said)[0] for said in ("Ana moved to Rome in 2022.", "Ana moved to Porto in 2025.")]
    assert [(c.attribute, c.value, c.event.since.year) for c in found if c.event and c.event.since] == [
        ("lives_in", "Rome", 2022),
        ("lives_in", "Porto", 2025),
    ]


@pytest.mark.parametrize("said", ["Hi, this is Sarah Chen calling from Acme.", "Sarah Chen here, my invoice is wrong."])
def test_an_introduction_is_one_way_to_call_the_speaker(said):
    (name,) = [c for c in read(said) if c.attribute == "name"]
    assert (name.value, name.functional) == ("Sarah Chen", False)
