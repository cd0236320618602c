"""Scorers: which blocks a task's words or meaning point to."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.compile.scorers import Dense, Fused, Lexical
from muniment.errors import BlockError, EmbedderError
from muniment.registry.relevance import find
from muniment.testing.fakes import hashed_vector
from muniment.types import Block, BlockId, Tool


def block(name, text="", **more):
    return Block(id=BlockId(name), name=name, text=text, **more)


def tool(name, description="", **properties):
    return block(name, tool=Tool(name=name, description=description, parameters=schema(**properties)))


def schema(**properties):
    return json.dumps({"type": "object", "properties": properties})


def best(scorer, task, blocks):
    scores = list(scorer(task, blocks))
    return blocks[scores.index(max(scores))].name


class Recorder:
    """An embedding function of hashed words that remembers what it was asked for."""

    def __init__(self):
        self.calls = []

    def __call__(self, texts):
        self.calls.append(list(texts))
        return np.stack([hashed_vector(text.replace(".", " "), 4096) for text in texts])


WEATHER = tool("get_current_weather", "Tells how warm it is.", place={"description": "A city or a village."})
TRAINS = tool("Trains_1_FindTrains", "Timetables.", fare={"enum": ["first class", "sleeper"], "description": "Which carriage."})
MONEY = tool("sendMoney", "Moves funds between accounts.", amount={"description": "Sum in euros."})
TOOLS = [WEATHER, TRAINS, MONEY]


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("What is the weather in Bern?", "get_current_weather"),
        ("find a train for me", "Trains_1_FindTrains"),
        ("send something to Ana", "sendMoney"),
        ("fund my account", "sendMoney"),
        ("which villages are there", "get_current_weather"),
        ("I want a sleeper", "Trains_1_FindTrains"),
        ("MONEY!", "sendMoney"),
    ],
)
def test_words_are_found_in_names_descriptions_parameters_and_values(task, name):
    assert best(Lexical(), task, TOOLS) == name


def test_who_shares_no_word_with_the_task_scores_nothing():
    assert list(Lexical()("Ride a bicycle", TOOLS)) == [0, 0, 0]


def test_a_spelled_out_name_wins_over_all_words():
    others = [tool("weather_report", "Send the current weather, get current weather, the weather currently."), *TOOLS]
    assert best(Lexical(), "Please call get_current_weather.", others) == "get_current_weather"
    assert best(Lexical(), "use sendMoney now", [block("money", "Use money, send money now."), MONEY]) == "sendMoney"


def test_a_name_that_is_an_ordinary_word_is_not_taken_for_spelled_out():
    adds = tool("add", "Sum of two numbers.")
    servers = tool("register_server", "Add a server to the list of servers.")
    assert best(Lexical(), "add a server", [adds, servers]) == "register_server"


def test_a_tag_in_the_task_counts():
    plain, tagged = block("one", "Water the plants."), block("two", "Water the plants.", tags=("night shift",))
    assert best(Lexical(), "plants in the night shift", [plain, tagged]) == "two"


def test_numbers_of_a_task_are_values_and_count_only_alone():
    floor = block("floor", "Room 20 is on floor 20.")
    assert best(Lexical(), "send 20 euros on 20.03.2026", [floor, MONEY]) == "sendMoney"
    assert best(Lexical(), "20", [floor, MONEY]) == "floor"


def test_words_of_other_scripts_are_found():
    assert best(Lexical(), "北京的天气怎么样", [*TOOLS, block("天气", "查询城市的天气。")]) == "天气"


def test_nested_parameters_are_read_and_a_broken_schema_is_text():
    deep = tool("x", order={"type": "array", "items": {"properties": {"glaze": {"description": "Kind of icing."}}}})
    broken = block("y", tool=Tool(name="y", parameters='{"glazing": '))
    assert list(Lexical()("icing", [deep, broken]))[1] == 0
    assert best(Lexical(), "icing", [deep, broken]) == "x"
    assert best(Lexical(), "glazing", [broken, MONEY]) == "y"


def test_a_long_text_counts_by_its_best_passage_and_the_words_around_it():
    filler = [f"entry{n} says little of anything." for n in range(3000)]
    wanted = ["harbour", "crane", "winter", "permit"]
    together, spread = filler.copy(), filler.copy()
    together[1500:1500] = wanted
    for n, word in enumerate(wanted):
        spread.insert(300 + 700 * n, word)
    blocks = [
        block("a", " ".join(together)),
        block("b", " ".join(spread)),
        block("c", "other words"),
        block("d", " ".join(filler)),
    ]
    near, far, nothing, nowhere = Lexical()("harbour crane winter permit", blocks)
    assert near > 0.9
    assert 0 < far < near / 2
    assert nothing == nowhere == 0
    described = replace(blocks[1], description="About the harbour crane.", tags=("winter",))
    assert Lexical()("harbour crane winter permit", [described, *blocks])[0] > 2 * far


def test_always_and_never_weigh_the_same():
    always, never = block("rule", "Always wear gloves."), block("rule", "Never wear gloves.")
    assert len(set(Lexical()("gloves", [always, never]))) == 1


def test_an_edit_is_seen_at_once():
    lexical, before = Lexical(), block("note", "About bread.")
    assert lexical("bread", [before]) != [0]
    assert lexical("bread", [replace(before, text="About boats.")]) == [0]


@given(order=st.permutations(range(3)), task=st.text(max_size=40) | st.sampled_from(["send a train", "the weather"]))
def test_a_score_does_not_depend_on_the_order_of_the_blocks(order, task):
    scores = Lexical()(task, TOOLS)
    assert all(np.isfinite(scores))
    assert Lexical()(task, [TOOLS[n] for n in order]) == pytest.approx([scores[n] for n in order])


def test_nothing_is_scored_for_no_blocks():
    recorder = Recorder()
    assert [*Lexical()("task", []), *Dense(recorder)("task", []), *Fused(Dense(recorder))("task", [])] == []
    assert recorder.calls == []


def test_a_long_block_is_scored_by_its_best_passage():
    filler = " ".join(f"filler{n}" for n in range(400))
    page = "Rinse the saffron twice and dry it. " * 27
    task, dense = "Rinse the saffron twice", Dense(Recorder())
    long, short = block("long", f"{filler}\n\n{page}\n\n{filler}"), block("short", "Rinse rice in a bowl.")
    assert dense(task, [long, short])[0] > 0.7 > dense(task, [long, short])[1]


def test_a_description_is_a_passage_of_its_own():
    skill = block("skill", "Long instructions. " * 30, description="Fill in forms.")
    assert Dense(Recorder())("skill. Fill in forms.", [skill]) == pytest.approx([1.0])


def test_what_was_embedded_once_is_not_embedded_again():
    recorder = Recorder()
    dense = Dense(recorder)
    dense("first task", TOOLS)
    dense("first task", TOOLS)
    dense("second task", list(reversed(TOOLS)))
    passages = [call for call in recorder.calls if call not in (["first task"], ["second task"])]
    assert len(recorder.calls) == 3
    assert len(passages) == 1


def test_an_edited_block_is_embedded_anew_and_the_others_are_not():
    recorder = Recorder()
    dense = Dense(recorder)
    bread, boats = block("a", "About bread."), block("b", "About boats.")
    before = dense("bread", [bread, boats])
    after = dense("bread", [replace(bread, text="About trams."), boats])
    assert before[0] > after[0]
    assert [len(call) for call in recorder.calls] == [2, 1, 1]


def test_warming_embeds_all_new_passages_in_one_batch_and_says_how_many():
    recorder = Recorder()
    dense = Dense(recorder)
    first = dense.warm(TOOLS)
    assert first == len(recorder.calls[0]) > len(TOOLS)
    assert dense.warm([*TOOLS, block("new", "Something new.")]) == 1
    assert dense.warm(TOOLS) == 0
    dense("task", TOOLS)
    assert [len(call) for call in recorder.calls] == [first, 1, 1]


def test_a_given_vector_scores_as_its_task_does():
    recorder = Recorder()
    dense = Dense(recorder)
    assert dense("current weather", TOOLS) == pytest.approx(dense.near(7 * recorder(["current weather"])[0], TOOLS).tolist())


@given(
    st.lists(st.sampled_from(["red", "red fox", "blue", "green " * 300 + "fox", ""]), max_size=12),
    st.sampled_from(["fox", "red", "nothing of it"]),
    st.none() | st.integers(0, 14),
)
def test_finding_by_meaning_gives_what_sorting_its_scores_gives(texts, task, top):
    blocks = [block(f"n{n}", text) for n, text in enumerate(texts)]
    dense = Dense(Recorder())
    scores = dense(task, blocks)
    best = sorted(zip(blocks, scores, strict=True), key=lambda pair: -pair[1])[:top]
    assert find(blocks, task, dense, top=top) == tuple(best)
    assert find(blocks, task, dense.__call__, top=top) == tuple(best)
    assert find(blocks, task, dense, top=top) == tuple(best)


def test_a_scorer_toward_a_given_vector_finds_and_scores_by_it_whatever_the_words():
    dense = Dense(Recorder())
    toward = dense.toward(hashed_vector("Moves funds", 4096))
    assert toward("nothing", TOOLS) == pytest.approx(dense("Moves funds", TOOLS))
    ((found, score),) = find(TOOLS, "nothing", toward, top=1)
    assert (found, score) == (MONEY, max(toward("nothing", TOOLS)))
    assert find([], "nothing", toward) == ()
    with pytest.raises(EmbedderError):
        find(TOOLS, "nothing", dense.toward([1.0, 2.0]))


def test_questions_may_have_an_embedding_function_of_their_own():
    asked = []

    def embed_query(text):
        asked.append(text)
        return hashed_vector("bread", 4096)

    assert Dense(Recorder(), embed_query=embed_query)("boats", [block("bread", "bread"), block("boats", "boats")])[0] > 0.5
    assert asked == ["boats"]


def test_vectors_of_any_length_are_compared_by_direction_and_zeros_are_near_nothing():
    table = {"task": [3.0, 0], "near": [0.1, 0], "far": [0, 9], "away": [-2, 0], "none": [0, 0]}

    def embed(texts):
        return [table[text.split(".")[0]] for text in texts]

    assert Dense(embed)("task", [block(name) for name in ("near", "far", "away", "none")]) == pytest.approx([1, 0, -1, 0])
    assert Dense(embed)("none", [block("near")]) == [0]


async def async_embed(texts):
    return [[1.0]] * len(texts)


@pytest.mark.parametrize(
    ("embed", "reason"),
    [
        (lambda texts: np.ones((len(texts) + 1, 2)), "count_mismatch"),
        (lambda texts: np.ones(2), "count_mismatch"),
        (lambda texts: np.full((len(texts), 2), np.nan), "non_finite"),
        (lambda texts: np.full((len(texts), 2), 1e300), "non_finite"),
        (lambda texts: [["a"]] * len(texts), "not_numbers"),
        (lambda texts: [[1.0], [1.0, 2.0]] * len(texts), "not_numbers"),
        (lambda texts: None, "count_mismatch"),
        (async_embed, "not_numbers"),
        (lambda texts: np.ones((len(texts), 2 if "task" in texts else 3)), "dim_mismatch"),
    ],
)
def test_answers_that_are_no_vectors_are_refused(embed, reason):
    with pytest.raises(EmbedderError) as caught:
        Dense(embed)("task", [block("a", "text")])
    assert caught.value.reason == reason


def test_another_models_vectors_are_refused():
    sizes = iter([2, 3])
    dense = Dense(lambda texts: np.ones((len(texts), next(sizes))))
    dense.warm([block("a")])
    with pytest.raises(EmbedderError) as caught:
        dense.warm([block("b")])
    assert caught.value.reason == "dim_mismatch"


def test_an_embedder_that_fails_leaves_nothing_behind():
    recorder, down = Recorder(), [True]

    def embed(texts):
        if down[0]:
            raise ConnectionError
        return recorder(texts)

    dense = Dense(embed)
    with pytest.raises(ConnectionError):
        dense("weather", TOOLS)
    down[0] = False
    assert dense("weather", TOOLS) == Dense(Recorder())("weather", TOOLS)


def test_few_kept_vectors_cost_time_and_change_no_score():
    small, large = Dense(Recorder(), kept=1), Dense(Recorder())
    for blocks in (TOOLS, TOOLS[:2], [*TOOLS, block("x", "More.")], TOOLS):
        assert small("weather", blocks) == large("weather", blocks)


def test_fused_adds_meaning_to_words():
    lexical, dense = Lexical(), Dense(Recorder())
    words, meaning = lexical("weather", TOOLS), dense("weather", TOOLS)
    assert Fused(dense)("weather", TOOLS) == pytest.approx([w + m for w, m in zip(words, meaning, strict=True)])
    assert Fused(dense, weight=2)("weather", TOOLS) == pytest.approx([w + 2 * m for w, m in zip(words, meaning, strict=True)])


def test_fused_is_words_alone_without_a_dense_scorer():
    assert Fused()("weather", TOOLS) == Lexical()("weather", TOOLS)


def test_fused_takes_any_scorers_and_refuses_scores_that_do_not_pair():
    one, two = (lambda task, blocks: [1.0] * len(blocks)), (lambda task, blocks: [2.0] * len(blocks))
    assert Fused(two, lexical=one)("task", TOOLS) == [3.0, 3.0, 3.0]
    with pytest.raises(BlockError) as caught:
        Fused(lambda task, blocks: [1.0], lexical=one)("task", TOOLS)
    assert caught.value.reason == "scores"
