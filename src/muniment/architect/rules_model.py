"""A model's proposal: what it is asked, and whether its answer may stand in place of the one made by rules.

Rule of this file: an answer passes the same checks as any file, and may not loosen what the rules decided about privacy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from muniment.architect.rules_diff import Severity, diff
from muniment.architect.rules_propose import SCHEMA_LINE, Proposed
from muniment.architect.rules_read import Checked, check
from muniment.architect.rules_schema import schema
from muniment.architect.rules_shapes import Fault
from muniment.architect.rules_write import write_architecture
from muniment.knowledge.architecture import Architecture

_FENCE: Final = re.compile(r"\s*```(?:ya?ml)?[ \t]*\n(.*?)\n```\s*", re.DOTALL)


def question(use_case: str, draft: Proposed) -> str:
    """What the model is given beside its orders."""
    return f"# Description\n\n{use_case}\n\n# Schema\n\n{schema()}\n# Draft\n\n{draft.text}"


def judged(answer: str, draft: Proposed, *, model: str, is_zone: Callable[[str], bool]) -> Proposed:
    """The model's architecture, or the draft with the faults for which the answer was refused."""
    fenced = _FENCE.fullmatch(answer)
    checked = check(fenced[1] if fenced else answer, is_zone=is_zone)
    faults = _refusals(checked, draft)
    if faults or checked.architecture is None:
        told = f"The proposal of {model} was refused, so these are the rules' own."
        return replace(draft, faults=faults, notes=(*draft.notes, told))
    architecture = replace(checked.architecture, archetypes=draft.architecture.archetypes)
    note = f"Proposed by {model} from a draft made by rules, and checked. Review it before you apply it."
    notes = (note, *(f"Draft: {line}" for line in draft.notes))
    text = write_architecture(architecture, comments={(): (SCHEMA_LINE, "", *notes, "")})
    return replace(draft, architecture=architecture, text=text, notes=notes, by=model)


def without_model(draft: Proposed, *, model: str, what: str, hint: str) -> Proposed:
    """The draft, where the model gave no answer at all."""
    told = f"{model} gave no answer, so these are the rules' own."
    fault = Fault(line=1, path="", what=what, hint=hint, code="no_answer")
    return replace(draft, faults=(fault,), notes=(*draft.notes, told))


def _refusals(checked: Checked, draft: Proposed) -> tuple[Fault, ...]:
    if checked.architecture is None:
        return checked.faults
    faults = []
    if checked.architecture.agent != draft.architecture.agent:
        hint = f"Keep {draft.architecture.agent}."
        faults.append(Fault(line=1, path="agent", what="agent: another agent's name", hint=hint, code="changed"))
    faults += [_loosened(path, what) for path, what in _widened(draft.architecture, checked.architecture)]
    for change in diff(draft.architecture, checked.architecture):
        loosens = change.severity is Severity.SERIOUS and not change.what.startswith(("no memory", "memories expire"))
        if loosens or (change.path.endswith(".keep") and change.what == "memories live longer"):
            faults.append(_loosened(change.path, f"{change.what} ({change.old} to {change.new})"))
    return tuple(faults)


def _widened(draft: Architecture, answer: Architecture) -> Iterator[tuple[str, str]]:
    """What a difference does not tell: sharing of what the draft has not, and records sent to a model."""
    if (answer.mode, answer.model) != (draft.mode, draft.model):
        yield "extraction", "another way to read records"
    known = {f"kinds.{rule.name}" for rule in draft.kinds} | {f"entities.{rule.name}" for rule in draft.entities}
    shared = [(f"kinds.{rule.name}", rule.share_ceiling) for rule in answer.kinds]
    shared += [(f"entities.{rule.name}", rule.share) for rule in answer.entities]
    for path, share in shared:
        if share and path not in known:
            yield f"{path}.share", f"shared up to the {share}"
    for rule in answer.kinds:
        if rule.pii and f"kinds.{rule.name}" not in known:
            yield f"kinds.{rule.name}.pii", "a policy of its own"


def _loosened(path: str, what: str) -> Fault:
    return Fault(line=1, path=path, what=f"{path}: {what}", hint="Ask for it in the use case.", code="loosened")
