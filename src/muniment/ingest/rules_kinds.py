"""What a kind of memory may hold of personal data: what a record could keep may be masked, or refused, in what is made of it.

Rule of this file: pure. It never loosens what the agent's policy did before a kind was known; the record stays as that left it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from muniment.ingest.pii import KINDS, clean, clean_turn
from muniment.ingest.pii.rules_values import BIRTH_DATE
from muniment.knowledge.architecture import Architecture, Keep
from muniment.knowledge.decisions import DECISION
from muniment.knowledge.kinds import kind_of
from muniment.knowledge.values import Act, Candidate, Extraction, Refusal
from muniment.text.sentences import sentences
from muniment.types import Record, Turn

_STRICTNESS: Final = (Keep.KEEP, Keep.TOKENISE, Keep.MASK, Keep.REFUSE)
_NOTHING: Final = dict.fromkeys(KINDS, Keep.KEEP)


def beyond(policy: Mapping[str, Keep], kind: Mapping[str, Keep]) -> dict[str, Keep]:
    """The agent's policy, and a kind's where that is stricter."""
    return {name: max(policy.get(name, Keep.KEEP), kind.get(name, Keep.KEEP), key=_STRICTNESS.index) for name in KINDS}


def kept_by_kind(extraction: Extraction, record: Record, architecture: Architecture) -> Extraction:
    """What was read out of `record` as the policies of its kinds leave it: masked, or refused with a reason."""
    policies = {rule.name: rule.pii for rule in architecture.kinds if any(keep is not Keep.KEEP for keep in rule.pii.values())}
    if not policies:
        return extraction
    candidates: list[Candidate] = []
    refusals = list(extraction.refusals)
    for candidate in extraction.candidates:
        kept, refused = candidate, ""
        for kind in _may_become(candidate, architecture):
            if not refused and kind in policies:
                kept, refused = _cleaned(kept, record, policies[kind])
        if refused:
            refusals.append(Refusal(reason=refused, evidence=candidate.evidence, kind=candidate.kind))
        else:
            candidates.append(kept)
    return replace(extraction, candidates=tuple(candidates), refusals=tuple(refusals))


def _may_become(candidate: Candidate, architecture: Architecture) -> Iterator[str]:
    """The kinds that a candidate may be kept as: how a decision came out is an event where no decision is known."""
    yield kind_of(candidate, architecture)
    if candidate.act is Act.OUTCOME and candidate.kind == DECISION:
        yield kind_of(replace(candidate, kind="event", attribute=""), architecture)


def _cleaned(candidate: Candidate, record: Record, policy: Mapping[str, Keep]) -> tuple[Candidate, str]:
    """The candidate without the data its kind masks, or why it is refused: "pii:" and the kind of data."""
    rules = {**_NOTHING, **policy}
    marks: dict[str, str] = {}
    for words in (_said(candidate, record), *_texts(candidate)):
        for find in clean(words, policy=_NOTHING, token=_no_token).found:
            value = words[find.start : find.end]
            if rules[find.kind] is not Keep.KEEP and any(value in told for told in _texts(candidate)):
                marks[value] = find.kind
    slot = candidate.attribute.replace("_", " ") or "value"
    lone = clean_turn(Turn(text="", metadata={slot: candidate.value}), policy=rules, token=_no_token)
    found = [*marks.values(), *(find.kind for _, find in lone.found if find.action is not Keep.KEEP)]
    if refused := next((kind for kind in found if rules[kind] is Keep.REFUSE), ""):
        return candidate, f"pii:{refused}"
    if not found:
        return candidate, ""
    if not marks:
        marks[candidate.value] = found[0]
    longest = sorted(marks, key=lambda value: -len(value))

    def wiped(text: str) -> str:
        for value in longest:
            text = text.replace(value, f"[{marks[value]}]")
        return text

    return replace(
        candidate,
        text=wiped(candidate.text),
        value=wiped(candidate.value),
        subject=wiped(candidate.subject),
        parts={name: tuple(map(wiped, told)) for name, told in candidate.parts.items()},
        event=None if BIRTH_DATE in found else candidate.event,
    ), ""


def _texts(candidate: Candidate) -> Iterator[str]:
    yield from (candidate.text, candidate.value, candidate.subject)
    for told in candidate.parts.values():
        yield from told


def _said(candidate: Candidate, record: Record) -> str:
    """The sentences that the candidate was read from: what a number is may be said beside it."""
    start, end = candidate.evidence.start, candidate.evidence.end
    around = [span for span in sentences(record.text) if span[0] < end and span[1] > start]
    return record.text[around[0][0] : around[-1][1]] if around else record.text[start:end]


def _no_token(kind: str, value: str) -> str:
    """No policy of a kind makes tokens."""
    raise AssertionError(kind, value)
