"""Texts of the trials: the name asked for is in one block alone, and nothing depends on anything but the seed."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.probe.domains import domains
from muniment.probe.scenes import Order, scene
from muniment.providers.tokens import EstimatedTokens

SEEDS = st.integers(0, 100_000)
TOPICS = [pytest.param(domain, topic, id=topic.question) for domain in domains() for topic in domain.topics]


def texts(about):
    return [text.text for text in (*about.fillers, *about.related)]


@given(SEEDS, st.sampled_from(Order))
def test_the_name_asked_for_is_in_the_critical_block_and_nowhere_else(seed, order):
    about = scene(seed, fillers=30, order=order)
    assert about.answer in about.critical.text
    assert not any(part in text for text in (*texts(about), about.question, about.reworded) for part in about.answer.split("_"))


@given(SEEDS)
def test_a_seed_always_makes_the_same_scene(seed):
    assert scene(seed, fillers=12) == scene(seed, fillers=12)
    assert scene(seed, fillers=30).fillers[:12] == scene(seed, fillers=12).fillers


@given(SEEDS)
def test_no_two_blocks_say_the_same(seed):
    about = scene(seed, fillers=99)
    assert len({*texts(about), about.critical.text}) == 99 + len(about.related) + 1


def test_seeds_take_turns_with_domains_and_topics_and_have_their_own_names():
    abouts = [scene(seed, fillers=6) for seed in range(24)]
    assert len({about.domain for about in abouts[:4]}) == 4
    assert len({about.question for about in abouts[:12]}) == 12
    assert len({about.answer for about in abouts}) == 24


def test_fixed_fillers_are_the_same_for_all_seeds_of_a_domain_and_shuffled_ones_are_not():
    assert scene(0, fillers=20, order=Order.FIXED).fillers == scene(4, fillers=20, order=Order.FIXED).fillers
    assert scene(0, fillers=20).fillers != scene(4, fillers=20).fillers


def test_every_domain_has_enough_short_texts():
    counter = EstimatedTokens()
    for domain in domains():
        assert len(domain.fillers) >= 12
        assert len(domain.fillers) * len(domain.subjects) >= 100
        sizes = [counter.count(text) for text in chain(domain.fillers, *(topic.related for topic in domain.topics))]
        assert min(sizes) >= 20
        assert max(sizes) <= 55


@pytest.mark.parametrize(("domain", "topic"), TOPICS)
def test_texts_keep_the_rules_of_their_files(domain, topic):
    whole = (*domain.fillers, topic.fact, *topic.related)
    assert not any("?" in text or "_" in text or "\n" in text for text in whole)
    assert [("{name}" in text) for text in whole].count(True) == 1
    assert all("{subject}" in text and "{number}" in text for text in domain.fillers)
    assert topic.question.endswith("?")
    assert topic.reworded.endswith("?")


@pytest.mark.parametrize(("domain", "topic"), TOPICS)
def test_related_texts_share_a_long_word_with_the_question_and_fillers_none(domain, topic):
    def long_words(text):
        return set(re.findall(r"[a-z]{6,}", text.casefold()))

    asked = long_words(topic.question)
    assert all(asked & long_words(text) for text in topic.related)
    subjects = " ".join(domain.subjects)
    assert not any(asked & long_words(text) for text in (*domain.fillers, subjects))
