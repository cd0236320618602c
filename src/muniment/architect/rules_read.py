"""An architecture file as text, read into its value or into every fault that stands in it.

Rule of this file: what a file leaves out is as in the default architecture; nothing it says is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches
from typing import TypeVar

from muniment.architect import rules_keys as keys
from muniment.architect.rules_default import default_architecture
from muniment.architect.rules_inert import inert
from muniment.architect.rules_shapes import Fault, Fields, Spot, Unfit, span_text
from muniment.errors import FormatError, shown
from muniment.knowledge.architecture import Admission, Architecture, EntityRule, Keep, KindRule, Mode
from muniment.text.strict_yaml import MAX_BYTES, Node, compose, line_of
from muniment.types import RUNGS

R = TypeVar("R")

HINT = "See docs/reference/architecture.md for every key."


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a file came to: its architecture, or the faults that keep it from being one, in the order of their lines."""

    architecture: Architecture | None
    faults: tuple[Fault, ...] = ()
    remarks: tuple[Fault, ...] = ()
    """What can be so but is seldom meant."""
    notes: tuple[Fault, ...] = ()
    """What is asked for and has no effect yet."""

    def read(self, place: str = "") -> Architecture:
        """The architecture. Raises FormatError at the first fault, telling the others."""
        if self.architecture is None:
            raise as_error(self.faults, place)
        return self.architecture


def read_architecture(text: str, *, place: str = "", is_zone: Callable[[str], bool] | None = None) -> Architecture:
    """The architecture that this YAML is. `place` is the file's name; `is_zone` knows whether there is such a time zone.

    Raises FormatError with "file:line" and what to do next; faults behind the first are told in its message.
    """
    return check(text, place=place, is_zone=is_zone).read(place)


def check(text: str, *, place: str = "", is_zone: Callable[[str], bool] | None = None) -> Checked:
    """The architecture in `text`, or everything that is wrong with it."""
    try:
        node = compose(text, place=place, most_bytes=MAX_BYTES)
    except FormatError as error:
        return Checked(architecture=None, faults=(_of_yaml(error),))
    return check_node(node, is_zone=is_zone)


def check_node(node: Node, *, is_zone: Callable[[str], bool] | None = None, base: Architecture | None = None) -> Checked:
    """The same of YAML that was read before. What it leaves out is as in `base`."""
    faults: list[Fault] = []
    architecture = _architecture(Spot(node=node, path="", line=node.line), base or default_architecture(), faults)
    if is_zone and not any(fault.path == keys.TIMEZONE.name for fault in faults) and not is_zone(architecture.timezone):
        line = Fields(Spot(node=node, path="", line=node.line), keys.FILE, []).spot(keys.TIMEZONE.name).line
        what = f"timezone: there is no time zone {shown(architecture.timezone)} here"
        faults.append(
            Fault(line=line, path="timezone", what=what, hint="Write a name such as Europe/Lisbon, or UTC.", code="zone_unknown")
        )
    if faults:
        return Checked(architecture=None, faults=tuple(sorted(faults, key=lambda fault: fault.line)))
    return Checked(architecture=architecture, remarks=tuple(_remarks(architecture, node)), notes=tuple(inert(architecture, node)))


def as_error(faults: Sequence[Fault], place: str = "") -> FormatError:
    """The faults of one file as one error, at the place of the first."""
    first, *others = faults
    more = "".join(f"; line {fault.line}: {fault.what}" for fault in others[:20])
    left = f"; and {len(others) - 20} more" if len(others) > 20 else ""  # noqa: PLR2004  (as many as are told)
    where = f"{place}:{first.line}" if place else f"line {first.line}"
    return FormatError(f"{first.what}{more}{left}.", place=where, code=first.code, hint=first.hint)


def _of_yaml(error: FormatError) -> Fault:
    line = error.place.rpartition(":")[2].removeprefix("line ")
    return Fault(
        line=int(line) if line.isdigit() else 1, path="", what=error.message.rstrip("."), hint=error.hint, code=error.reason
    )


def _architecture(at: Spot, base: Architecture, faults: list[Fault]) -> Architecture:
    fields = Fields(at, keys.FILE, faults)
    pii = Fields(fields.spot(keys.PII_SECTION.name), keys.PII_KEYS, faults)
    extraction = Fields(fields.spot(keys.EXTRACTION.name), keys.EXTRACTION_KEYS, faults)
    mode = extraction.get(keys.EXTRACT, base.mode)
    model = extraction.get(keys.MODEL_NAME, base.model)
    if mode is not Mode.RULES and not model:
        place = extraction.spot(keys.EXTRACT.name)
        hint = "Add model: openai:NAME below it, or write mode: rules."
        faults.append(
            Fault(
                line=place.line, path=place.path, what=f"extraction: mode {mode} names no model", hint=hint, code="model_missing"
            )
        )
    told = {key.name: pii.get(key, base.pii.get(key.name, Keep.KEEP)) for key in keys.PII_KEYS}
    return Architecture(
        agent=fields.get(keys.AGENT, base.agent),
        description=fields.get(keys.DESCRIPTION, base.description),
        archetypes=fields.get(keys.ARCHETYPES, base.archetypes),
        kinds=_named(fields, keys.KINDS, base.kinds, _kind, faults),
        entities=_named(fields, keys.ENTITIES, base.entities, _entity, faults),
        admission=_admission(Fields(fields.spot(keys.ADMISSION.name), keys.ADMISSION_KEYS, faults), base.admission),
        mode=mode,
        model=model,
        timezone=fields.get(keys.TIMEZONE, base.timezone),
        languages=fields.get(keys.LANGUAGES, base.languages),
        weights=fields.get(keys.RETRIEVAL_WEIGHTS, base.weights),
        question_weights=fields.get(keys.QUESTION_WEIGHTS, base.question_weights),
        compaction=_settings(fields, keys.COMPACTION, base.compaction, faults),
        anticipation=_settings(fields, keys.ANTICIPATION, base.anticipation, faults),
        pii=told,
        private_conversations=fields.get(keys.PRIVATE, base.private_conversations),
    )


def _named(
    fields: Fields, section: keys.Section, base: Sequence[R], read: Callable[[str, Fields, R | None], R], faults: list[Fault]
) -> tuple[R, ...]:
    """The rules of a section by name, in the order they stand; those of `base` where the section is left out."""
    if section.name not in fields:
        return tuple(base)
    at = fields.spot(section.name)
    try:
        table = at.table(f"Write one {section.named} a line, with its keys below it.")
    except Unfit as unfit:
        faults += unfit.faults
        return tuple(base)
    if section is keys.KINDS and not table.nodes:
        hint = "Name a kind, or leave the key out for the standard ones."
        faults.append(at.unfit("there is no kind, so that nothing could be remembered", hint, "empty").faults[0])
    known = {_name(rule): rule for rule in base}
    out = []
    for name, node in table.nodes.items():
        line = table.lines.get(name, at.line)
        path = f"{section.name}.{name}"
        if not re.fullmatch(keys.NAME.pattern, name) or len(name) > keys.NAME.most:
            what = f"{shown(name)} cannot be the name of a {section.named}"
            hint = f"Write small letters, digits and _ after a letter, such as {keys.NAME.example}."
            faults.append(Fault(line=line, path=path, what=what, hint=hint, code="form"))
        out.append(read(name, Fields(Spot(node=node, path=path, line=line), section.keys, faults, section.gone), known.get(name)))
    return tuple(out)


def _name(rule: object) -> str:
    assert isinstance(rule, KindRule | EntityRule)
    return rule.name


def _kind(name: str, fields: Fields, known: KindRule | None) -> KindRule:
    base = known or KindRule(name=name)
    share, most = fields.get(keys.SHARE, base.share), fields.get(keys.SHARE_UP_TO, base.share_up_to)
    if most and share and RUNGS.index(most) > RUNGS.index(share):
        what = f"share_up_to {most} is narrower than share {share}"
        fields.refuse(keys.SHARE_UP_TO, what, "Leave it out, or give a wider rung.")
    fields.get(keys.RUNG, "")  # the one value it may have is what holds anyway
    return KindRule(
        name=name,
        description=fields.get(keys.DESCRIPTION, base.description),
        cues=fields.get(keys.CUES, base.cues),
        functional=fields.get(keys.FUNCTIONAL, base.functional),
        writers=fields.get(keys.WRITTEN_BY, base.writers),
        share=share,
        share_up_to=most,
        storage=fields.get(keys.STORAGE, base.storage),
        keep=fields.get(keys.KEEP, base.keep),
        forget_unused=fields.get(keys.FORGET_UNUSED, base.forget_unused),
        enabled=fields.get(keys.ENABLED, base.enabled),
        pii=fields.get(keys.KIND_PII, base.pii),
    )


def _entity(name: str, fields: Fields, known: EntityRule | None) -> EntityRule:
    base = known or EntityRule(name=name)
    merge, review = fields.get(keys.MERGE_AT, base.merge_at), fields.get(keys.REVIEW_AT, base.review_at)
    if review > merge:
        hint = "Give review_at the smaller number: from it on a pair is looked at, from merge_at on it is merged."
        fields.refuse(keys.REVIEW_AT, f"review_at {review:g} is above merge_at {merge:g}", hint)
    return EntityRule(
        name=name,
        description=fields.get(keys.DESCRIPTION, base.description),
        merge_at=merge,
        review_at=review,
        share=fields.get(keys.SHARE_NAMES, base.share),
    )


def _admission(fields: Fields, base: Admission) -> Admission:
    return Admission(
        confidence=fields.get(keys.CONFIDENCE, base.confidence),
        least_words=fields.get(keys.LEAST_WORDS, base.least_words),
        refuse=fields.get(keys.REFUSE, base.refuse),
        most_per_record=fields.get(keys.MOST, base.most_per_record),
    )


def _settings(fields: Fields, section: keys.Section, base: Mapping[str, str], faults: list[Fault]) -> Mapping[str, str]:
    """The settings of a step as text, each in the one form it is written in."""
    inner = Fields(fields.spot(section.name), section.keys, faults)
    given = {key.name: _plain(inner.get(key, "")) for key in section.keys if key.name in inner}
    return {**base, **given}


def _plain(value: object) -> str:
    return span_text(value) if value is None or isinstance(value, timedelta) else str(value)


def _remarks(architecture: Architecture, node: Node) -> Iterator[Fault]:
    standard = [rule.name for rule in default_architecture().kinds]
    have = {rule.name for rule in architecture.kinds}
    for rule in architecture.kinds:
        path = ("kinds", rule.name)
        near = [] if rule.name in standard else get_close_matches(rule.name, standard, n=1, cutoff=0.8)
        if near and near[0] not in have:
            hint = f"If {near[0]!r} is meant, write it so; else leave it."
            yield _remark(node, path, f"kind {rule.name!r} is new, and much like the standard kind {near[0]!r}", hint)
        if not rule.writers:
            yield _remark(node, (*path, "writers"), "nobody may write this kind", "Name roles, or write enabled: false.")
        if rule.keep and rule.forget_unused and rule.forget_unused > rule.keep:
            hint = "Make forget_unused the shorter one, or leave it out."
            yield _remark(node, (*path, "forget_unused"), "forget_unused is longer than keep and never comes to bear", hint)


def _remark(node: Node, path: tuple[str, ...], what: str, hint: str) -> Fault:
    where = ".".join(path)
    return Fault(line=line_of(node, path), path=where, what=f"{where}: {what}", hint=hint, code="remark")
