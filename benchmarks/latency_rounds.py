"""One side of a comparison, and the rounds in which all sides are asked.

Rule of this file: every question goes to all sides in one round, in shuffled order, so that all meet the same moments of the
machine; peers come last, so that what they push out of the processor's cache is their own.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.latency_data import PER_USER, Question, chance, numbered, user_name
from benchmarks.latency_peers import LIMIT, PEERS
from muniment import Scope
from muniment.engine import Engine

Ask = Callable[[Question], Awaitable[Sequence[int]]]


@dataclass(slots=True, kw_only=True)
class Lane:
    """One side's answers at one size. A lane with `warm` is asked once untimed at the start of each of its rounds."""

    method: str
    size: str
    state: str
    questions: list[Question]
    ask: Ask
    scope: int = PER_USER
    every: int = 1
    warm: bool = False
    ms: dict[int, float] = field(default_factory=dict)
    found: dict[int, bool] = field(default_factory=dict)

    @property
    def slice(self) -> str:
        return f"{self.size}/{self.scope}{self.state}"


async def ask_all(lanes: Sequence[Lane], rounds: int) -> None:
    """Ask all lanes `rounds` questions, each lane every so many of them."""
    print(f"asking {rounds} questions of {len(lanes)} sides", file=sys.stderr, flush=True)
    rng = chance("order")
    for lane in lanes:
        await lane.ask(lane.questions[0])
    gc.collect()
    gc.freeze()  # what peers hold in memory must not slow the collector down for others
    for number in range(rounds):
        due = [lane for lane in lanes if number % lane.every == 0]
        for lane in due:
            if lane.warm:
                await lane.ask(lane.questions[number])
        due = [due[place] for place in rng.permutation(len(due))]
        for lane in sorted(due, key=lambda lane: lane.method in PEERS):
            await _ask(lane, lane.questions[number])
    gc.unfreeze()


async def _ask(lane: Lane, question: Question) -> None:
    started = time.perf_counter_ns()
    answer = await lane.ask(question)
    lane.ms[question.number] = (time.perf_counter_ns() - started) / 1e6
    lane.found[question.number] = numbered(question.user, question.target) in answer


def read_through(path: Path) -> None:
    """Bring a file into the operating system's cache, so that no side pays for another's first touch."""
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass


def retrieving(engine: Engine) -> Ask:
    """Ask an engine; which memories its hits are."""

    async def retrieving(question: Question) -> Sequence[int]:
        bundle = await engine.retrieve(Scope(user=user_name(question.user)), question.text, limit=LIMIT)
        return [int(hit.record.ref or 0) for hit in bundle]

    return retrieving


def awaited(ask: Callable[[Question], Sequence[int]]) -> Ask:
    """A side that is not async, as one that is."""

    async def awaited(question: Question) -> Sequence[int]:
        return ask(question)

    return awaited
