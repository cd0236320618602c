"""Which candidates may become memories of an agent, by its architecture. Each refusal has a stable reason.

Rule of this file: pure, one candidate at a time; what is already known plays no part here, the words it was read from may.
"""

from __future__ import annotations

from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Act, Candidate, Modality
from muniment.text.expected import surely_other
from muniment.text.sentences import sentences
from muniment.types import Record, Trust

RULING_KINDS = frozenset({"instruction", "procedure"})
"""Kinds that tell an agent what to do: nothing untrusted ever becomes one."""
OTHER_LANGUAGE = "other_language"
"""The reason for which nothing is made of a sentence that is surely in none of the architecture's languages."""
_UNSURE = {Modality.CONDITIONAL: "hypothetical", Modality.ASKED: "question"}


def refusal(candidate: Candidate, architecture: Architecture) -> str:
    """Why this candidate may not be kept, as a reason code, or an empty text if it may."""
    rule = architecture.kind(candidate.kind)
    if rule is None:
        return "kind_not_kept"
    admission = architecture.admission
    unsure = _UNSURE.get(candidate.modality, "")
    bare = candidate.act is Act.STATE and not candidate.attribute and len(candidate.text.split()) < admission.least_words
    faults = (
        ("writer_not_allowed", candidate.role.value not in rule.writers),
        ("untrusted_instruction", candidate.trust is Trust.UNTRUSTED and candidate.kind in RULING_KINDS),
        ("low_confidence", candidate.confidence < admission.confidence),
        (unsure, unsure in admission.refuse),
        ("too_short", bare),
    )
    return next((reason for reason, holds in faults if holds), "")


def foreign(candidate: Candidate, record: Record, architecture: Architecture) -> bool:
    """True when the sentence that this candidate was read from is surely in none of the languages that memories are made of."""
    if not architecture.languages:
        return False
    start, end = candidate.evidence.start, candidate.evidence.end
    around = [span for span in sentences(record.text) if span[0] < end and span[1] > start]
    words = record.text[around[0][0] : around[-1][1]] if around else record.text[start:end]
    return surely_other(words, architecture.languages)
