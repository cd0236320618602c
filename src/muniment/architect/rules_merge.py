"""Several archetypes as one architecture: all their kinds, the strictest rules for personal data, the shortest retention.

Rule of this file: the first archetype leads; where two differ the stricter wins, but no merge shortens what must stay on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar

from muniment.architect.rules_archetypes import Archetype
from muniment.architect.rules_default import STANDARD_KINDS
from muniment.architect.rules_wishes import STRICTNESS, Wishes
from muniment.knowledge.architecture import Admission, Architecture, EntityRule, Keep, KindRule
from muniment.types import RUNGS

T = TypeVar("T")


def merged(archetypes: Sequence[Archetype], *, agent: str, description: str) -> Architecture:
    """One architecture of the archetypes chosen, the best first."""
    parts = [one.architecture for one in archetypes]
    first = parts[0]
    kinds: dict[str, KindRule] = {}
    for one in archetypes:
        for rule in one.architecture.kinds:
            have = kinds.get(rule.name)
            keeps = [other.records for other in archetypes if other.architecture.kind(rule.name)]
            kinds[rule.name] = _both(have, rule, records=any(keeps)) if have else rule
    return replace(
        first,
        agent=agent,
        description=description,
        archetypes=tuple(one.name for one in archetypes),
        kinds=tuple(kinds.values()),
        entities=_entities(parts),
        admission=_admission([part.admission for part in parts]),
        pii=_strictest([part.pii for part in parts]),
        private_conversations=any(part.private_conversations for part in parts),
    )


def _both(first: KindRule, second: KindRule, *, records: bool) -> KindRule:
    writers = tuple(role for role in first.writers if role in second.writers) or first.writers
    share, most = _narrowest(first.share, second.share), _narrowest(first.share_ceiling, second.share_ceiling)
    return replace(
        first,
        description=_told(first.description, second.description),
        cues=_union(first.cues, second.cues),
        functional=_union(first.functional, second.functional),
        writers=writers,
        share=share,
        share_up_to="" if most == share else most,
        storage=_union(first.storage, second.storage),
        keep=_retention(first.keep, second.keep, records=records),
        forget_unused=_retention(first.forget_unused, second.forget_unused, records=records),
        pii=_strictest([first.pii, second.pii]),
    )


def _told(first: str, second: str) -> str:
    """Both descriptions, unless one says what the other does."""
    standard = {rule.description for rule in STANDARD_KINDS}
    if second in first or second in standard:
        return first
    return second if first in standard else f"{first} {second}"


def _retention(first: timedelta | None, second: timedelta | None, *, records: bool) -> timedelta | None:
    """The shorter of two; the longer where records must be kept. None is for ever."""
    if records:
        return None if first is None or second is None else max(first, second)
    return min((span for span in (first, second) if span is not None), default=None)


def _narrowest(first: str, second: str) -> str:
    order = ("", *reversed(RUNGS))
    return min(first, second, key=order.index)


def _union(first: Iterable[T], second: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _strictest(policies: Sequence[Mapping[str, Keep]]) -> dict[str, Keep]:
    out: dict[str, Keep] = {}
    for policy in policies:
        for name, keep in policy.items():
            out[name] = max(out.get(name, keep), keep, key=STRICTNESS.index)
    return out


def _entities(parts: Sequence[Architecture]) -> tuple[EntityRule, ...]:
    out: dict[str, EntityRule] = {}
    for part in parts:
        for rule in part.entities:
            have = out.setdefault(rule.name, rule)
            out[rule.name] = replace(
                have,
                merge_at=max(have.merge_at, rule.merge_at),
                review_at=max(have.review_at, rule.review_at),
                share=_narrowest(have.share, rule.share),
            )
    return tuple(out.values())


def _admission(rules: Sequence[Admission]) -> Admission:
    return Admission(
        confidence=max(rule.confidence for rule in rules),
        least_words=max(rule.least_words for rule in rules),
        refuse=tuple(dict.fromkeys(reason for rule in rules for reason in rule.refuse)),
        most_per_record=min(rule.most_per_record for rule in rules),
    )


def granted(architecture: Architecture, wishes: Wishes) -> Architecture:
    """The architecture with what the use case asks for outright."""
    pii = _strictest([architecture.pii, wishes.pii])
    return replace(
        architecture,
        kinds=tuple(_wished(rule, wishes) for rule in architecture.kinds),
        timezone=wishes.timezone or architecture.timezone,
        languages=wishes.languages or architecture.languages,
        pii=pii,
        private_conversations=architecture.private_conversations or wishes.private,
    )


def _wished(rule: KindRule, wishes: Wishes) -> KindRule:
    """A kind as it was asked for: what names it holds in place of its own retention, what names none bounds it."""
    spans = []
    for asked, own in ((wishes.keep, rule.keep), (wishes.unused, rule.forget_unused)):
        bounds = [span for span in (asked.get(rule.name, own), asked.get("")) if span is not None]
        spans.append(min(bounds, default=None))
    return replace(rule, keep=spans[0], forget_unused=spans[1], enabled=rule.enabled and rule.name not in wishes.off)
