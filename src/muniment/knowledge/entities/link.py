"""Ties what a record names to what its scope knows: an entity that is there, a new one, or a pair for somebody to look at.

Rule of this file: pure and deterministic. It sees one scope alone (and of shared types the canonical names above it); where two
could be meant, neither is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from muniment.knowledge.architecture import EntityRule
from muniment.knowledge.entities.compare import EXACT, compare, is_heading
from muniment.knowledge.entities.keys import MOST_KEYS, chosen_name, keys_of, keys_of_aliases, keys_of_text
from muniment.knowledge.entities.marks import mark_aliases, names_of, shares_mark, tells_apart
from muniment.knowledge.entities.merging import following, merge, merge_id
from muniment.knowledge.entities.names import NOTHING, Likeness, person_name
from muniment.knowledge.entities.spelling import forms, normal, words
from muniment.knowledge.keys import short_id
from muniment.knowledge.values import Alias, Entity, EntityId, Evidence, Mention, Merge
from muniment.types import RUNGS, Scope, Trust

FIRST_KEPT = 8
LAST_KEPT = 24
"""Records kept per alias: the first ones and the latest ones. A name said a thousand times is not proved a thousand times."""

MOST_NEAR = 64
"""Entities of one key that are compared with a mention: the latest."""

_DEFAULT = EntityRule(name="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A mention, the words of a record that make it, how far it may be believed, and the marks beside the name."""

    mention: Mention
    evidence: Evidence
    trust: Trust = Trust.TRUSTED
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """Entities new and changed, the entity of each mention in the order given, and merges made or left to look at."""

    entities: tuple[Entity, ...] = ()
    ids: tuple[EntityId, ...] = ()
    merges: tuple[Merge, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    entity: Entity
    likeness: Likeness
    exact: bool


def link(
    named: Sequence[Named],
    known: Sequence[Entity],
    shared: Sequence[Entity] = (),
    *,
    rules: Sequence[EntityRule],
    scope: Scope,
    now: datetime,
) -> Linked:
    """Tie each of `named` to an entity of `scope`.

    `known` are entities found there by `keys_of`; those of other scopes are passed over. `shared` gives canonical names of
    ancestors' scopes for types that `rules` share; nothing but the name is taken from them.
    """
    room = _Room(known, shared, rules, scope, now)
    ids = tuple(room.place(one, named[number - 1] if number else None) for number, one in enumerate(named))
    return Linked(entities=room.changed(), ids=tuple(room.final(id_) for id_ in ids), merges=tuple(room.merges.values()))


class _Room:
    """What is known of one scope while a batch is being linked."""

    def __init__(
        self, known: Sequence[Entity], shared: Sequence[Entity], rules: Sequence[EntityRule], scope: Scope, now: datetime
    ) -> None:
        self._scope, self._now = scope, now
        self._rules = {rule.name: rule for rule in rules}
        self._entities = {entity.id: entity for entity in known if entity.scope == scope}
        self._changed: dict[EntityId, None] = {}
        self._by_key: dict[str, dict[EntityId, None]] = {}
        self._shared = [replace(e, aliases=()) for e in shared if e.scope != scope and e.scope.covers(scope) and self._shares(e)]
        self.merges: dict[str, Merge] = {}
        for entity in self._entities.values():
            self._index(entity)

    def _shares(self, entity: Entity) -> bool:
        up_to = self._rules.get(entity.kind, _DEFAULT).share
        if up_to not in RUNGS or entity.merged_into is not None:
            return False
        return RUNGS.index(entity.scope.rungs[-1][0]) >= RUNGS.index(up_to)

    def changed(self) -> tuple[Entity, ...]:
        return tuple(self._entities[id_] for id_ in self._changed)

    def final(self, id_: EntityId) -> EntityId:
        """Where an id stands at the end, merges of this batch followed."""
        return following(id_, self._entities)

    def place(self, one: Named, previous: Named | None) -> EntityId:
        """The entity of one mention."""
        one = replace(one, mention=replace(one.mention, text=one.mention.text.strip()))
        defined = self._defined(one, previous)
        rule = self._rules.get(one.mention.kind, _DEFAULT)
        alike = self._candidates(one)
        apart = [c for c in alike if tells_apart(one.marks, one.evidence.said_at, c.entity)]
        candidates = [c for c in alike if c not in apart]
        sure = defined or [c for c in candidates if c.likeness.score >= self._merge_at(rule, c.entity)]
        if len(sure) > 1:
            sure = self._narrowed(one, sure)
        if len(sure) == 1:
            return self._add(sure[0].entity, one)
        if sure and self._may_join(one, sure):
            return self._add(self._joined(sure), one)
        entity = self._new(one)
        self._review(entity, one, [*(sure or candidates), *map(_told_apart, apart)])
        return entity.id

    def _merge_at(self, rule: EntityRule, entity: Entity) -> float:
        return max(rule.merge_at, self._rules.get(entity.kind, _DEFAULT).merge_at)

    def _candidates(self, one: Named) -> list[_Candidate]:
        """Entities that may be meant, most alike first, from the level on that is worth a look."""
        found: dict[EntityId, None] = {}
        for key in keys_of(one.mention):
            found.update(dict.fromkeys(islice(reversed(self._by_key.get(key, {})), MOST_NEAR)))
        least = self._rules.get(one.mention.kind, _DEFAULT).review_at
        out = []
        for id_ in found:
            entity = self._entities[id_]
            if entity.merged_into is not None:
                continue
            likeness = likeness_of(one, entity)
            if likeness.score >= least:
                out.append(_Candidate(entity, likeness, _says(entity, one.mention)))
        return sorted(out, key=lambda c: (-c.likeness.score, not c.exact, c.entity.first_seen, c.entity.id))

    def _defined(self, one: Named, previous: Named | None) -> list[_Candidate]:
        """The entity named just before, when this is its short form in brackets: "World Health Organization (WHO)"."""
        if (
            previous is None
            or previous.evidence.record != one.evidence.record
            or EXACT & {one.mention.kind, previous.mention.kind}
        ):
            return []
        if one.mention.start - previous.mention.end != len(" (") or _partial(previous.mention):
            return []
        likeness = compare(previous.mention.text, one.mention.text, "organisation", "organisation")
        last = next((e for e in reversed(self._entities.values()) if _says(e, previous.mention) and e.merged_into is None), None)
        if last is None or "acronym" not in likeness.why:
            return []
        return [_Candidate(last, Likeness(score=1.0, why={"defined": 1.0}), exact=False)]

    def _narrowed(self, one: Named, sure: list[_Candidate]) -> list[_Candidate]:
        """Fewer candidates, where something besides likeness tells them apart; else all of them."""
        namesakes = [c for c in sure if c.exact]
        if len(namesakes) > 1 and any(len(names_of(c.entity)) < len(c.entity.aliases) for c in namesakes):
            marked = [c for c in namesakes if shares_mark(one.marks, c.entity)]
            return [max(marked or namesakes, key=lambda c: (c.entity.last_seen, c.entity.id))]
        if not _partial(one.mention):
            exact = [c for c in sure if c.exact]
            if exact:
                return exact[:1]
            full = [c for c in sure if not _short(c.entity)]
            best = [c for c in full if c.likeness.score == full[0].likeness.score]
            return best if len(best) == 1 else sure
        here = [c for c in sure if any(e.record == one.evidence.record for alias in c.entity.aliases for e in alias.evidence)]
        titled = [c for c in sure if c.exact and person_name(one.mention.text).titled]
        if len(here) == 1 or len(titled) == 1:
            return here if len(here) == 1 else titled
        unresolved = [c for c in sure if c.exact and _short(c.entity)]
        return unresolved if len(unresolved) == 1 else sure

    def _compatible(self, sure: Sequence[_Candidate]) -> bool:
        """True when no two of them contradict each other."""
        entities = [c.entity for c in sure]
        return not any(_contradict(a, b) for number, a in enumerate(entities) for b in entities[number + 1 :])

    def _may_join(self, one: Named, sure: Sequence[_Candidate]) -> bool:
        """True when a full name heard for the first time shows that several short ones are one thing's."""
        new = not any(c.exact for c in sure)
        trusted = one.trust is Trust.TRUSTED and all(c.entity.trust is Trust.TRUSTED for c in sure)
        short = all(_short(c.entity) for c in sure)
        return new and trusted and short and not _partial(one.mention) and self._compatible(sure)

    def _joined(self, sure: Sequence[_Candidate]) -> Entity:
        first, *others = sorted(sure, key=lambda c: (c.entity.first_seen, c.entity.id))
        kept = first.entity
        for other in others:
            kept, gone, made = merge(
                kept, other.entity, score=other.likeness.score, why=other.likeness.why, at=self._now, by="rules"
            )
            self._write(kept)
            self._write(gone)
            self.merges[made.id] = made
        return kept

    def _review(self, entity: Entity, one: Named, others: Iterable[_Candidate]) -> None:
        """Leave pairs to look at, of a new entity alone: a pair that was decided is never asked about again."""
        for other in others:
            if _contradict(entity, other.entity):
                continue
            id_ = merge_id(self._scope, other.entity.id, entity.id)
            pair = Merge(
                id=id_,
                scope=self._scope,
                kept=other.entity.id,
                other=entity.id,
                score=other.likeness.score,
                why=dict(other.likeness.why),
                at=one.evidence.said_at or self._now,
                decided=False,
                by="rules",
            )
            self.merges.setdefault(id_, pair)

    def _add(self, entity: Entity, one: Named) -> EntityId:
        changed = with_mention(entity, one, now=self._now)
        self._write(changed)
        return changed.id

    def _new(self, one: Named) -> Entity:
        alias = Alias(text=one.mention.text, kind=_alias_kind(one.mention.kind), evidence=(one.evidence,))
        marks = mark_aliases(one.marks, one.evidence)
        keys = keys_of(one.mention)
        at = one.evidence.said_at or self._now
        canonical = self._canonical(one)
        entity = Entity(
            id=entity_id(self._scope, one, keys),
            scope=self._scope,
            name=canonical.name if canonical else alias.text,
            kind=one.mention.kind or (canonical.kind if canonical else ""),
            aliases=(alias, *marks),
            keys=keys if canonical is None else _merged_keys(keys, keys_of_text(canonical.name, canonical.kind)),
            first_seen=at,
            last_seen=at,
            trust=one.trust,
        )
        entity = self._unused(entity, one)
        self._write(entity)
        return entity

    def _unused(self, entity: Entity, one: Named) -> Entity:
        """The entity, with another id when its own is taken already (two things named alike by one record)."""
        copy = 0
        while entity.id in self._entities:
            copy += 1
            entity = replace(entity, id=entity_id(self._scope, one, entity.keys, copy=copy))
        return entity

    def _canonical(self, one: Named) -> Entity | None:
        """The shared name that is surely meant, when there is one alone."""
        rule = self._rules.get(one.mention.kind, _DEFAULT)
        sure = [e for e in self._shared if likeness_of(one, e).score >= rule.merge_at]
        return sure[0] if len(sure) == 1 else None

    def _write(self, entity: Entity) -> None:
        self._entities[entity.id] = entity
        self._changed[entity.id] = None
        self._index(entity)

    def _index(self, entity: Entity) -> None:
        for key in entity.keys:
            self._by_key.setdefault(key, {})[entity.id] = None


def _told_apart(candidate: _Candidate) -> _Candidate:
    """A namesake that what was said tells apart, as it is left to look at."""
    likeness = candidate.likeness
    return replace(candidate, likeness=replace(likeness, why={**likeness.why, "told_apart": 0.0}))


def likeness_of(one: Named, entity: Entity) -> Likeness:
    """How far a mention may mean this entity: as its most alike name, unless one of its names contradicts."""
    if not _kind_fits(one.mention.kind, entity):
        return NOTHING
    if is_heading(one.mention.text) and one.mention.kind not in EXACT:
        here = any(e.record == one.evidence.record for alias in entity.aliases for e in alias.evidence)
        same = any(normal(alias.text) == normal(one.mention.text) for alias in entity.aliases)
        return Likeness(score=1.0, why={"same": 1.0}) if here and same else NOTHING
    best = compare(one.mention.text, entity.name, one.mention.kind, entity.kind) if not entity.aliases else NOTHING
    for alias in names_of(entity):
        found = compare(one.mention.text, alias.text, one.mention.kind, _mention(alias, entity).kind)
        if found.conflict:
            return found
        if found.score > best.score:
            best = found
    if entity.name != one.mention.text and all(alias.text != entity.name for alias in entity.aliases):
        found = compare(one.mention.text, entity.name, one.mention.kind, entity.kind)
        best = found if found.score > best.score and not found.conflict else best
    return best


def with_mention(entity: Entity, one: Named, *, now: datetime) -> Entity:
    """`entity` with one more mention: its alias counted and proved, its name, keys and dates brought up to it."""
    at = one.evidence.said_at or now
    kind = _alias_kind(one.mention.kind)
    aliases = list(entity.aliases)
    place = next((n for n, alias in enumerate(aliases) if alias.text == one.mention.text and alias.kind == kind), None)
    for alias in (Alias(text=one.mention.text, kind=kind, evidence=(one.evidence,)), *mark_aliases(one.marks, one.evidence)):
        _count(aliases, alias)
    entity_kind = entity.kind or (one.mention.kind if one.mention.kind not in EXACT else "")
    own = place is not None or entity.name not in {alias.text for alias in entity.aliases}
    return replace(
        entity,
        kind=entity_kind,
        aliases=tuple(aliases),
        name=entity.name if own else chosen_name(aliases, entity_kind),
        keys=entity.keys if place is not None else _merged_keys(entity.keys, keys_of_aliases(aliases, entity_kind)),
        first_seen=min(entity.first_seen, at),
        last_seen=max(entity.last_seen, at),
        trust=Trust.TRUSTED if Trust.TRUSTED in (entity.trust, one.trust) else Trust.UNTRUSTED,
    )


def _count(aliases: list[Alias], told: Alias) -> None:
    """One more telling of an alias."""
    place = next((n for n, alias in enumerate(aliases) if (alias.text, alias.kind) == (told.text, told.kind)), None)
    if place is None:
        aliases.append(told)
    elif told.evidence[0] not in aliases[place].evidence:
        held = aliases[place]
        aliases[place] = replace(held, count=held.count + 1, evidence=_kept((*held.evidence, *told.evidence)))


def entity_id(scope: Scope, one: Named, keys: Sequence[str], *, copy: int = 0) -> EntityId:
    """The id of the entity that this mention makes: the same for the same scope, kind, name and record."""
    parts = [str(scope), one.mention.kind, keys[0] if keys else one.mention.text, one.evidence.record, str(copy or "")]
    return EntityId(short_id("\0".join(parts)))


def _says(entity: Entity, mention: Mention) -> bool:
    """True when one of its names is this one, in whatever spelling."""
    return any(normal(one.text) == normal(mention.text) or forms(one.text) == forms(mention.text) for one in names_of(entity))


def _short(entity: Entity) -> bool:
    """True when none but names that many may share are known of it."""
    return all(_partial(_mention(alias, entity)) for alias in names_of(entity))


def _partial(mention: Mention) -> bool:
    """True for a name that many may share: one word of a person, a title with a surname, initials."""
    if mention.kind not in ("person", ""):
        return False
    name = person_name(mention.text)
    return not (name.given and name.surname) and (mention.kind == "person" or len(words(mention.text)) == 1)


def _contradict(one: Entity, other: Entity) -> bool:
    """True when some name of one cannot be the other's."""
    kinds = [(a, _mention(a, one).kind, b, _mention(b, other).kind) for a in names_of(one) for b in names_of(other)]
    return any(compare(a.text, b.text, kind, kind2).conflict for a, kind, b, kind2 in kinds)


def _kind_fits(kind: str, entity: Entity) -> bool:
    own = {alias.kind for alias in entity.aliases if alias.kind in EXACT}
    return kind not in EXACT or kind == "email" or kind in own or entity.kind == kind


def _mention(alias: Alias, entity: Entity) -> Mention:
    return Mention(text=alias.text, start=0, end=0, kind=entity.kind if alias.kind == "name" else alias.kind)


def _alias_kind(kind: str) -> str:
    return kind if kind in EXACT else "name"


def _kept(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    return evidence if len(evidence) <= FIRST_KEPT + LAST_KEPT else (*evidence[:FIRST_KEPT], *evidence[-LAST_KEPT:])


def _merged_keys(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))[:MOST_KEYS]
