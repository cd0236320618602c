"""From a use case to an architecture and its file, every choice explained in a comment.

Rule of this file: no model is asked, and the same words give the same bytes. Where no archetype fits, the file says so and holds
the default rules.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Final

from muniment.architect.rules_archetypes import Archetype, Fit, fits
from muniment.architect.rules_default import default_architecture
from muniment.architect.rules_merge import granted, merged
from muniment.architect.rules_shapes import Fault, span_text
from muniment.architect.rules_usecase import Part, UseCase, read_use_case
from muniment.architect.rules_wishes import Wishes, wishes
from muniment.architect.rules_write import WIDTH, Comments, write_architecture
from muniment.knowledge.architecture import Architecture
from muniment.types import check_id

SCHEMA_LINE: Final = "yaml-language-server: $schema=architecture.schema.json"
_SHOWN: Final = 8
_LONGEST_NAME: Final = 40
_LONGEST_ABOUT: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """An architecture for a use case and the text of its file, with what it was chosen by.

    `by` is rules, or the model whose proposal this is. `faults` are why a model's proposal was refused, where one was.
    """

    architecture: Architecture
    text: str
    fits: tuple[Fit, ...] = ()
    notes: tuple[str, ...] = ()
    by: str = "rules"
    faults: tuple[Fault, ...] = ()


def propose_from(
    use_case: str, archetypes: Sequence[Archetype], *, agent: str = "", place: str = "", is_zone: Callable[[str], bool]
) -> Proposed:
    """The architecture that fits a use case. Without `agent` it is named after the use case's title.

    Raises InputError when the use case is empty, too large or no text.
    """
    case = read_use_case(use_case, place=place)
    ranked = fits(case, archetypes)
    chosen = [fit for fit in ranked if fit.chosen]
    name = check_id(agent, "agent") if agent else _slug(case.title) or "default"
    about = _about(case)
    if chosen:
        rules = merged([fit.archetype for fit in chosen], agent=name, description=about)
    else:
        rules = replace(default_architecture(name), description=about)
    asked = wishes(case, kinds=[rule.name for rule in rules.kinds], is_zone=is_zone)
    architecture = granted(rules, asked)
    notes = (*_choice(ranked, chosen), *(f"Line {one.line}: {one.what}." for one in asked.told))
    text = write_architecture(architecture, comments=_comments(architecture, chosen, notes, asked))
    return Proposed(architecture=architecture, text=text, fits=ranked, notes=tuple(notes))


def _about(case: UseCase) -> str:
    """The first sentence or two of the use case's objective."""
    first = next((line.text for line in case.lines if line.part is Part.OBJECTIVE and line.text != case.title), "")
    plain = " ".join(re.sub("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", " ", first.lstrip("-*> ")).split())
    return plain if len(plain) <= _LONGEST_ABOUT else f"{plain[: _LONGEST_ABOUT - 1].rstrip()}…"


def _slug(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title[:200].casefold())
    return "-".join(re.findall(r"[a-z0-9]+", plain.encode("ascii", "ignore").decode()))[:_LONGEST_NAME].strip("-")


def _choice(ranked: Sequence[Fit], chosen: Sequence[Fit]) -> Iterator[str]:
    if not chosen:
        near = next((fit for fit in ranked if fit.words), None)
        why = (
            f"the nearest, {near.archetype.name}, shares only: {', '.join(near.words[:_SHOWN])}"
            if near
            else "no word of it is known"
        )
        yield f"No archetype fits this use case ({why}), so these are the default rules."
        yield "Archetypes are described in English. Say what the agent does, for whom, and with what, or edit the rules below."
    for fit in chosen:
        words = ", ".join(fit.words[:_SHOWN])
        yield f"{fit.archetype.name} (score {fit.score:.2f}): {fit.archetype.title}. Words that spoke for it: {words}."
    for fit in ranked:
        if not fit.chosen and fit.words and fit.score > 0 and chosen:
            against = f", against it: {', '.join(fit.against[:_SHOWN])}" if fit.against else ""
            yield f"Not taken: {fit.archetype.name} (score {fit.score:.2f}; for it: {', '.join(fit.words[:3])}{against})."
            break
    ruled_out = [fit for fit in ranked if fit.against and not fit.words]
    for fit in ruled_out[:3]:
        yield f"Not taken: {fit.archetype.name}, which is out of scope by: {', '.join(fit.against[:_SHOWN])}."


def _comments(architecture: Architecture, chosen: Sequence[Fit], notes: Sequence[str], asked: Wishes) -> Comments:
    out: dict[tuple[str, ...], Sequence[str]] = {(): (SCHEMA_LINE, "", *_wrapped(notes), "")}
    for rule in architecture.kinds if chosen else ():
        origins = [fit.archetype for fit in chosen if fit.archetype.architecture.kind(rule.name)]
        if not origins:
            continue
        told = f"from {', '.join(one.name for one in origins)}"
        kept = {span_text(kind.keep) for one in origins if (kind := one.architecture.kind(rule.name))}
        if len(kept) > 1:
            longest = any(one.records for one in origins)
            told += f"; of {' and '.join(sorted(kept))} the {'longer, since records must be kept' if longest else 'shorter'}"
        out["kinds", rule.name] = _wrapped([told])
    if len(chosen) > 1:
        out["pii",] = ("The strictest of what these archetypes ask for.",)
    for one in asked.told:
        if one.section:
            lines = _wrapped([f"Line {one.line} of the use case: {one.what}."])
            out[one.section,] = (*out.get((one.section,), ()), *lines)
    return out


def _wrapped(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(line for note in notes for line in wrap(note, WIDTH - 4, subsequent_indent="  ") or [""])
