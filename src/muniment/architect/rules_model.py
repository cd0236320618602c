"""A model's proposal: what it is asked, and whether its answer may stand in place of the one made by rules.

Rule of this file: an answer passes the same checks as any file, and may not loosen what the rules decided about privacy.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from muniment.architect.rules_diff import Severity, diff
from muniment.architect.rules_propose import SCHEMA_LINE, Proposed
from muniment.architect.rules_read import Checked, check
from muniment.architect.rules_schema import schema
from muniment.architect.rules_shapes import Fault
from muniment.architect.rules_write import write_architecture

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


def _refusals(checked: Checked, draft: Proposed) -> tuple[Fault, ...]:
    if checked.architecture is None:
        return checked.faults
    faults = []
    if checked.architecture.agent != draft.architecture.agent:
        hint = f"Keep {draft.architecture.agent}."
        faults.append(Fault(line=1, path="agent", what="agent: another agent's name", hint=hint, code="changed"))
    for change in diff(draft.architecture, checked.architecture):
        loosens = change.severity is Severity.SERIOUS and not change.what.startswith(("no memory", "memories expire"))
        if loosens or (change.path.endswith(".keep") and change.what == "memories live longer"):
            what = f"{change.path}: {change.what} ({change.old} to {change.new})"
            faults.append(Fault(line=1, path=change.path, what=what, hint="Ask for it in the use case.", code="loosened"))
    return tuple(faults)
