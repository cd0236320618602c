"""Feedback on recall: which of what an agent was given it used, passed over, or had to put right.

Rule of this file: it is added up by scope and record, and moves rankings of that very scope, within narrow bounds. It changes no
record and no memory, and counts as no evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from muniment.curate.rules_asked import check_scope, check_text
from muniment.errors import QueryError, shown
from muniment.knowledge.values import Feedback, MemoryId
from muniment.ports import Clock, Memories, Records, Told
from muniment.types import ItemReceipt, Outcome, Receipt, RecordId, Scope

MOST = 1000
"""Ids of one call."""


class Store(Memories, Records, Told, Protocol):
    """What this file asks of a store."""


@dataclass(slots=True)
class RecallFeedback:
    """What agents did with what they were given (`engine.feedback`)."""

    store: Store
    clock: Clock

    async def give(
        self,
        scope: Scope,
        *,
        used: Sequence[str] = (),
        ignored: Sequence[str] = (),
        corrected: Sequence[str] = (),
        by: str = "",
    ) -> Receipt:
        """Tell what became of records or memories that an answer in `scope` gave, by their ids; a memory stands for its records.

        It moves the ranking of reads at exactly `scope`, a little, and fades. `corrected` changes nothing that is remembered:
        that is `memories.correct`. Ids that are not in sight of the scope are refused, each for itself. Each call counts.
        """
        check_scope(scope)
        check_text(by=by)
        asked = {"used": _ids("used", used), "ignored": _ids("ignored", ignored), "corrected": _ids("corrected", corrected)}
        if not any(asked.values()):
            raise QueryError("no id is given.", place="used", code="required", hint="Give ids as an answer shows them.")
        named = list(dict.fromkeys(one for ids in asked.values() for one in ids))
        meant = await self._records(scope, named)
        now = self.clock.now()
        counts: dict[RecordId, dict[str, int]] = {}
        items: list[ItemReceipt] = []
        for name, ids in asked.items():
            for one in ids:
                for record in meant.get(one, ()):
                    of_it = counts.setdefault(record, {})
                    of_it[name] = of_it.get(name, 0) + 1
                items.append(_item(f"{name}[{len(items)}]", one, known=one in meant))
        await self.store.add_feedback(
            [Feedback(scope=scope, record=record, at=now, by=by, **told) for record, told in counts.items()]
        )
        return Receipt(items=tuple(items))

    async def list(self, scope: Scope) -> tuple[Feedback, ...]:
        """All that was told in `scope` and below it, added up by scope and record, the latest first, with who told it last."""
        found = await self.store.feedback(check_scope(scope))
        return tuple(sorted(found, key=lambda one: one.at, reverse=True))

    async def _records(self, scope: Scope, named: Sequence[str]) -> dict[str, tuple[RecordId, ...]]:
        found = await self.store.get(scope, [RecordId(one) for one in named])
        meant: dict[str, tuple[RecordId, ...]] = {record.id: (record.id,) for record in found}
        rest = [MemoryId(one) for one in named if one not in meant]
        memories = await self.store.memory(scope, rest) if rest else ()
        proofs = list(dict.fromkeys(one.record for memory in memories for one in memory.evidence if not one.lends))
        there = {record.id for record in await self.store.get(scope, proofs)} if proofs else set()
        for memory in memories:
            meant[memory.id] = tuple(dict.fromkeys(one.record for one in memory.evidence if one.record in there))
        return meant


def _ids(name: str, given: object) -> tuple[str, ...]:
    ids = [given] if isinstance(given, str) else list(given) if isinstance(given, Sequence) else None
    if ids is None or not all(isinstance(one, str) for one in ids):
        raise QueryError(
            f"{name} is {shown(given)}.", place=name, code="type", hint="Give a list of ids, as an answer shows them."
        )
    if len(ids) > MOST:
        raise QueryError(f"{len(ids)} ids are too many.", place=name, code="range", hint=f"Give at most {MOST} at a time.")
    return tuple(dict.fromkeys(ids))


def _item(place: str, named: str, *, known: bool) -> ItemReceipt:
    if known:
        return ItemReceipt(place=place, outcome=Outcome.STORED, id=RecordId(named))
    message = f"there is no record or memory {shown(named)} in this scope."
    return ItemReceipt(place=place, outcome=Outcome.REFUSED, reason="not_found", message=message)
