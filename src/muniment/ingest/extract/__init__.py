"""Extract: what one record says, as candidates, names and refusals, each proved by its place in the record's text.

Rule of this room: pure functions of the record, a few records before it and the architecture. Nothing known is asked for; that
is settled later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from muniment.ingest.extract.rules_admit import Judged, judge
from muniment.ingest.extract.rules_sentence import Context, Reader, Sentence
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Candidate, Evidence, Extraction, Refusal
from muniment.types import Record

READERS: tuple[Reader, ...] = ()
"""What reads candidates out of a sentence; the first to give any for the same words and kind is believed."""


def extract(record: Record, *, before: Sequence[Record] = (), architecture: Architecture) -> Extraction:
    """What `record` says. `before` are up to six earlier records of its conversation, oldest first.

    Never raises for any text. A sentence that is refused gives no candidate and one `Refusal`; neighbours refused for one reason
    are told as one stretch.
    """
    judged = judge(record, before=before, architecture=architecture)
    kept = [sentence for sentence in judged.sentences if not sentence.refusal]
    refusals = _refusals(record, judged)
    if not kept:
        return Extraction(record=record.id, refusals=refusals)
    context = Context(
        record=record, before=before, architecture=architecture, mentions=(), timed=(), subject=lambda _pronoun, _place: ""
    )
    found = [candidate for sentence in kept for candidate in _read(sentence, context)]
    most = architecture.admission.most_per_record
    note = f"{len(found) - most} statements beyond the first {most} were left out." if len(found) > most else ""
    return Extraction(record=record.id, candidates=tuple(found[:most]), mentions=context.mentions, refusals=refusals, note=note)


def _read(sentence: Sentence, context: Context) -> list[Candidate]:
    out: list[Candidate] = []
    for reader in READERS:
        out.extend(reader(sentence, context))
    return out


def _refusals(record: Record, judged: Judged) -> tuple[Refusal, ...]:
    out: list[Refusal] = []
    for sentence in judged.sentences:
        if not sentence.refusal:
            continue
        last = out[-1] if out else None
        if last is not None and last.reason == sentence.refusal and sentence.start >= last.evidence.end:
            out[-1] = replace(last, evidence=replace(last.evidence, end=sentence.end))
        else:
            evidence = Evidence(
                record=record.id, start=sentence.start, end=sentence.end, said_at=record.said_at, speaker=sentence.speaker
            )
            out.append(Refusal(reason=sentence.refusal, evidence=evidence, kind=sentence.function.value))
    return tuple(out)
