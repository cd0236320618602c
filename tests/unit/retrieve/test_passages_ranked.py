"""What ranking promises of documents: a passage speaks for itself, and where code is asked for, meaning leads and names count."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from muniment.retrieve import Weights, rank, read_question
from muniment.testing import TableEmbedder
from muniment.types import Filter, Kind, Role

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
CODE = "def {0}(self, path):\n    if path is None:\n        return False\n    return self.{1}(path)"


def pointing(table):
    """An embedder in which each text lies at an angle from what is asked for: 0 is the very same."""
    return TableEmbedder({text: (np.cos(angle), np.sin(angle)) for text, angle in table.items()})


def passage(text, **more):
    return {"text": text, "kind": Kind.PASSAGE, "role": Role.DOCUMENT, **more}


def ask(held, query, *, vector=None):
    return rank([held], read_question(query, NOW).with_vector(vector), weights=Weights(), limit=10, where=Filter())


def channels(ranking):
    return {one.place.seq: one.channels for one in ranking.ranked}


def test_what_stands_beside_a_passage_does_not_find_it(shelf):
    texts = ["Where did the orchids come from?", "From an island market"]
    talk = shelf(*({"text": text, "conversation": "one"} for text in texts))
    document = shelf(*(passage(text, conversation="one") for text in texts))
    assert set(channels(ask(talk, "origin of the orchids"))) == {1, 2}
    assert set(channels(ask(document, "origin of the orchids"))) == {1}


def test_how_a_passage_is_told_counts_nothing(shelf):
    text = "My orchids came from the island yesterday"
    assert channels(ask(shelf(text), "orchids"))[1]["telling"] > 0
    assert "telling" not in channels(ask(shelf(passage(text)), "orchids"))[1]


@pytest.mark.parametrize("vector", [None, np.array([1, 0], np.float32)])
def test_a_passage_and_a_turn_of_the_same_words_score_about_the_same(shelf, vector):
    text = "The orchids came from the island"
    held = shelf({"text": text, "conversation": "one"}, passage(text), embedder=pointing({text: 0.6}))
    first, second = (one.score for one in ask(held, "island orchids", vector=vector).ranked)
    assert second == pytest.approx(first, rel=0.25)


def coded(shelf, angles):
    table = {CODE.format(name, used): angle for (name, used), angle in angles.items()}
    return shelf(*(passage(text) for text in table), embedder=pointing(table))


def test_where_code_is_asked_for_words_do_not_outweigh_meaning(shelf):
    near, wordy = ("is_there", "exists"), ("path_reader", "path")
    angles = {near: 0.1, wordy: 0.5, **{(f"path_{n}", "reader"): 1.2 for n in "abc"}}
    ranking = ask(coded(shelf, angles), "check whether a path of a reader exists", vector=np.array([1, 0], np.float32))
    assert ranking.ranked[0].place.seq == 1


def test_a_name_is_found_in_code_whatever_it_means(shelf):
    angles = {("is_there", "exists"): 0.1, **{(f"path_{n}", "reader"): 0.3 for n in "abc"}, ("rrmdir", "unlink"): 0.8}
    ranking = ask(coded(shelf, angles), "where is rrmdir", vector=np.array([1, 0], np.float32))
    assert ranking.ranked[0].place.seq == 5


def test_in_prose_words_keep_their_weight_beside_meaning(shelf):
    table = {"The harbour freezes in hard winters": 0.1, **{f"Orchids of the island, part {n}": 0.4 for n in "abcd"}}
    held = shelf(*(passage(text) for text in table), embedder=pointing(table))
    assert ask(held, "orchids", vector=np.array([1, 0], np.float32)).ranked[0].place.seq != 1
