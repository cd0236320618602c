"""A dry run: transcripts taken in under an architecture in a store of its own, and what came of them.

Rule of this file: nothing outside of memory is written, and no embedder or model is asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from muniment import opening
from muniment.architect import Report, Shift, default_architecture, is_zone, read_architecture, report, shifts
from muniment.cli.architect_files import current_or_default, read_text, shown_name
from muniment.cli.call import Call
from muniment.cli.files import read_whole
from muniment.engine import Engine
from muniment.ingest.extract import extract
from muniment.ingest.formats import Parsed, read_turns
from muniment.knowledge.admit import refusal
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.decisions import hinted
from muniment.knowledge.kinds import kind_of
from muniment.knowledge.values import Memory, MemoryFilter, Status
from muniment.types import Outcome, Record, RecordId, Scope

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
    async with opening.open("memory://", embedder=None, tokens="estimate") as engine:
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
            examples=await _refused(engine, list(records), architecture),
        )


async def _memories(engine: Engine) -> list[Memory]:
    found: list[Memory] = []
    cursor: str | None = None
    while True:
        page = await engine.memories.list(SCOPE, MemoryFilter(statuses=tuple(Status)), limit=PAGE, cursor=cursor)
        found += page.memories
        if (cursor := page.cursor) is None:
            return found[::-1]


async def _refused(engine: Engine, records: Sequence[RecordId], architecture: Architecture) -> dict[str, list[str]]:
    """The first sentences that were refused for each reason, as they were kept: without what was masked."""
    chosen: defaultdict[str, dict[RecordId, None]] = defaultdict(dict)
    for item in await engine.work.status(SCOPE, records):
        for outcome in item.outcomes:
            if outcome.startswith(REFUSED) and len(told := chosen[outcome.removeprefix(REFUSED)]) < MOST_EXAMPLES:
                told[item.record] = None
    ids = list(dict.fromkeys(record for told in chosen.values() for record in told))
    read = {id_: await engine.get(SCOPE, id_) for id_ in ids}
    return {
        reason: [words for id_ in told for words in _words(read[id_], reason, architecture)] for reason, told in chosen.items()
    }


def _words(record: Record, reason: str, architecture: Architecture) -> tuple[str, ...]:
    """What of a record was refused for this reason; the whole of it where reading it alone does not say."""
    read = extract(record, before=(), architecture=architecture)
    judged = (replace(one, kind=kind_of(one, architecture)) for one in read.candidates if not hinted(one))
    refused = [one.evidence for one in read.refusals if one.reason == reason]
    refused += [one.evidence for one in judged if refusal(one, architecture) == reason]
    words = (record.text[one.start : one.end].strip() for one in refused)
    return tuple(dict.fromkeys(one for one in words if one)) or (record.text,)
