"""What ranking promises: words, meaning, context, speaker and time each count, add up, and stay inside the shelves."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.retrieve import Weights, rank, read_question
from muniment.testing import TableEmbedder
from muniment.types import Filter, Kind, Role, Scope

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
WORDS = st.sampled_from(
    ["tea", "coffee", "boat", "lake", "rain", "porto", "ana", "ben", "walked", "bought", "the", "a", "yesterday", "?", "茶", "湖"]
)
LINES = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.lists(WORDS, min_size=1, max_size=8).map(" ".join),
            "conversation": st.sampled_from([None, "one", "two"]),
            "speaker": st.sampled_from(["Ana", "Ben"]),
        }
    ),
    min_size=1,
    max_size=12,
)


def ask(shelves, query, *, vector=None, weights=None, limit=10, where=None, threshold=0.0):
    question = read_question(query, NOW).with_vector(vector)
    shelves = shelves if isinstance(shelves, list) else [shelves]
    return rank(shelves, question, weights=weights or Weights(), limit=limit, where=where or Filter(), threshold=threshold)


def seqs(ranking):
    return [one.place.seq for one in ranking.ranked]


def day(number, month=3):
    return datetime(2026, month, number, 9, tzinfo=UTC)


def test_the_record_with_the_rare_word_comes_first(shelf):
    held = shelf("we talked about the weather", "we talked about kundalini", "we talked about food")
    assert seqs(ask(held, "Who talked about kundalini?"))[0] == 2


def test_the_shares_of_a_hit_add_up_to_its_score(shelf):
    embedder = TableEmbedder(dim=256)
    lines = [
        {"text": "I bought a boat yesterday", "speaker": "Ana", "conversation": "one", "said_at": day(8)},
        {"text": "What colour is the boat?", "speaker": "Ben", "conversation": "one", "said_at": day(8)},
        {"text": "Green, like the lake", "speaker": "Ana", "conversation": "one", "said_at": day(8)},
        {"text": "Something else", "conversation": "two", "said_at": day(1)},
    ]
    vector = asyncio.run(embedder.query("I bought a boat yesterday"))
    found = ask(shelf(*lines, embedder=embedder), "Which boat was bought by Ana on March 8?", vector=vector)
    for one in found.ranked:
        assert one.score == pytest.approx(sum(one.channels.values()))
    bought = next(one for one in found.ranked if one.place.seq == 1)
    assert bought.channels.keys() == {"words", "meaning", "context", "speaker", "time", "telling"}


def test_a_hit_names_the_words_it_holds_and_the_ranking_those_nobody_holds(shelf):
    found = ask(shelf("a boat on the lake", "nothing here"), "boat, lake or volcano")
    assert found.ranked[0].terms == ("boat", "lake")
    assert found.unheld == ("volcano",)


def test_an_answer_is_found_beside_the_question_it_answers(shelf):
    held = shelf(
        {"text": "Where did the orchids come from?", "conversation": "one"},
        {"text": "From an island market", "conversation": "one"},
        {"text": "From an island market", "conversation": "two"},
    )
    assert seqs(ask(held, "origin of the orchids"))[:2] == [1, 2]
    assert 3 not in seqs(ask(held, "origin of the orchids"))


def test_context_does_not_reach_across_conversations_or_to_records_of_none(shelf):
    held = shelf({"text": "orchids", "conversation": "one"}, {"text": "island", "conversation": "two"}, "alone", "orchids alone")
    assert set(seqs(ask(held, "orchids"))) == {1, 4}


def test_interleaved_conversations_keep_their_own_neighbours(shelf):
    talk_a = [{"text": t, "conversation": "a"} for t in ("orchids?", "island market", "bye")]
    talk_b = [{"text": t, "conversation": "b"} for t in ("hello", "rain again", "see you")]
    apart = shelf(*talk_a, *talk_b)
    mixed = shelf(*(line for pair in zip(talk_a, talk_b, strict=True) for line in pair))
    by_text = {line["text"]: seq for seq, line in enumerate([*talk_a, *talk_b], 1)}
    mixed_text = [line["text"] for pair in zip(talk_a, talk_b, strict=True) for line in pair]
    scores = {one.place.seq: one.score for one in ask(apart, "orchids").ranked}
    again = {by_text[mixed_text[one.place.seq - 1]]: one.score for one in ask(mixed, "orchids").ranked}
    assert again == pytest.approx(scores)


def test_turns_of_the_speaker_named_come_before_others(shelf):
    said = "painting is calm work"
    held = shelf(
        {"text": said, "speaker": "Ben", "conversation": "x"},
        *({"text": "well", "speaker": "Ben", "conversation": "x"} for _ in range(5)),
        {"text": said, "speaker": "Ana", "conversation": "y"},
    )
    assert seqs(ask(held, "What does Ana say about painting?"))[0] == 7
    assert seqs(ask(held, "What does Ben say about painting?"))[0] == 1
    assert ask(held, "What does Ana say about painting?").speakers == ("Ana",)


def test_me_means_the_user_when_no_one_is_named(shelf):
    held = shelf(
        {"text": "a laptop with a good keyboard", "role": Role.ASSISTANT, "conversation": "x"},
        {"text": "a laptop with a good keyboard", "role": Role.USER, "conversation": "y"},
    )
    assert seqs(ask(held, "Which laptop did I like?")) == [2, 1]


def test_D10_the_eighth_is_never_passed_off_as_the_eighteenth(shelf):
    held = shelf(
        {"text": "the pump failed", "said_at": day(8)},
        {"text": "the pump was mended", "said_at": day(9)},
    )
    found = ask(held, "what happened on March 18?")
    assert found.ranked == ()
    assert (found.inside, found.nearest) == (0, day(9))
    exact = ask(held, "what happened on March 8?")
    assert (seqs(exact), exact.inside) == ([1], 1)


def test_D12_a_relative_date_is_a_window_that_finds_and_is_shown(shelf):
    held = shelf(
        {"text": "planted beans", "said_at": day(10, month=2)},
        {"text": "planted peas", "said_at": day(10, month=3)},
        {"text": "sold the shed", "said_at": day(11, month=2)},
    )
    found = ask(held, "what did I do last month")
    assert seqs(found) == [3, 1]
    assert all(one.channels["time"] > 0 for one in found.ranked)
    assert seqs(ask(held, "what did I plant last month"))[0] == 1


def test_what_was_said_near_the_window_counts_a_little(shelf):
    held = shelf(*({"text": "a storm", "said_at": day(n)} for n in (1, 12, 19)))
    times = {one.place.seq: one.channels.get("time", 0) for one in ask(held, "the storm on March 18, 2026").ranked}
    assert times[3] > times[2] > times[1]
    assert times[3] < Weights().time


def test_a_month_without_a_year_is_that_month_of_every_year(shelf):
    held = shelf(
        {"text": "ski trip", "said_at": datetime(2024, 12, 31, 23, tzinfo=UTC)},
        {"text": "ski trip", "said_at": datetime(2025, 12, 1, tzinfo=UTC)},
        {"text": "ski trip", "said_at": datetime(2026, 1, 15, tzinfo=UTC)},
    )
    assert ask(held, "ski trips in December").inside == 2


def test_records_without_a_time_are_near_no_window(shelf):
    found = ask(shelf("planted beans"), "what did I do last month")
    assert (found.ranked, found.nearest) == ((), None)


def test_without_vectors_words_still_rank_and_without_words_meaning_does(shelf):
    embedder = TableEmbedder({"sea": (1, 0), "ocean": (0.9, 0.435), "desk": (0, 1)})
    vector = asyncio.run(embedder.query("sea"))
    both = shelf("ocean", "desk", "sea", embedder=embedder)
    assert seqs(ask(both, "sea", vector=vector)) == [3, 1]
    assert seqs(ask(shelf("ocean", "desk", "sea"), "sea", vector=vector)) == [3]
    assert seqs(ask(both, "sea")) == [3]


def test_entries_that_wait_for_a_vector_are_counted_and_found_by_words(shelf):
    embedder = TableEmbedder({"sea": (1, 0), "ocean": (0.9, 0.435)})
    held = shelf("ocean", "sea", embedder=embedder)
    waiting = replace(held, vectors=held.vectors * [[1], [0]], embedded=np.array([True, False]))
    found = ask(waiting, "sea", vector=asyncio.run(embedder.query("sea")))
    assert found.blank == 1
    assert set(seqs(found)) == {1, 2}


def test_vectors_of_another_width_are_not_compared(shelf):
    held = shelf("ocean", embedder=TableEmbedder({"ocean": (1, 0)}))
    assert ask(held, "sea", vector=np.ones(3, np.float32)).ranked == ()


def test_a_long_record_is_found_by_its_best_passage(shelf):
    text = "All about bread and butter. " * 60 + "The secret is saffron. " + "More on bread. " * 60
    (hit,) = ask(shelf(text, "tea"), "saffron").ranked
    start, end = hit.passage
    assert "saffron" in text[start:end]
    assert end - start <= 1000


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (Filter(conversation="two"), {2, 4}),
        (Filter(speaker="Ben"), {3, 4}),
        (Filter(agent="other"), {4}),
        (Filter(role=Role.ASSISTANT), {2}),
        (Filter(kind=Kind.PASSAGE), {3}),
        (Filter(since=day(9)), {3}),
        (Filter(until=day(9)), {1}),
        (Filter(since=day(8), until=day(9) + timedelta(seconds=1)), {1, 3}),
        (Filter(conversation="two", speaker="Ben"), {4}),
        (Filter(conversation="nowhere"), set()),
    ],
)
def test_all_that_a_filter_gives_must_hold(shelf, where, expected):
    held = shelf(
        {"text": "tea", "conversation": "one", "speaker": "Ana", "said_at": day(8)},
        {"text": "tea", "conversation": "two", "speaker": "Ana", "role": Role.ASSISTANT},
        {"text": "tea", "conversation": "one", "speaker": "Ben", "kind": Kind.PASSAGE, "said_at": day(9)},
        {"text": "tea", "conversation": "two", "speaker": "Ben", "agent": "other"},
    )
    assert set(seqs(ask(held, "tea", where=where))) == expected


@pytest.mark.parametrize("query", ["我不知道", "γειά", "สวัสดี", "اهلا", "zzyzx qwrtp", "Who is Zebedee Throck?"])
def test_G06_P08_what_matches_nothing_finds_nothing(shelf, query):
    assert ask(shelf("the lake was cold", "我们去湖边", "tea with Ben"), query).ranked == ()


def test_G06_a_query_in_another_script_finds_only_what_holds_it(shelf):
    held = shelf(*(f"note {n}" for n in range(40)), "昨天的精排模型", "明天开会")
    assert seqs(ask(held, "精排", limit=1000)) == [41]


def test_vector_23_function_words_alone_find_texts_that_hold_them(shelf):
    assert seqs(ask(shelf("to be or not to be", "tea"), "to be or not to be")) == [1]


def test_vector_23_a_query_without_words_gives_the_latest(shelf):
    assert seqs(ask(shelf("one tea", "two tea", "three tea"), "?", limit=2)) == [3, 2]


@pytest.mark.parametrize("literal", ["multi-agent", "C++", "foo'bar", "NEAR(", "a AND", r"C:\repo\main.py", "a/b/c"])
def test_L02_vector_24_texts_with_the_literal_are_found(shelf, literal):
    held = shelf("plain words", f"look at {literal} there", "more words")
    assert seqs(ask(held, literal))[0] == 2


def test_P06_a_threshold_leaves_out_and_counts_what_is_less_relevant(shelf):
    embedder = TableEmbedder({"sea": (1, 0), "ocean": (0.9, 0.435), "gulf": (0.5, 0.866)})
    held = shelf("ocean", "gulf", embedder=embedder)
    vector = asyncio.run(embedder.query("sea"))
    found = ask(held, "sea", vector=vector, threshold=0.8)
    assert (seqs(found), found.below) == ([1], 1)
    assert ask(held, "sea", vector=vector, threshold=0.95).ranked == ()


def test_relevance_compares_across_questions(shelf):
    held = shelf("the harbour at dawn", "a harbour")
    whole, part = ask(held, "harbour at dawn").ranked[0], ask(held, "harbour volcano tractor").ranked[0]
    assert whole.relevance > 2 * part.relevance


def test_equal_scores_put_the_narrower_scope_then_the_later_arrival_first(shelf):
    mine = shelf("tea", "tea", scope=Scope(client="acme", user="ana"))
    ours = shelf("tea", "tea", scope=Scope(client="acme"))
    found = ask([mine, ours], "tea")
    assert [(one.place.shelf, one.place.seq) for one in found.ranked] == [(0, 2), (0, 1), (1, 2), (1, 1)]


def test_conversations_of_two_scopes_never_mix(shelf):
    mine = shelf({"text": "orchids", "conversation": "same"}, scope=Scope(client="acme", user="ana"))
    ours = shelf({"text": "island", "conversation": "same"}, scope=Scope(client="acme"))
    assert [one.place.shelf for one in ask([mine, ours], "orchids").ranked] == [0]


def test_empty_shelves_keep_their_numbers(shelf):
    found = ask([shelf(), shelf("tea")], "tea")
    assert [(one.place.shelf, one.place.seq) for one in found.ranked] == [(1, 1)]
    assert ask([shelf()], "tea").searched == 0
    assert ask([], "tea").ranked == ()


def test_system_records_are_no_evidence(shelf):
    assert seqs(ask(shelf({"text": "you love tea", "role": Role.SYSTEM}, "tea is fine"), "tea")) == [2]


def test_a_big_scope_gives_the_same_best_as_a_full_sort(shelf):
    held = shelf(*(f"tea {'mint ' * (n % 7)}" for n in range(5000)))
    few, many = ask(held, "mint tea", limit=5), ask(held, "mint tea", limit=3000)
    assert few.ranked == many.ranked[:5]


def test_vector_26_a_very_long_question_is_read_by_its_rarest_words(shelf):
    held = shelf("needle in hay", *("hay " + " ".join(f"w{n}" for n in range(k)) for k in range(30)))
    query = " ".join(f"w{n}" for n in range(3000)) + " needle"
    assert 1 in seqs(ask(held, query, limit=100))


@given(lines=LINES, query=st.lists(WORDS, min_size=1, max_size=6).map(" ".join), vectors=st.booleans())
def test_scores_fall_shares_add_up_and_limits_hold(shelf, lines, query, vectors):
    embedder = TableEmbedder(dim=8) if vectors else None
    vector = asyncio.run(embedder.query(query)) if embedder else None
    held = shelf(*lines, embedder=embedder)
    found = ask(held, query, vector=vector, limit=5)
    scores = [one.score for one in found.ranked]
    assert scores == sorted(scores, reverse=True)
    assert len({one.place for one in found.ranked}) == len(scores) <= 5
    for one in found.ranked:
        assert one.score == pytest.approx(sum(one.channels.values()))
        assert 0 <= one.relevance <= 1
        assert one.place.seq in range(1, len(lines) + 1)
    assert found.ranked == ask(held, query, vector=vector, limit=5).ranked


def test_what_somebody_else_said_of_it_is_less_sure_than_what_the_one_asked_about_said(shelf):
    lines = [
        {"text": "I bought a green boat in Porto", "speaker": "Ana", "conversation": "one"},
        {"text": "I walked in the rain", "speaker": "Ben", "conversation": "one"},
    ]
    hers = ask(shelf(*lines), "Where did Ana buy the green boat?")
    his = ask(shelf(*lines), "Where did Ben buy the green boat?")
    nobodys = ask(shelf(*lines), "Which flute did the dentist order?")
    assert hers.confidence > his.confidence > nobodys.confidence == 0.0
