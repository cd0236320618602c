"""The same talk in every store, the same questions: the same records in the same order, with the same scores and memories."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import timedelta
from random import Random

import pytest
from cases import ANA, BEN, CLIENT, NOON, NORTH, RIVAL, SOUTH, opened

from muniment import Filter, Turn
from muniment.knowledge.values import MemoryFilter, Status
from muniment.testing import TableEmbedder
from muniment.types import Role

SCOPES = (ANA, BEN, NORTH, SOUTH, CLIENT, RIVAL)
NAMES = ("Ana", "Ben", "Zoë", "安娜")
SAID = (
    "I moved to {city} in {month}.",
    "I work at {firm} as a {job}.",
    "My favourite drink is {drink}.",
    "I no longer work at {firm}.",
    "We decided to use {tool} instead of {other} because it is cheaper.",
    "{name} prefers {drink} in the morning.",
    "The invoice {code} was sent to {firm} yesterday.",
    "I will call {name} next {day}.",
    "Our office in {city} closes at noon on {day}.",
    "{name} said that {tool} broke again.",
)
WORDS = {
    "city": ("Porto", "Berlin", "Lisbon", "Kyoto", "京都"),
    "month": ("March", "May", "October"),
    "firm": ("Harbour Ltd", "Acme", "North Sea Bank"),
    "job": ("nurse", "welder", "clerk"),
    "drink": ("tea", "coffee", "oat milk"),
    "tool": ("PostgreSQL", "Excel", "the red crane", "Redis"),
    "other": ("paper", "Kafka", "the old crane"),
    "name": NAMES,
    "code": ("INV-2041", "INV-2042", "X7/9"),
    "day": ("Friday", "Monday", "Sunday"),
}
ASKED = (
    "Where does {name} live?",
    "What did I say about {tool} last week?",
    "{drink} or {other}",
    "When was {code} sent?",
    "Who works at {firm}?",
    "How many times did {tool} break?",
    "why did we decide against {other}",
    "{city} {day} office",
    "What will I do on {day}?",
    "what did {name} prefer in {month}",
)


def filled(random, forms):
    """One of these forms with words in it."""
    return random.choice(forms).format_map({slot: random.choice(words) for slot, words in WORDS.items()})


def talk(random, count):
    """Turns of several scopes, in calls of a few."""
    for n in range(count):
        turns = [
            Turn(
                text=filled(random, SAID) + random.choice(("", "", f" So I said in call {n}, at length, " + "and again " * 60)),
                role=random.choice((Role.USER, Role.USER, Role.ASSISTANT)),
                speaker=random.choice(NAMES),
                said_at=NOON - timedelta(days=random.randrange(400), minutes=random.randrange(999)),
                conversation=random.choice((None, "c1", "c2", f"c{n % 7}")),
            )
            for _ in range(random.randrange(1, 5))
        ]
        yield random.choice(SCOPES), turns


def question(random):
    """A question with some of what may narrow it."""
    where = Filter(
        conversation=random.choice((None, None, None, "c1")),
        speaker=random.choice((None, None, None, "Ana")),
        role=random.choice((None, None, None, Role.USER)),
        since=random.choice((None, None, NOON - timedelta(days=200))),
    )
    text = filled(random, ASKED if random.random() < 0.8 else SAID)
    return random.choice(SCOPES), text, {"where": where, "limit": random.choice((1, 5, 10, 40))}


def told(bundle):
    """All that an answer says, in its order."""
    hits = [
        (hit.record.id, hit.score, hit.relevance, hit.attached, hit.passage, [(one.id, one.status) for one in hit.memories])
        for hit in bundle
    ]
    return hits, bundle.confidence, bundle.explanation, bundle.health


async def answers_alike(stack, url, folder, *, calls, questions):
    """Fill a store of each kind with the same and ask all the same."""
    engines = [
        await stack.enter_async_context(opened(address, embedder=TableEmbedder(dim=24)))
        for address in ("memory://", f"sqlite:///{folder}/agent.db", url)
    ]
    for scope, turns in talk(Random(5), calls):
        for engine in engines:
            await engine.ingest(scope, turns)
            await engine.work.wait()  # what is read with what decides what is made of it
    random, found = Random(6), 0
    for _ in range(questions):
        scope, text, asked = question(random)
        first, *others = [told(await engine.retrieve(scope, text, **asked)) for engine in engines]
        for other in others:
            assert other == first
        found += len(first[0])
    for scope in SCOPES:
        pages = [await engine.memories.list(scope, where=MemoryFilter(statuses=tuple(Status)), limit=200) for engine in engines]
        first, *others = [[(one.id, one.text, one.status, one.evidence) for one in page] for page in pages]
        assert all(sorted(other) == sorted(first) for other in others)
        assert len(first) > 3
    return found


async def test_mixed_questions_get_the_same_answers_in_the_same_order_from_every_store(emptied, tmp_path):
    async with AsyncExitStack() as stack:
        assert await answers_alike(stack, emptied, tmp_path, calls=30, questions=50) > 100


@pytest.mark.slow
async def test_a_thousand_mixed_questions_get_the_same_answers_in_the_same_order_from_every_store(emptied, tmp_path):
    async with AsyncExitStack() as stack:
        assert await answers_alike(stack, emptied, tmp_path, calls=400, questions=1000) > 3000
