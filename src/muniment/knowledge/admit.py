"""Which candidates may become memories of an agent, by its architecture. Each refusal has a stable reason.

Rule of this file: pure, one candidate at a time; what is already known plays no part here.
"""

from __future__ import annotations

from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Act, Candidate, Modality
from muniment.types import Trust

RULING_KINDS = frozenset({"instruction", "procedure"})
"""Kinds that tell an agent what to do: nothing untrusted ever becomes one."""
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
