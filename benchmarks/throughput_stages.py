"""Where the time of a turn goes: each stage of reading by itself, and settling inside a run.

Rule of this file: stages are called as the product calls them, on the same turns; what they give is thrown away.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC
from typing import Any

from benchmarks.throughput_data import Talk
from muniment.architect import default_architecture
from muniment.ingest.extract import extract, rules_decisions, rules_facts
from muniment.ingest.extract.rules_admit import judge
from muniment.ingest.extract.rules_names import mentions
from muniment.ingest.extract.rules_pronouns import resolver
from muniment.ingest.extract.rules_sentence import Context
from muniment.knowledge.values import Changes, Known
from muniment.ports import Store
from muniment.text.times import resolve
from muniment.types import Record, RecordId, Scope

_BEFORE = 6
_ARCHITECTURE = default_architecture()


class TimedStore:
    """A store that notes how long the deciding inside of its transactions takes; all else it passes on."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:  # whatever a store has
        return getattr(self._store, name)

    async def settle(self, scope: Scope, wanted: Any, decide: Callable[[Known], Changes], **how: Any) -> Changes:
        """Settle, and note how long the deciding took."""

        def timed(known: Known) -> Changes:
            began = time.thread_time()
            try:
                return decide(known)
            finally:
                self.seconds += time.thread_time() - began

        return await self._store.settle(scope, wanted, timed, **how)


def records_of(talk: Talk) -> list[tuple[Record, tuple[Record, ...]]]:
    """The turns of a conversation as records, each with those just before it."""
    made = [
        Record(
            id=RecordId(f"{talk.name}:{number}"),
            scope=Scope(user="reader"),
            text=turn.text,
            role=turn.role,
            kind=turn.kind,
            speaker=turn.speaker or turn.role.value,
            agent="default",
            recorded_at=turn.said_at,
            said_at=turn.said_at,
        )
        for number, turn in enumerate(talk.turns)
        if turn.said_at is not None
    ]
    return [(record, tuple(made[max(0, place - _BEFORE) : place])) for place, record in enumerate(made)]


def stages(talks: Sequence[Talk]) -> dict[str, float]:
    """Milliseconds of processor per turn that each stage of reading takes, and the whole of it."""
    spent: dict[str, float] = defaultdict(float)
    turns = 0
    for talk in talks:
        for record, before in records_of(talk):
            turns += 1
            began = time.process_time()
            extract(record, before=before, architecture=_ARCHITECTURE)
            spent["extract"] += time.process_time() - began
            _apart(record, before, spent)
    return {stage: 1000 * seconds / max(1, turns) for stage, seconds in spent.items()}


def _apart(record: Record, before: tuple[Record, ...], spent: dict[str, float]) -> None:
    last = time.process_time()

    def ended(stage: str) -> None:
        nonlocal last
        at = time.process_time()
        spent[stage] += at - last
        last = at

    judged = judge(record, before=before, architecture=_ARCHITECTURE)
    ended("judge")
    said = [sentence for sentence in judged.sentences if not sentence.refusal]
    if not said:
        return
    last = time.process_time()
    named = mentions(record.text)
    ended("names")
    timed = resolve(record.text, reference=record.said_at or record.recorded_at, zone=UTC)
    ended("times")
    whom = resolver(record, before, named)
    asked = [0.0]

    def subject(pronoun: str, place: int) -> str:
        began = time.process_time()
        found = whom(pronoun, place)
        asked[0] += time.process_time() - began
        return found

    context = Context(record=record, before=before, architecture=_ARCHITECTURE, mentions=named, timed=timed, subject=subject)
    last = time.process_time()
    for stage, read in (("decisions", rules_decisions.read), ("facts", rules_facts.read)):
        for sentence in said:
            read(sentence, context)
        ended(stage)
        spent[stage] -= asked[0]
        spent["pronouns"] += asked[0]
        asked[0] = 0.0
