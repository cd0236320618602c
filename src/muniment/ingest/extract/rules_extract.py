"""What one record says: its sentences judged, each reader asked, names and refusals told with their places in the text.

Rule of this file: it joins what the other files of this room read, and never raises for any text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from muniment.ingest.extract import rules_decisions, rules_facts
from muniment.ingest.extract.rules_admit import Judged, judge
from muniment.ingest.extract.rules_lent import with_lenders
from muniment.ingest.extract.rules_names import mentions
from muniment.ingest.extract.rules_pronouns import resolver
from muniment.ingest.extract.rules_quotes import echoed
from muniment.ingest.extract.rules_results import read_result
from muniment.ingest.extract.rules_sentence import Context, Reader, Sentence
from muniment.ingest.times import zone_of
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.decisions import hinted
from muniment.knowledge.values import Candidate, Evidence, Extraction, Mention, Refusal
from muniment.text.times import Timed, resolve
from muniment.types import Record, Trust

READERS: Final[tuple[Reader, ...]] = (rules_decisions.read, rules_facts.read)
"""What reads candidates out of a sentence. What one before has read as a decision or promise is no plain statement again."""

_PLAIN: Final = ("event", "fact")
_BEFORE: Final = 6
_IMPLIED: Final = 0.75
"""The most that what a question only implies is trusted."""
_NAMING: Final = ("", "question", "hypothetical")
_BREAK: Final = re.compile(r"[.!?\n\u3002]")
_OWN: Final = frozenset({"my", "our", "i", "i'm", "i've"})


def read_record(record: Record, *, before: Sequence[Record], architecture: Architecture) -> Extraction:
    """See `muniment.ingest.extract.extract`."""
    before = before[-_BEFORE:]
    if (result := read_result(record, before)) is not None:
        return result
    named: list[tuple[Mention, ...]] = []

    def names() -> tuple[Mention, ...]:
        if not named:
            named.append(mentions(record.text))
        return named[0]

    def whom(pronoun: str, place: int) -> str:
        return resolver(record, before, names())(pronoun, place)

    judged = judge(record, before=before, architecture=architecture, subject=whom)
    refusals = _refusals(record, judged)
    said = [sentence for sentence in judged.sentences if not sentence.refusal or _implies(sentence)]
    if not said:
        return Extraction(record=record.id, refusals=refusals)
    context = Context(
        record=record,
        before=before,
        architecture=architecture,
        mentions=names(),
        timed=_timed(record, architecture),
        subject=resolver(record, before, names()),
    )
    found = [with_lenders(one, record, before) for sentence in said for one in _read(sentence, context)]
    most = architecture.admission.most_per_record
    note = f"{len(found) - most} statements beyond the first {most} were left out." if len(found) > most else ""
    kept = tuple(one for one in names() if _stands_in(one, judged, record.text))
    return Extraction(record=record.id, candidates=tuple(found[:most]), mentions=kept, refusals=refusals, note=note)


def _stands_in(mention: Mention, judged: Judged, text: str) -> bool:
    """True when a name stands in words that were not refused, or in a question or an opinion, which name things as well.

    A clause that reports is no sentence of its own: who stands in one goes with what is reported behind it ("Sarah said …"), or
    before it ("…, said Sarah").
    """
    within = next((s for s in judged.sentences if s.start <= mention.start < s.end), None)
    if within is None:
        behind = next((s for s in judged.sentences if s.start >= mention.end), None)
        if behind is not None and not _BREAK.search(text, mention.end, behind.start):
            within = behind
        else:
            within = next((s for s in reversed(judged.sentences) if s.end <= mention.start), None)
    return within is not None and within.refusal in _NAMING


def _read(sentence: Sentence, context: Context) -> list[Candidate]:
    out: list[Candidate] = []
    for reader in READERS:
        read, first = reader(sentence, context), all(hinted(one) for one in out)
        out.extend(one for one in read if first or one.attribute or one.kind not in _PLAIN)
    if echoed(sentence.text, context.record, context.before):
        out = [replace(one, trust=Trust.UNTRUSTED) for one in out]
    return [one for one in out if one.confidence <= _IMPLIED and one.kind != "event"] if sentence.refusal else out


def _implies(sentence: Sentence) -> bool:
    """True for a question that may tell something by the way: "Can my dog …?" says that there is one."""
    return sentence.refusal == "question" and not _OWN.isdisjoint(sentence.words)


def _timed(record: Record, architecture: Architecture) -> tuple[Timed, ...]:
    zone = zone_of(architecture.timezone)
    told = resolve(record.text, reference=(record.said_at or record.recorded_at).astimezone(zone), zone=zone)
    if record.said_at is not None:
        return told
    return tuple(replace(one, when=replace(one.when, assumed=True)) if one.when else one for one in told)


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
