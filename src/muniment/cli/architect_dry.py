"""A dry run: transcripts taken in under an architecture in a store of its own, and what came of them.

Rule of this file: nothing outside of memory is written, and no embedder or model is asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from muniment import engine as composition
from muniment.architect import Report, Shift, default_architecture, is_zone, read_architecture, report, shifts
from muniment.cli.architect_files import current_or_default, read_text, shown_name
from muniment.cli.call import Call
from muniment.cli.files import read_whole
from muniment.engine import Engine
from muniment.ingest.formats import Parsed, read_turns
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Memory, MemoryFilter, Status
from muniment.types import Outcome, RecordId, Scope

MOST_EXAMPLES = 3
PAGE = 500
SCOPE = Scope(user="dry-run")
REFUSED = "refused:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dried:
    """What transcripts come to under the rules tried and under the current ones, and what differs."""

    proposed: Report
    current: Report
    shifts: tuple[Shift, ...]
    notes: tuple[str, ...]


async def dry_run(call: Call, file: str, transcripts: Sequence[str]) -> Dried:
    """Replay transcripts under a file's rules and under those that hold now."""
    tried = read_architecture(read_text(file), place=shown_name(file), is_zone=is_zone)
    parsed = [read_turns(read_whole(name), name=shown_name(name)) for name in transcripts]
    now = await current_or_default(call, tried.agent, call.settings.client)
    notes = [note for one in parsed for note in one.notes]
    if now is None:
        notes.append("There is no store here, so the current rules are the default ones.")
    proposed = await replay(tried, parsed, name=shown_name(file))
    held = now or default_architecture(tried.agent)
    current = await replay(held, parsed, name=held.label if held.version else "the default rules")
    return Dried(proposed=proposed, current=current, shifts=shifts(current, proposed), notes=tuple(dict.fromkeys(notes)))


async def replay(architecture: Architecture, transcripts: Sequence[Parsed], *, name: str) -> Report:
    """Take transcripts in under one architecture, in memory, and count what came of them."""
    async with composition.open("memory://", embedder=None, tokens="estimate") as engine:
        await engine.architecture.apply(architecture)
        records: dict[RecordId, None] = {}
        turned_away: Counter[tuple[str, str]] = Counter()
        for parsed in transcripts:
            receipt = await engine.ingest(SCOPE, parsed.turns, agent=architecture.agent)
            records |= dict.fromkeys(receipt.ids)
            turned_away.update(("", item.reason) for item in (*parsed.refused, *receipt.items) if item.outcome is Outcome.REFUSED)
        await engine.work.wait(SCOPE)
        return report(
            await _memories(engine),
            turned_away + Counter(await engine.work.refused(SCOPE)),
            architecture=name,
            records=len(records),
            examples=await _refused(engine, list(records)),
        )


async def _memories(engine: Engine) -> list[Memory]:
    found: list[Memory] = []
    cursor: str | None = None
    while True:
        page = await engine.memories.list(SCOPE, MemoryFilter(statuses=tuple(Status)), limit=PAGE, cursor=cursor)
        found += page.memories
        if (cursor := page.cursor) is None:
            return found[::-1]


async def _refused(engine: Engine, records: Sequence[RecordId]) -> dict[str, list[str]]:
    """The first records that something was refused of, for each reason, as they were kept: without what was masked."""
    chosen: defaultdict[str, list[RecordId]] = defaultdict(list)
    for item in await engine.work.status(SCOPE, records):
        for outcome in item.outcomes:
            if outcome.startswith(REFUSED) and len(told := chosen[outcome.removeprefix(REFUSED)]) < MOST_EXAMPLES:
                told.append(item.record)
    return {reason: [(await engine.get(SCOPE, record)).text for record in told] for reason, told in chosen.items()}
