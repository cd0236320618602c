"""Retrieve over real stores: limits of a query, budgets, health, explanations, and scopes that never touch each other."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import muniment
from muniment.errors import QueryError
from muniment.ingest.derive import derive
from muniment.ports import Write
from muniment.retrieve import Weights, retrieve
from muniment.retrieve.asking import Asked, Means
from muniment.testing import CountingTokens, FailingEmbedder, FaultyEmbedder, TableEmbedder
from muniment.types import Filter, Kind, Record, RecordId, Role, Scope, Turn

ANA, BEN = Scope(client="acme", user="ana"), Scope(client="acme", user="ben")
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


class Desk:
    """A store with an embedder: remember lines, ask questions."""

    def __init__(self, store, embedder=None):
        self.store, self.embedder = store, embedder
        self.count = 0

    async def remember(self, scope, *lines, embedder=None, **given):
        model = embedder or self.embedder
        if model:
            await self.store.adopt((model.identity, model.dim))
        records = [self._record(scope, line, **given) for line in lines]
        entries = (await derive(records, model)).entries
        await self.store.put([Write(record=r, entries=e) for r, e in zip(records, entries, strict=True)])

    def _record(self, scope, line, **given):
        self.count += 1
        fields = {"role": Role.USER, "speaker": "user", "kind": Kind.TURN, "agent": "default", "recorded_at": NOW, **given}
        return Record(id=RecordId(f"r{self.count:015d}"), scope=scope, text=line, **fields)

    async def ask(self, query, scope=ANA, **given):
        means = {"embedder": self.embedder, "now": NOW} | {name: given.pop(name) for name in ("embedder", "now") if name in given}
        means |= {"records": self.store, "memories": self.store, "tokens": CountingTokens(), "weights": Weights()}
        return await retrieve(query, scope=scope, asked=Asked(**{"limit": 10, **given}), means=Means(**means))


@pytest.fixture
async def desk(open_store, tmp_path):
    store = await open_store(tmp_path)
    yield Desk(store)
    await store.close()


def texts(bundle):
    return [hit.record.text for hit in bundle]


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u200b", "\ufeff", None, 7])
async def test_vector_23_an_empty_query_is_refused_with_the_next_step(desk, query):
    with pytest.raises(QueryError) as refused:
        await desk.ask(query)
    assert refused.value.reason == "query_empty"
    assert refused.value.hint


@pytest.mark.parametrize(
    ("query", "reason"),
    [("x" * 8193, "query_too_long"), ("é" * 4097, "query_too_long"), ("a\0b", "nul_not_allowed"), ("\ud83d", "invalid_unicode")],
)
async def test_vector_26_a_query_that_cannot_be_used_is_refused(desk, query, reason):
    with pytest.raises(QueryError) as refused:
        await desk.ask(query)
    assert (refused.value.reason, refused.value.place) == (reason, "query")


@pytest.mark.parametrize("query", ["x" * 8192, " ".join(f"w{n}" for n in range(1500)), '"' * 1000, "z" * 8000])
async def test_vector_26_the_longest_queries_are_answered(desk, query):
    await desk.remember(ANA, "tea with Ben")
    assert isinstance(texts(await desk.ask(query)), list)


@pytest.mark.parametrize("limit", [0, -1, 1001, 10**9, "10", None, 2.5, True])
async def test_P02_vector_27_a_limit_out_of_range_is_refused(desk, limit):
    with pytest.raises(QueryError) as refused:
        await desk.ask("tea", limit=limit)
    assert (refused.value.reason, refused.value.place) == ("range", "limit")


@pytest.mark.parametrize("budget", [0, -1, 10**12, 3.7, "100", True])
async def test_vector_29_a_budget_out_of_range_is_refused(desk, budget):
    with pytest.raises(QueryError) as refused:
        await desk.ask("tea", budget=budget)
    assert (refused.value.reason, refused.value.place) == ("range", "budget")


@pytest.mark.parametrize("threshold", [-0.1, 1.1, "0.5", True, float("nan")])
async def test_a_threshold_out_of_range_is_refused(desk, threshold):
    with pytest.raises(QueryError) as refused:
        await desk.ask("tea", threshold=threshold)
    assert (refused.value.reason, refused.value.place) == ("range", "threshold")


async def test_a_filter_with_a_naive_time_is_refused(desk):
    with pytest.raises(QueryError) as refused:
        await desk.ask("tea", where=Filter(since=datetime(2026, 1, 1)))  # noqa: DTZ001  that is the point
    assert refused.value.reason == "tz_required"


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "(",
        "*",
        "a AND",
        "NEAR(",
        "'; DROP TABLE x;--",
        "%_%",
        "🙂",
        "(a+)+$",
        "%",
        "_",
        "\\",
        "[[:alpha:]]",
        ".*",
        "-x",
        "^x",
    ],
)
async def test_L03_special_characters_in_query_are_text(desk, query):
    await desk.remember(ANA, f"someone wrote {query} on the wall", "nothing else")
    assert f"someone wrote {query} on the wall" in texts(await desk.ask(query))


@pytest.mark.parametrize("query", ["C:\\repo\\src\\main.py", "a/b/c"])
async def test_L02_slashes_in_query_find_what_holds_them(desk, query):
    await desk.remember(ANA, f"open {query} first", "nothing else")
    assert texts(await desk.ask(query)) == [f"open {query} first"]


@pytest.mark.parametrize("user", ["acpt-probe", "00000000-0000-0000-0000-000000000001", "main"])
async def test_L01_scopes_with_hyphens_are_searched_like_any_other(desk, user):
    scope = Scope(user=user)
    await desk.remember(scope, "the kettle is blue")
    assert texts(await desk.ask("kettle", scope)) == ["the kettle is blue"]


async def test_hits_explain_themselves(desk):
    await desk.remember(ANA, "Ana keeps bees", "the bees moved", speaker="Ana")
    first = (await desk.ask("bees that moved")).hits[0]
    assert first.terms == ("bees", "moved")
    assert first.score == pytest.approx(sum(first.channels.values()))
    assert first.passage == (0, len(first.record.text))
    assert (first.relevance, first.tokens) == (1.0, 3)


async def test_a_budget_passes_over_what_does_not_fit(desk):
    await desk.remember(ANA, "bees and more bees in a very long line of words", "bees bees", "bees today")
    bundle = await desk.ask("bees", budget=4)
    assert sorted(texts(bundle)) == ["bees bees", "bees today"]
    assert bundle.tokens == sum(hit.tokens for hit in bundle) == 4
    assert (await desk.ask("bees", budget=1)).hits == ()


async def test_P07_what_a_threshold_hides_is_counted(desk):
    await desk.remember(ANA, "the proton bridge opened", "a bridge")
    assert texts(await desk.ask("proton bridge"))[0] == "the proton bridge opened"
    bundle = await desk.ask("proton bridge", threshold=0.9)
    assert texts(bundle) == ["the proton bridge opened"]
    assert "Records below the threshold of 0.9: 1." in bundle.explanation


async def test_P06_nonsense_above_a_threshold_finds_nothing(desk):
    desk.embedder = TableEmbedder(dim=16)
    await desk.remember(ANA, "tea with Ben", "a walk by the lake")
    assert (await desk.ask("zzyzx qwrtp vlorb", threshold=0.9)).hits == ()


async def test_P08_asking_for_someone_never_mentioned_says_so(desk):
    await desk.remember(ANA, "tea with Ben", "a walk by the lake")
    bundle = await desk.ask("Who is Zebedee Throck?")
    assert bundle.hits == ()
    assert "In no record: zebedee, throck." in bundle.explanation
    assert bundle.explanation[-1].startswith("Nothing found")
    assert (bundle.health.searched, bundle.health.degraded) == (2, False)


async def test_P08_a_faint_nearness_in_meaning_is_called_low_confidence(desk):
    desk.embedder = TableEmbedder({"tea": (1, 0), "Who is Zebedee?": (0.2, 0.98)})
    await desk.remember(ANA, "tea")
    bundle = await desk.ask("Who is Zebedee?")
    assert texts(bundle) == ["tea"]
    assert bundle.explanation[-1].startswith("Low confidence")


async def test_D10_a_day_on_which_nothing_was_said_is_flagged(desk):
    await desk.remember(ANA, "the pump failed", said_at=datetime(2026, 3, 8, tzinfo=UTC))
    await desk.remember(ANA, "the pump was mended", said_at=datetime(2026, 3, 9, tzinfo=UTC))
    bundle = await desk.ask("what happened on March 18?")
    assert bundle.hits == ()
    assert "nothing was said then; the nearest is of 2026-03-09" in bundle.explanation[0]


async def test_D12_the_window_of_a_relative_date_is_shown(desk):
    await desk.remember(ANA, "planted beans", said_at=datetime(2026, 2, 3, tzinfo=UTC))
    bundle = await desk.ask("what did I do last month")
    assert texts(bundle) == ["planted beans"]
    assert bundle.explanation[0] == "Asked about 2026-02-01 to 2026-02-28 (last month): 1 passages were said then."
    assert bundle.hits[0].channels["time"] > 0


async def test_names_of_speakers_are_kept_out_of_the_vector_and_shown(desk):
    desk.embedder = TableEmbedder(dim=16)
    await desk.remember(ANA, "painting is calm work", speaker="Rosa")
    bundle = await desk.ask("What does Rosa say about painting?")
    assert desk.embedder.calls[-1] == ("What does say about painting?",)
    assert bundle.explanation[0] == "About what these said: Rosa."
    await desk.ask("What does Vera say about painting?")
    assert desk.embedder.calls[-1] == ("What does Vera say about painting?",)


async def test_a_failing_embedder_degrades_to_words_and_says_so(desk):
    desk.embedder = TableEmbedder(dim=16)
    await desk.remember(ANA, "tea with Ben")
    bundle = await desk.ask("tea", embedder=FailingEmbedder(inner=desk.embedder))
    assert texts(bundle) == ["tea with Ben"]
    assert bundle.health.degraded
    assert bundle.health.notes[0].startswith("Found by words alone")
    assert bundle.health.embedder == desk.embedder.identity


@pytest.mark.parametrize("fault", ["nan", "zero", "wide", "short"])
async def test_an_unusable_query_vector_degrades_to_words(desk, fault):
    desk.embedder = TableEmbedder(dim=32)
    await desk.remember(ANA, "tea with Ben")
    bundle = await desk.ask("tea", embedder=FaultyEmbedder(fault))
    assert texts(bundle) == ["tea with Ben"]
    assert bundle.health.degraded


async def test_passages_without_vectors_are_reported(desk):
    desk.embedder = TableEmbedder(dim=16)
    await desk.remember(ANA, "tea with Ben")
    await desk.remember(ANA, "tea alone", embedder=FailingEmbedder(inner=desk.embedder))
    bundle = await desk.ask("tea")
    assert sorted(texts(bundle)) == ["tea alone", "tea with Ben"]
    assert bundle.health.notes == (
        "1 passages have no vector and were found by words alone; `muniment doctor --repair` adds them.",
    )


async def test_an_empty_scope_is_not_broken(desk):
    bundle = await desk.ask("tea", Scope(user="nobody"))
    assert (bundle.hits, bundle.health.searched, bundle.health.degraded) == ((), 0, False)
    assert bundle.explanation[-1].startswith("Nothing found")


async def test_a_read_sees_its_ancestors(desk):
    await desk.remember(Scope(client="acme"), "the office has tea")
    await desk.remember(ANA, "tea at home")
    assert sorted(texts(await desk.ask("tea"))) == ["tea at home", "the office has tea"]
    assert texts(await desk.ask("tea", Scope(client="acme"))) == ["the office has tea"]


async def test_vector_49_a_sibling_with_the_same_words_changes_nothing(desk):
    await desk.remember(ANA, "tea with Ben", "green tea", "rain today")
    before = await desk.ask("green tea")
    await desk.remember(BEN, *(f"green tea number {n}" for n in range(200)))
    assert await desk.ask("green tea") == before


async def test_vector_48_a_sibling_with_many_near_vectors_changes_nothing(desk):
    desk.embedder = TableEmbedder(dim=16)
    await desk.remember(ANA, *(f"green tea number {n}" for n in range(12)))
    before = await desk.ask("green tea number")
    assert len(before) == 10
    for start in range(0, 2000, 250):
        await desk.remember(BEN, *(f"green tea number {n}" for n in range(start, start + 250)))
    assert await desk.ask("green tea number") == before


async def test_both_stores_give_the_same_bundle(open_each, tmp_path):
    bundles = []
    for name, opener in open_each.items():
        (tmp_path / name).mkdir()
        store = await opener(tmp_path / name)
        desk = Desk(store, TableEmbedder(dim=16))
        await desk.remember(ANA, "tea with Ben", "green tea", "rain today", conversation="one")
        await desk.remember(ANA, "more tea", conversation="two", said_at=NOW)
        bundles.append(await desk.ask("green tea, rain"))
        await store.close()
    first, second = bundles
    assert texts(first) == texts(second)
    assert [hit.score for hit in first] == [hit.score for hit in second]
    assert first.explanation == second.explanation


@pytest.mark.parametrize("url", ["memory://", "sqlite:///{}/agent.db"])
async def test_a_search_tells_whether_any_memory_is_there_to_be_looked_for(url, tmp_path):
    async with muniment.open(url.format(tmp_path), embedder=None, tokens=CountingTokens()) as engine:
        client = Scope(client="acme")

        async def told(scope):
            return (await engine.store.search(scope, lambda _: ())).knowledge

        await engine.ingest(ANA, "Hmm, what about the harbour?")
        await engine.ingest(BEN, "I live in Porto.")
        await engine.work.wait()
        assert [await told(scope) for scope in (ANA, BEN, client)] == [False, True, False]
        await engine.ingest(client, "Rita Stone lives in Faro.")
        await engine.work.wait()
        assert [await told(scope) for scope in (ANA, client)] == [True, True]
        assert (await engine.retrieve(ANA, "harbour")).hits[0].memories == ()
        await engine.forget(client)
        assert not await told(client)


HOMES = [("I live in Lisbon.", 2023), ("I moved to Porto.", 2024), ("I moved to Faro.", 2025)]


@pytest.mark.parametrize("url", ["memory://", "sqlite:///{}/agent.db"])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
async def test_E13_asked_about_a_year_what_held_then_comes_first(url, order, tmp_path):
    turns = [Turn(text=text, said_at=datetime(year, 5, 10, tzinfo=UTC)) for text, year in HOMES]
    async with muniment.open(url.format(tmp_path), embedder=None, tokens=CountingTokens()) as engine:
        await engine.ingest(ANA, [turns[at] for at in order])
        await engine.work.wait()
        for question, home in (
            ("where did I live in 2024?", "Porto"),
            ("where did I live in June 2023?", "Lisbon"),
            ("where did I live in January 2024?", "Lisbon"),
            ("where did I live in September 2025?", "Faro"),
            ("where do I live?", "Faro"),
        ):
            assert home in (await engine.retrieve(ANA, question)).hits[0].record.text, question
