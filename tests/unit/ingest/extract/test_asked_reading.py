"""Answers in a few words, what stands in for what was asked about, and what is told by the way."""

from __future__ import annotations

import pytest
from facts_read import read, slots, texts


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("What do you plant in your greenhouse?", "Just leeks and onions.", "user plants leeks and onions in user's greenhouse"),
        ("What breed of hens do you keep?", "Welsummers.", "user keeps Welsummers"),
        ("How long have you been fencing?", "Six years, and it never gets old.", "user has been fencing for Six years"),
        ("How often do you row?", "Twice a week.", "user rows Twice a week"),
        ("Which towns are you planning to visit?", "Bergen and Oslo.", "user is planning to visit Bergen and Oslo"),
        ("Where did you sail?", "To Malta.", "user did sail To Malta"),
        ("What kind of radio plays do you listen to?", "Crime mostly.", "user listens to Crime"),
        ("Do you collect anything?", "Old maps.", "user collects Old maps"),
        ("Do you have a canoe?", "Not yet but I'd like one.", "user would like a canoe"),
        ("Do you like goat cheese?", "I love it.", "user loves goat cheese"),
    ],
)
def test_an_answer_of_a_few_words_is_put_into_the_words_of_the_question(question, answer, said):
    assert said in texts(answer, before=[question])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What do you think?", "A fine idea."),
        ("What do you recommend?", "The fish soup."),
        ("How long will it take you to fix it?", "Two hours."),
        ("What would you say to them?", "Nothing at all."),
    ],
)
def test_an_answer_about_the_talk_is_no_statement_of_oneself(question, answer):
    assert texts(answer, before=[question]) == []


def test_mine_answers_ones_own_question():
    assert ("favourite:colour", "teal") in slots("What is your favourite colour? Mine is teal.")
    assert "user's hobby is carving spoons" in texts("Do you have a hobby? Mine is carving spoons.")


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("What I enjoy the most is night fishing.", ("likes:night fishing", "likes")),
        ("Otters are adorable because they hold hands.", ("likes:otters", "likes")),
        ("It is hard with my new job at the ferry office.", ("has", "job at the ferry office")),
        ("I can't wait to plant my tulips.", ("wants", "to plant my tulips")),
        ("I wish I could play the harp.", ("wants", "play the harp")),
        ("That is why I love rowing.", ("likes:rowing", "loves")),
    ],
)
def test_what_is_told_by_the_way_fills_its_slot(text, slot):
    assert slot in slots(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I've never heard of blue potatoes.", "user has never heard of blue potatoes"),
        ("I'll try to learn the runes.", "user will try to learn the runes"),
        ("I've got to water the ferns daily.", "user has got to water the ferns daily"),
        ("I survived the flood, like you survived yours.", "user survived the flood"),
    ],
)
def test_what_one_never_met_has_to_do_or_came_through_is_told(text, said):
    assert said in texts(text)


@pytest.mark.parametrize(
    "text", ["I'll be fine.", "I'll do that.", "I can't wait to hear about it.", "I've never seen that.", "I'll try it."]
)
def test_what_says_nothing_by_itself_still_is_not(text):
    assert read(text) == []
