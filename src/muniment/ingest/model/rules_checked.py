"""What a model's item must be to become a candidate: proved by words of its turn, dated by our own reckoning, no more trusted.

Rule of this file: pure. A quote that is not there, a number or name that is not there, and a day that cannot be reckoned from the
turn are inventions, and an item that holds one is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from muniment.ingest.extract.rules_names import mentions
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import SELF, Candidate, Evidence, Mention, Modality, Refusal
from muniment.text.terms import terms
from muniment.text.times import resolve
from muniment.types import Record, When

LEAST_SHARED = 0.5
"""Share of a statement's telling words that must stand in its turn or in the turns just before."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_SPACE = re.compile(r"\s+")


def checked(
    item: Mapping[str, object], *, records: Sequence[Record], architecture: Architecture, extractor: str
) -> Candidate | Refusal | None:
    """The candidate an item makes, or why it is refused; None when not even its turn is known."""
    number = item.get("source")
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(records):
        return None
    record = records[number - 1]
    said = {name: _text(item.get(name)) for name in ("quote", "kind", "text", "subject", "attribute", "value", "when")}
    span = find_quote(record.text, said["quote"])
    start, end = span or (0, len(record.text))
    evidence = Evidence(record=record.id, start=start, end=end, said_at=record.said_at, speaker=record.speaker)
    reason = "no_evidence" if span is None else _fault(said, record, records[max(0, number - 7) : number - 1], architecture)
    if reason:
        return Refusal(reason=reason, evidence=evidence, kind=said["kind"])
    return Candidate(
        kind=said["kind"],
        text=said["text"],
        subject=said["subject"] or (SELF if record.speaker == record.role.value else record.speaker),
        evidence=evidence,
        role=record.role,
        attribute=said["attribute"].lower().replace(" ", "_"),
        value=said["value"],
        negated=item.get("negated") is True,
        modality=Modality.ASSERTED,
        speaker=record.speaker,
        mentions=_mentions(record, start, end),
        event=_event(said["when"], record),
        confidence=_sure(item.get("sure")),
        trust=record.trust,
        extractor=extractor,
    )


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Where `quote` stands in `text`, whatever its case and spaces; None where it does not."""
    words = _SPACE.split(quote.strip().strip("\"'“”"))
    if not words or not any(words):
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return found.span() if found else None


def _fault(said: Mapping[str, str], record: Record, before: Sequence[Record], architecture: Architecture) -> str:
    if architecture.kind(said["kind"]) is None:
        return "kind_not_kept"
    if not said["text"].strip():
        return "empty"
    seen = "\n".join((record.text, record.speaker, *(f"{r.text}\n{r.speaker}" for r in before)))
    if not set(_NUMBER.findall(f"{said['text']} {said['value']}")) <= set(_NUMBER.findall(seen)):
        return "invented_number"
    low = seen.casefold()
    named = (m for m in mentions(said["text"]) if m.text.casefold() not in ("user", "the user"))
    if any(word.casefold() not in low for m in named for word in m.text.split() if word[:1].isupper()):
        return "invented_name"
    told = set(terms(said["text"])) - {"user"}
    if told and len(told & set(terms(seen))) < LEAST_SHARED * len(told):
        return "not_in_source"
    return ""


def _event(words: str, record: Record) -> When | None:
    """When it happens, reckoned by our own resolver from the words of the turn; a day of the model's own counts for nothing."""
    if not words or find_quote(record.text, words) is None:
        return None
    found = resolve(words, reference=record.said_at or record.recorded_at)
    return found[0].when if found else None


def _mentions(record: Record, start: int, end: int) -> tuple[Mention, ...]:
    return tuple(m for m in mentions(record.text) if m.start < end and m.end > start)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _sure(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return 0.5
    return float(value)
