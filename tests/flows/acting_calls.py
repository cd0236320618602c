"""One call of every verb that a credential may be given, by its name in the table of needs."""

from __future__ import annotations

from dataclasses import dataclass, field

from muniment import Registry, Scope, Turn
from muniment.knowledge.digests import ClaimKind, DigestClaim, Span
from muniment.scope.rules_needs import GROUPS, WITHHELD
from muniment.types import Record, RecordId

ABSENT = "a" * 16


@dataclass(frozen=True)
class Ids:
    """What a call may name: of one side, of the other, or of nobody."""

    record: str = ABSENT
    memory: str = ABSENT
    rule: str = ABSENT
    entities: tuple[str, ...] = (ABSENT, "b" * 16)
    merge: str = ABSENT
    token: str = "[email:aaaa]"
    digest: str = "0" * 64
    key: str = ABSENT
    conversation: str = "c1"
    run: str = "r9"
    records: tuple[Record, ...] = field(default=(), repr=False)


def registry():
    """An empty registry whose ids are the same every time."""
    numbers = iter(range(1000))
    return Registry(ids=lambda: f"b{next(numbers)}")


def claim(record):
    """What a digest might say of this record."""
    return DigestClaim(
        kind=ClaimKind.NAME, text="Ana", value="ana", weight=1.0, spans=(Span(record=RecordId(record), start=0, end=9),)
    )


def taught(_):
    return "Check the berth list before you promise one."


CALLS = {
    "ingest": lambda ids: {"turns": [Turn(text="My berth is number nine.", speaker="Ana", conversation=ids.conversation)]},
    "retrieve": lambda ids: {"query": "Which boat has the plan of Ana in Porto?", "limit": 4},
    "explain": lambda ids: {"query": "Which boat has the plan of Ana in Porto?", "record": ids.record},
    "assemble": lambda ids: {"message": "Which boat?", "budget": 400, "conversation": ids.conversation, "registry": registry()},
    "forget": lambda ids: {"ids": [ids.record]},
    "list": lambda ids: {"limit": 2},
    "get": lambda ids: {"record": ids.record},
    "stats": lambda ids: {},
    "export": lambda ids: {},
    "restore": lambda ids: {"records": ids.records},
    "doctor": lambda ids: {"repair": True},
    "reindex": lambda ids: {},
    "memories.list": lambda ids: {"inherited": True, "limit": 3},
    "memories.get": lambda ids: {"memory": ids.memory},
    "memories.history": lambda ids: {"memory": ids.memory},
    "memories.against": lambda ids: {"memory": ids.memory},
    "memories.share": lambda ids: {"memory": ids.memory},
    "memories.unshare": lambda ids: {"memory": ids.memory},
    "memories.audit": lambda ids: {},
    "memories.add": lambda ids: {"text": "Ana's boat is blue.", "subject": "Ana", "attribute": "boat", "value": "blue"},
    "memories.correct": lambda ids: {"query": "lives in Porto", "text": "Ana lives in Faro."},
    "memories.update": lambda ids: {"memory": ids.memory, "text": "Ana lives in Lagos."},
    "memories.retract": lambda ids: {"memory": ids.memory},
    "memories.restore": lambda ids: {"memory": ids.memory},
    "memories.hold": lambda ids: {"memory": ids.memory},
    "entities.list": lambda ids: {"limit": 2},
    "entities.find": lambda ids: {"name": "Ben Ortega"},
    "entities.show": lambda ids: {"entity": ids.entities[0]},
    "entities.review": lambda ids: {},
    "entities.merge": lambda ids: {"keep": ids.entities[0], "other": ids.entities[-1]},
    "entities.split": lambda ids: {"entity": ids.entities[0], "aliases": ["Ben"]},
    "entities.undo": lambda ids: {"merge": ids.merge},
    "decisions.list": lambda ids: {"inherited": True},
    "decisions.why": lambda ids: {"question": "Why did we choose Postgres?"},
    "decisions.precedents": lambda ids: {"question": "Why did we choose Postgres?"},
    "decisions.share": lambda ids: {"memory": ids.memory},
    "decisions.unshare": lambda ids: {"memory": ids.memory},
    "sharing.set": lambda ids: {"kind": "decision", "share": "none"},
    "sharing.current": lambda ids: {},
    "sharing.history": lambda ids: {},
    "feedback.give": lambda ids: {"used": [ids.record], "ignored": [ids.memory], "by": "agent"},
    "feedback.list": lambda ids: {},
    "digests.make": lambda ids: {"conversation": ids.conversation, "pinned": [ids.record] * (ids.record != ABSENT)},
    "digests.keep_up": lambda ids: {"conversation": ids.conversation, "budget": 60},
    "digests.list": lambda ids: {"conversation": ids.conversation, "versions": True},
    "digests.expand": lambda ids: {"claim": claim(ids.record)},
    "runs.load": lambda ids: {"registry": registry()},
    "runs.reflect": lambda ids: {
        "registry": registry(),
        "run": ids.run,
        "outcome": "it failed",
        "reflector": taught,
        "records": [ids.record],
    },
    "runs.count": lambda ids: {"success": True, "rule": ids.rule},
    "runs.rollback": lambda ids: {"registry": registry(), "run": ids.run},
    "sealed.reveal": lambda ids: {"tokens": [ids.token]},
    "sealed.blob": lambda ids: {"digest": ids.digest},
    "retention.sweep": lambda ids: {"confirm": True},
    "transfer.export": lambda ids: {"sealed": True},
    "transfer.restore": lambda ids: {"items": ids.records},
    "work.status": lambda ids: {"records": [ids.record]},
    "work.refused": lambda ids: {},
    "work.retry": lambda ids: {},
    "work.rederive": lambda ids: {},
    "work.wait": lambda ids: {},
    "work.backlog": lambda ids: {},
    "work.listen": lambda ids: {},
    "work.step": lambda ids: {},
    "work.follow": lambda ids: {"seconds": 0.0},
    "architecture.current": lambda ids: {"agent": "desk"},
    "architecture.history": lambda ids: {"agent": "desk"},
    "architecture.version": lambda ids: {"agent": "desk", "version": 1},
    "architecture.apply": lambda ids: {"architecture": "agent: desk\n"},
    "architecture.rollback": lambda ids: {"agent": "desk", "version": 1},
    "keys.create": lambda ids: {"permissions": ["read"]},
    "keys.list": lambda ids: {},
    "keys.revoke": lambda ids: {"key": ids.key},
}


def verbs_of(engine):
    """Every public verb of an engine and of its groups, by the names of the table; taken from the engine, not from the table."""
    found = {name for name in public(type(engine)) if name not in {"store", "tokens"}}
    for group, member in vars(engine).items():
        if type(member).__module__.startswith(GROUP_ROOMS) and group not in NO_GROUPS and not group.startswith("_"):
            found |= {f"{group}.{name}" for name in public(type(member))}
    return found


GROUP_ROOMS = (
    "muniment.curate",
    "muniment.forget",
    "muniment.architect",
    "muniment.ingest",
    "muniment.scope",
    "muniment.retrieve",
    "muniment.compact",
)
NO_GROUPS = {"index", "intake"}
"""Parts of the engine that stand in a room of verbs and are none of its groups."""


def public(kind):
    return [name for name, member in vars(kind).items() if not name.startswith("_") and callable(member)]


def of(ids, name, scope):
    """The words of a call: what it is given, and its scope where it has one."""
    given = CALLS[name](ids)
    place = "ceiling" if name == "keys.create" else "scope"
    bare = name.startswith("architecture.") or name in {"restore", "doctor", "reindex"} or name in WITHOUT_SCOPE
    return given if bare else {place: scope, **given}


WITHOUT_SCOPE = {"transfer.restore", "work.backlog", "work.listen", "work.step", "work.follow"}
__all__ = ["ABSENT", "CALLS", "GROUPS", "WITHHELD", "Ids", "Scope", "of", "registry", "verbs_of"]
