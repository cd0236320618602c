"""Two worlds at the engine: whatever a neighbour does, or does not do, every verb answers a tenant the same, to the last number.

A verb of the engine that is neither checked here nor named as care of the whole store fails the first test.
"""

from __future__ import annotations

import asyncio
import inspect
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import muniment
from muniment import Band, Filter, MunimentError, Registry, Scope, Turn
from muniment.ingest.rules import accept, content_digest, record_id
from muniment.testing import CountingTokens, FixedClock, TableEmbedder

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
NORTH = Scope(client="acme", customer="north")
ANA = Scope(client="acme", customer="north", user="ana")
ABOVE = (NORTH, Scope(client="acme"))
NEIGHBOURS = {
    "sibling user": (Scope(client="acme", customer="north", user="ben"),),
    "sibling customer": (Scope(client="acme", customer="south"), Scope(client="acme", customer="south", user="ana")),
    "other client": (
        Scope(client="rival"),
        Scope(client="rival", customer="north"),
        Scope(client="rival", customer="north", user="ana"),
    ),
    "no client": (Scope(user="ana"), Scope(customer="north"), Scope(customer="north", user="ana")),
}
TEXTS = (
    "The red boat is called Perseverance.",
    "Ben painted the boat house by the lake.",
    "Is the lake cold today?",
    "I moved to Porto last month. " * 30,
    "今天天气很好",
)
QUERIES = ("Which boat is red?", "What did Ben say about the lake last month?", "boat", "?", "今天", "Perseverance boat lake")
SESSIONS = (None, "c1", "c2")
SAID = (None, NOON - timedelta(days=40), NOON - timedelta(days=400))
TURNS = tuple(
    Turn(
        text=TEXTS[n % len(TEXTS)],
        speaker=("Ana", "Ben")[n % 2],
        conversation=SESSIONS[n % 3],
        said_at=SAID[n // 2 % 3],
        key=(None, None, "k1", "k2")[n % 4],
    )
    for n in range(12)
)
"""Few, so that both sides keep the same words, use the same keys and name ids that are kept."""
SOME = st.lists(st.sampled_from(TURNS), max_size=6)
FILTERS = st.builds(
    Filter,
    conversation=st.sampled_from(SESSIONS),
    speaker=st.sampled_from([None, None, "Ana", "Ben"]),
    since=st.sampled_from([None, None, *SAID]),
)


@dataclass(frozen=True)
class Act:
    """One call of `verb` in `scope`; `asked` is what the call is given."""

    verb: str
    scope: Scope
    asked: dict


def id_of(scope, turn):
    """The id this turn has in this scope, whether or not it was ever kept there."""
    return record_id(content_digest(accept(turn, now=NOON).turn, scope))


async def ingest(engine, scope, *, turns, agent, **_):
    receipt = await engine.ingest(scope, turns, agent=agent)
    await engine.work.wait()  # what is derived behind a write is there at a moment of its own
    return receipt


async def retrieve(engine, scope, *, query, limit, budget, threshold, where, **_):
    return await engine.retrieve(scope, query, limit=limit, budget=budget, threshold=threshold, where=where)


async def assemble(engine, scope, *, query, conversation, **_):
    registry = Registry(ids=lambda: "rule")
    registry.write("Be brief.", name="rule", band=Band.PINNED)
    turn = await engine.assemble(scope, query, budget=150, reserve=20, conversation=conversation, registry=registry)
    made = turn.compilation
    blocks = [replace(block, id="", author="") for block in made.blocks]
    return blocks, made.text, made.tokens, made.receipt, made.prompt_hash, turn.bundle


async def forget(engine, scope, *, ids, conversation, **_):
    return await engine.forget(scope, **({"ids": ids} if ids else {"conversation": conversation}))


async def list_all(engine, scope, *, where, limit, **_):
    pages, cursor = [], None
    while not pages or cursor:
        pages.append(await engine.list(scope, where=where, limit=limit, cursor=cursor))
        cursor = pages[-1].cursor
    return [replace(page, cursor=page.cursor and page.cursor.rpartition("_")[0]) for page in pages]  # its end is its store's own


async def get(engine, scope, *, ids, **_):
    return [await told(engine.get(scope, name)) for name in [*ids, "0000000000000000"]]


async def explain(engine, scope, *, query, limit, budget, threshold, where, ids, **_):
    asked = {"limit": limit, "budget": budget, "threshold": threshold, "where": where}
    return [await told(engine.explain(scope, query, name, **asked)) for name in [*ids, "0000000000000000"]]


async def stats(engine, scope, **_):
    return await engine.stats(scope)


async def export(engine, scope, **_):
    return [record async for record in engine.export(scope)]


async def restore(engine, scope, **_):
    return await engine.restore([record async for record in engine.export(scope)])


CHECKS = {
    "ingest": ingest,
    "retrieve": retrieve,
    "explain": explain,
    "assemble": assemble,
    "forget": forget,
    "list": list_all,
    "get": get,
    "stats": stats,
    "export": export,
    "restore": restore,
}
WHOLE_STORE = {
    "doctor": lambda engine: engine.doctor(repair=True),
    "reindex": lambda engine: engine.reindex(),
}
"""Care of the whole store: nobody's answer, but whoever does it must not change one."""
CLOSING = {"close", "acting"}
SEEN_FROM_ABOVE = {"stats", "export", "restore", "forget"}
"""Verbs that mean a scope and all below it."""


def test_every_public_verb_of_the_engine_has_a_check():
    verbs = {name for name, _ in inspect.getmembers(muniment.Engine, inspect.isfunction) if not name.startswith("_")}
    assert verbs == CHECKS.keys() | WHOLE_STORE.keys() | CLOSING


@st.composite
def acts(draw, scopes, others, verbs=tuple(CHECKS)):
    """A call in one of `scopes`, whose ids may be those of `others`; every other one is an ingest."""
    scope = draw(st.sampled_from(scopes))
    named = [id_of(draw(st.sampled_from([scope, *others])), turn) for turn in draw(SOME)]
    asked = {
        "turns": draw(SOME) or [TURNS[0]],
        "agent": draw(st.sampled_from(["default", "writer"])),
        "query": draw(st.sampled_from(QUERIES)),
        "limit": draw(st.integers(1, 4)),
        "budget": draw(st.none() | st.just(12)),
        "threshold": draw(st.sampled_from([0.0, 0.4])),
        "where": draw(FILTERS),
        "conversation": draw(st.sampled_from(SESSIONS)),
        "ids": named,
    }
    return Act(draw(st.just("ingest") | st.sampled_from(verbs)), scope, asked)


def traces(mine, others, verbs=tuple(CHECKS)):
    care = st.sampled_from(sorted(WHOLE_STORE)).map(lambda name: Act(name, None, {}))
    ours, theirs = acts((mine,), others, verbs), acts(others, (mine,))
    return st.lists(ours | theirs | theirs | care, min_size=1, max_size=10)


async def told(answer):
    """The answer as a plain value, also when it is an error."""
    try:
        return await answer
    except MunimentError as error:
        return type(error), error.reason, str(error)


async def heard(url, mine, trace, *, above, alone):
    """What is answered to `mine` on a new store that holds something `above`; `alone` leaves out what the others do."""
    clock = FixedClock(NOON)
    answers = []
    async with muniment.open(url, embedder=TableEmbedder(dim=16), tokens=CountingTokens(), clock=clock) as engine:
        engine.salt = "the same"
        for scope in above:
            await engine.ingest(scope, [f"The boat yard of {scope} opens at noon."])
        for number, act in enumerate(trace):
            clock.at = NOON + timedelta(minutes=number)
            if act.scope is None:
                await WHOLE_STORE[act.verb](engine)
            elif act.scope == mine or not alone:
                answer = await told(CHECKS[act.verb](engine, act.scope, **act.asked))
                answers += [(act.verb, answer)] if act.scope == mine else []
    return answers


def same_in_both_worlds(kind, mine, trace, *, above=()):
    worlds = []
    for alone in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            url = "memory://" if kind == "memory" else f"sqlite:///{folder}/agent.db"
            worlds.append(asyncio.run(heard(url, mine, trace, above=above, alone=alone)))
    assert worlds[0] == worlds[1]


def closing_calls(neighbours):
    """Every verb once more in Ana's scope, with the ids of all that she or a neighbour may have kept."""
    ids = [id_of(scope, turn) for scope in (ANA, *neighbours) for turn in TURNS]
    asked = {"limit": 2, "budget": None, "threshold": 0.0, "where": None, "conversation": "c1", "ids": ids}
    asked |= {"turns": TURNS[:3], "agent": "default"}
    verbs = [*(verb for verb in CHECKS if verb not in {"ingest", "forget"}), "ingest", "forget", "list"]
    queries = {"retrieve": QUERIES, "assemble": QUERIES[:2]}
    return [Act(verb, ANA, {**asked, "query": query}) for verb in verbs for query in queries.get(verb, ("",))]


EXAMPLES = {"memory": 2, "sqlite": 4}
"""By what the usual number of examples is divided: a file takes longer than memory."""


@pytest.mark.parametrize("kind", EXAMPLES)
@pytest.mark.parametrize("neighbours", NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_what_a_neighbour_does_changes_no_answer_of_any_verb(kind, neighbours):
    last = closing_calls(neighbours)

    @settings(max_examples=settings().max_examples // EXAMPLES[kind])
    @given(traces(ANA, neighbours), st.sampled_from([(), ABOVE]))
    def check(trace, above):
        same_in_both_worlds(kind, ANA, [*trace, *last], above=above)

    check()


@pytest.mark.parametrize("kind", EXAMPLES)
def test_what_users_do_changes_no_answer_to_the_customer_above_them(kind):
    users = (ANA, Scope(client="acme", customer="north", user="ben"))

    @settings(max_examples=settings().max_examples // EXAMPLES[kind])
    @given(traces(NORTH, users, tuple(CHECKS.keys() - SEEN_FROM_ABOVE)))
    def check(trace):
        same_in_both_worlds(kind, NORTH, trace)

    check()
