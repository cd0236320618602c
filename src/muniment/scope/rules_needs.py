"""Which permission each verb of the engine needs, and where it takes its scope from: the one table of it.

Rule of this file: pure. What does not stand here is refused to every credential, so a new verb is closed until somebody opens it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from muniment.knowledge.credentials import Permission

READ, WRITE, SHARE, ERASE, ADMINISTER = Permission


class Reach(Enum):
    """What a verb is about, and so what must lie inside the ceiling."""

    SCOPE = "the scope it is given"
    SCOPE_OR_STORE = "the scope it is given, or the whole store without one"
    CLIENT = "the client it is given, or all without one"
    ITEMS = "the scope of every item it is given"
    STORE = "the whole store"


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What one verb needs.

    `scope` names the parameter that holds its scope, or the items that each have one. `changes` names parameters that hold ids of
    memories which it changes: a memory above the ceiling may be read, not changed. `grants` names the parameter that holds
    permissions it hands on. The answer of a `mute` verb is about the whole store, and is None for a credential with a ceiling.
    """

    permission: Permission
    reach: Reach = Reach.SCOPE
    scope: str = "scope"
    changes: tuple[str, ...] = ()
    grants: str = ""
    mute: bool = False


def _all(permission: Permission, names: str, *, reach: Reach = Reach.SCOPE, changes: str = "") -> dict[str, Need]:
    return {name: Need(permission=permission, reach=reach, changes=tuple(changes.split())) for name in names.split()}


NEEDS: Mapping[str, Need] = MappingProxyType(
    {
        **_all(READ, "retrieve explain assemble list get"),
        **_all(READ, "stats export", reach=Reach.SCOPE_OR_STORE),
        **_all(WRITE, "ingest"),
        **_all(ERASE, "forget"),
        "restore": Need(permission=ADMINISTER, reach=Reach.ITEMS, scope="records"),
        **_all(ADMINISTER, "doctor reindex", reach=Reach.STORE),
        **_all(READ, "memories.list memories.get memories.history memories.against memories.audit"),
        **_all(WRITE, "memories.add"),
        **_all(WRITE, "memories.correct", changes="query"),
        **_all(WRITE, "memories.update memories.retract memories.restore", changes="memory"),
        **_all(ADMINISTER, "memories.hold", changes="memory"),
        **_all(READ, "entities.list entities.find entities.show entities.review"),
        **_all(WRITE, "entities.merge entities.split entities.undo"),
        **_all(READ, "decisions.list decisions.why decisions.precedents"),
        **_all(SHARE, "memories.share decisions.share"),
        **_all(SHARE, "memories.unshare decisions.unshare", changes="memory"),
        **_all(READ, "sharing.current sharing.history"),
        **_all(ADMINISTER, "sharing.set"),
        **_all(WRITE, "feedback.give"),
        **_all(READ, "feedback.list"),
        **_all(READ, "digests.make digests.list digests.expand"),
        **_all(WRITE, "digests.keep_up"),
        **_all(READ, "runs.load"),
        **_all(WRITE, "runs.reflect"),
        **_all(WRITE, "runs.count", changes="rule"),
        **_all(ERASE, "runs.rollback"),
        **_all(ADMINISTER, "sealed.reveal"),
        **_all(READ, "sealed.blob"),
        **_all(ERASE, "retention.sweep", reach=Reach.SCOPE_OR_STORE),
        **_all(ADMINISTER, "transfer.export", reach=Reach.SCOPE_OR_STORE),
        "transfer.restore": Need(permission=ADMINISTER, reach=Reach.ITEMS, scope="items"),
        **_all(READ, "work.status work.refused"),
        **_all(ADMINISTER, "work.retry work.rederive"),
        **_all(ADMINISTER, "work.backlog work.listen work.follow work.step", reach=Reach.STORE),
        "work.wait": Need(permission=READ, reach=Reach.SCOPE_OR_STORE, mute=True),
        **_all(READ, "architecture.current architecture.history architecture.version", reach=Reach.CLIENT),
        **_all(ADMINISTER, "architecture.apply architecture.rollback", reach=Reach.CLIENT),
        "keys.create": Need(permission=ADMINISTER, reach=Reach.SCOPE_OR_STORE, scope="ceiling", grants="permissions"),
        **_all(ADMINISTER, "keys.list keys.revoke", reach=Reach.SCOPE_OR_STORE),
    }
)
"""By name, `group.method` for those of a group."""

WITHHELD = frozenset(
    {
        "close",
        "acting",
        "work.served",
        "work.nudge",
        "work.room",
        "work.close",
        "keys.check",
        "keys.still_holds",
        "digests.history",
    }
)
"""What is public and yet no verb of a credential: what opens and closes, what the rooms say to each other, what checks keys."""

GROUPS = frozenset(name.partition(".")[0] for name in NEEDS if "." in name)
