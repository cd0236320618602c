"""Several queries as one answer: what found what, how sure each is, and that one query in a list is that query."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cases import ANA, BEN, NORTH, STORES, opened, texts, url_of
from running_cli import Cli

from muniment import Filter, Role, Turn
from muniment.errors import QueryError

SAID = ["The red boat lies in Porto.", "The boat engine was repaired by Rui.", "Argos the dog likes apples.", "Tea is at five."]


@pytest.fixture(params=STORES)
async def engine(request, tmp_path):
    async with opened(url_of(request.param, tmp_path), embedder=None) as engine:
        await engine.ingest(ANA, SAID)
        await engine.work.wait()
        yield engine


async def test_one_query_in_a_list_is_that_query(engine):
    for query in ("Where is the red boat?", "violin", "Who likes apples?"):
        assert await engine.retrieve(ANA, [query]) == await engine.retrieve(ANA, query)


async def test_every_query_keeps_its_best_hit_and_each_hit_says_which_found_it(engine):
    bundle = await engine.retrieve(ANA, ["red boat Porto", "boat engine repaired", "dog apples"], limit=3)
    assert set(texts(bundle)) == set(SAID[:3])
    numbers = {hit.record.text: hit.queries for hit in bundle}
    assert 0 in numbers[SAID[0]]
    assert 1 in numbers[SAID[1]]
    assert numbers[SAID[2]] == (2,)
    assert [hit.score for hit in bundle] == sorted((hit.score for hit in bundle), reverse=True)


async def test_a_hit_has_the_best_score_it_has_with_any_query(engine):
    queries = ["red boat Porto", "boat"]
    apart = [{hit.record.id: hit.score for hit in await engine.retrieve(ANA, one)} for one in queries]
    for hit in await engine.retrieve(ANA, queries):
        assert hit.score == max(scores.get(hit.record.id, 0) for scores in apart)


async def test_the_whole_is_as_sure_as_the_least_sure_and_each_is_told(engine):
    bundle = await engine.retrieve(ANA, ["red boat in Porto", "who tuned the violin"])
    apart = [(await engine.retrieve(ANA, one.query)).confidence for one in bundle.queries]
    assert [one.confidence for one in bundle.queries] == apart
    assert bundle.confidence == min(apart) == 0.0
    assert any(line.startswith("query[1]: In no record: ") for line in bundle.explanation)


async def test_limit_budget_and_filter_bound_the_whole_answer(engine):
    queries = ["red boat Porto", "dog apples", "tea"]
    assert len(await engine.retrieve(ANA, queries, limit=2)) == 2
    assert (await engine.retrieve(ANA, queries, budget=9)).tokens <= 9
    assert not len(await engine.retrieve(ANA, queries, where=Filter(role=Role.TOOL)))
    assert not len(await engine.retrieve(BEN, queries))


@pytest.mark.parametrize(
    ("queries", "place", "code"),
    [
        ([], "query", "query_empty"),
        (["boat", " "], "query[1]", "query_empty"),
        (["boat", "x" * 8193], "query[1]", "query_too_long"),
        (["a\0b", "boat"], "query[0]", "nul_not_allowed"),
        (["boat", "\ud83d"], "query[1]", "invalid_unicode"),
        (["boat", None], "query[1]", "query_empty"),
        (["boat"] * 17, "query", "too_many"),
    ],
)
async def test_a_query_that_cannot_be_asked_is_named_by_its_place(engine, queries, place, code):
    with pytest.raises(QueryError) as refused:
        await engine.retrieve(ANA, queries)
    assert (refused.value.place, refused.value.reason) == (place, code)
    assert refused.value.hint


async def test_explain_knows_several_queries(engine):
    dog = (await engine.retrieve(ANA, "dog apples")).hits[0].record.id
    assert (await engine.explain(ANA, ["red boat", "dog apples"], dog, limit=2)).code == "found"
    assert (await engine.explain(ANA, ["red boat", "boat engine"], dog, limit=2)).code != "found"


async def test_explain_names_the_query_that_found_it_and_all_that_keeps_it_out(engine):
    dog = (await engine.retrieve(ANA, "dog apples")).hits[0].record.id
    found = await engine.explain(ANA, ["red boat", "dog apples"], dog)
    assert "Found by query[1] ('dog apples')." in found.explanation
    where = Filter(role=Role.TOOL, speaker="Rui")
    out = await engine.explain(ANA, ["boat lies", "boat apples"], dog, limit=1, budget=1, threshold=0.9, where=where)
    assert (out.code, out.explanation[0]) == ("filtered", "The filter leaves it out: speaker, role.")
    told = " ".join(out.explanation)
    assert "0.9 was asked for" in told
    assert "more than the whole budget of 1" in told
    nothing = await engine.explain(ANA, "violin", dog, where=where)
    assert nothing.code == "filtered"
    assert any("holds a word of the question" in line for line in nothing.explanation)
    low = await engine.explain(ANA, "boat apples Porto", dog, limit=1, threshold=0.5)
    assert low.code == "below_threshold"
    assert any("behind the limit as well: 1" in line for line in low.explanation)


def test_the_command_tells_how_each_query_fared(tmp_path, monkeypatch):
    cli = Cli(tmp_path, monkeypatch)
    (tmp_path / "said.json").write_text('[{"role": "user", "content": "The red boat lies in Porto."}]')
    cli("ingest", "said.json", "--user", "ana")
    told = cli("retrieve", "red boat", "violin bows", "--user", "ana").out
    assert "query[0] red boat · 1 hit · confidence" in told
    assert "query[1] violin bows · nothing · confidence .00" in told
    assert [one["hits"] for one in cli.as_json("retrieve", "red boat", "violin bows", "--user", "ana")["queries"]] == [1, 0]
    record = cli.as_json("list", "--user", "ana")["records"][0]["id"]
    assert "Found by query[0]" in cli("explain", "red boat", "violin bows", record, "--user", "ana").out


async def test_what_is_said_elsewhere_moves_nothing(engine):
    queries = ["red boat Porto", "dog apples"]
    before = await engine.retrieve(ANA, queries)
    await engine.ingest(BEN, ["The red boat of Ben lies in Porto."] * 3)
    after = await engine.retrieve(ANA, queries)
    assert [(hit.record.id, hit.score, hit.queries) for hit in after] == [
        (hit.record.id, hit.score, hit.queries) for hit in before
    ]
    assert (after.confidence, after.explanation) == (before.confidence, before.explanation)
    await engine.ingest(NORTH, "The red boat lies in Porto, says the office.")
    assert len(await engine.retrieve(ANA, queries)) == len(before) + 1


async def test_pronouns_are_read_as_who_speaks_and_that_is_told(engine):
    talk = [
        Turn(text="I would paint the deck green.", speaker="Ana"),
        Turn(text="I recommend blue paint for the deck.", role=Role.ASSISTANT),
    ]
    await engine.ingest(ANA, talk, conversation="deck")
    mine = await engine.retrieve(ANA, "What did I say about paint for the deck?")
    assert mine.hits[0].record.text == talk[0].text
    assert "“I” was read as the user (Ana)." in mine.explanation
    for question in ("What did you say about paint for the deck?", "What did the assistant say about paint for the deck?"):
        yours = await engine.retrieve(ANA, question)
        assert yours.hits[0].record.text == talk[1].text
        assert any("was read as what the assistant said." in line for line in yours.explanation)
    theirs = await engine.retrieve(ANA, "What did the user say about paint for the deck?")
    assert theirs.hits[0].record.text == talk[0].text


async def test_a_month_and_a_speaker_are_read_together_and_that_is_told(engine):
    march, may = datetime(2025, 3, 9, tzinfo=UTC), datetime(2025, 5, 9, tzinfo=UTC)
    talk = [
        Turn(text="Paint for the deck should be green.", speaker="Ana", said_at=march),
        Turn(text="Paint for the deck should be blue.", role=Role.ASSISTANT, said_at=march),
        Turn(text="Paint for the deck should be white.", speaker="Ana", said_at=may),
    ]
    await engine.ingest(ANA, talk, conversation="deck")
    bundle = await engine.retrieve(ANA, "What did I say about paint for the deck in March 2025?")
    assert bundle.hits[0].record.text == talk[0].text
    assert "“I” was read as the user (Ana)." in bundle.explanation
    assert any(line.startswith("Asked about 2025-03-01 to 2025-03-31 (March 2025)") for line in bundle.explanation)


async def test_an_architecture_weighs_a_kind_of_question(engine):
    plain = await engine.retrieve(ANA, "Where does the boat lie?")
    await engine.architecture.apply("agent: default\nquestion_weights: {where: {words: 2.6}}\n")
    heavier = await engine.retrieve(ANA, "Where does the boat lie?")
    assert heavier.hits[0].channels["words"] == pytest.approx(2 * plain.hits[0].channels["words"])
    other = "The boat lies in Porto"
    assert (await engine.retrieve(ANA, [other, "Where does the boat lie?"])).hits[0].score >= heavier.hits[0].score


def test_the_command_line_takes_several_queries(tmp_path, monkeypatch):
    cli = Cli(tmp_path, monkeypatch)
    cli.said(*SAID)
    told = cli.as_json("retrieve", "red boat", "dog apples", "--user", "ana")
    assert [one["query"] for one in told["queries"]] == ["red boat", "dog apples"]
    assert cli.as_json("retrieve", "red boat", "--user", "ana")["query"] == "red boat"
