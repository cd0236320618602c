"""What narrows a list of memories, decisions or entities, read from a mapping or checked as it is.

Rule of this file: pure. The grammar is that of `text/filters.py`; here stand the keys, and what they are compared with.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from muniment.curate.rules_asked import check_ids, check_member, check_statuses, check_time, unfit
from muniment.errors import QueryError, shown
from muniment.knowledge.values import Entity, MemoryFilter, Status
from muniment.text.filters import Read, member, moment, one_of, read_where, single, text
from muniment.types import Filter, Trust

MemoryWhere = MemoryFilter | Mapping[str, object] | None
"""What narrows a read of memories: a MemoryFilter, or a mapping of the keys of `MEMORY_KEYS` and `metadata.NAME`."""
EntityWhere = Mapping[str, object] | None
"""What narrows a list of entities: a mapping of the keys of `ENTITY_KEYS`."""

MEMORY_KEYS: Final[Mapping[str, Read]] = {
    "kind": text,
    "status": member(Status),
    "subject": single,
    "attribute": text,
    "speaker": text,
    "agent": text,
    "conversation": text,
    "entity": single,
    "record": single,
    "trust": member(Trust),
    "since": moment,
    "until": moment,
    "valid_at": moment,
    "known_at": moment,
    "text": single,
}
DECISION_KEYS: Final = {key: read for key, read in MEMORY_KEYS.items() if key not in {"kind", "status"}}
"""Kind and status of decisions are asked for apart."""
ENTITY_KEYS: Final[Mapping[str, Read]] = {"kind": text, "trust": member(Trust), "since": moment, "until": moment}

_PLURALS = {"kind": "kinds", "status": "statuses"}


def check_memory_filter(value: object, keys: Mapping[str, Read] = MEMORY_KEYS) -> MemoryFilter:
    """A MemoryFilter of usable fields as it is, a mapping as it is read, and one that asks for what is current for nothing.

    Raises QueryError naming the field: another type, an unknown key, status or trust, a time without a zone.
    """
    if not isinstance(value, MemoryFilter):
        found = read_where(value, keys)
        for key in _PLURALS.keys() & found.keys():
            each = found.pop(key)
            found[_PLURALS[key]] = each if isinstance(each, tuple) else (each,)
        return MemoryFilter(**found)  # type: ignore[arg-type]  # each was read as its field
    for place in ("subject", "entity", "record", "text"):
        if not isinstance(given := getattr(value, place), str | None):
            raise unfit(place, given, "Give text, or leave it out.")
    for place in ("since", "until", "valid_at", "known_at"):
        check_time(place, getattr(value, place))
    plain = Filter(conversation=value.conversation, agent=value.agent, speaker=value.speaker, metadata=value.metadata)
    trust = value.trust if isinstance(value.trust, tuple) else () if value.trust is None else (value.trust,)
    return replace(
        value,
        kinds=check_ids("kinds", value.kinds),
        statuses=check_statuses(value.statuses),
        conversation=plain.conversation,
        agent=plain.agent,
        speaker=plain.speaker,
        metadata=plain.metadata,
        attribute=_texts("attribute", value.attribute),
        trust=tuple(check_member("trust", Trust, one) for one in trust) or None,
    )


def _texts(place: str, value: object) -> str | tuple[str, ...] | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple) and value:
        return check_ids(place, value)
    raise unfit(place, value, "Give text, or leave it out.")


def check_decision_filter(value: object) -> MemoryFilter:
    """What narrows a list of decisions, whose kind and status are asked for apart. Raises QueryError."""
    asked = check_memory_filter(value, DECISION_KEYS)
    for place in ("kinds", "statuses"):
        if getattr(asked, place) != getattr(MemoryFilter(), place):
            hint = "Give them beside the filter, as kind=… and statuses=…."
            raise QueryError(f"{place} of decisions are not asked for here.", place=place, code="unknown_filter", hint=hint)
    return asked


def check_entity_filter(value: object) -> Mapping[str, object]:
    """What narrows a list of entities, by key. Raises QueryError."""
    return read_where(value, ENTITY_KEYS, metadata=False)


def entity_passes(entity: Entity, where: Mapping[str, object]) -> bool:
    """Whether the filter lets the entity through; `since` and `until` bound when it was last seen."""
    since, until = where.get("since"), where.get("until")
    return (
        one_of(where.get("kind"), entity.kind)
        and one_of(where.get("trust"), entity.trust)
        and (since is None or entity.last_seen >= since)  # type: ignore[operator]  # read as a time
        and (until is None or entity.last_seen < until)  # type: ignore[operator]
    )


def kind_unknown(kind: str, known: Collection[str]) -> QueryError:
    """The error for a kind of memory that is in no architecture here and of which nothing is kept."""
    return QueryError(
        f"{shown(kind)} is no kind of memory here.",
        place="kind",
        code="kind_unknown",
        hint=f"The kinds are {', '.join(known)}. For a kind of another agent's rules, name the agent in the filter too.",
    )
