"""What changes for memory between two architectures, each change with how much it may cost.

Rule of this file: it compares meanings, not texts. What loses memories or loosens privacy is serious, whatever it is good for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum

from muniment.architect.rules_shapes import span_text
from muniment.architect.rules_wishes import STRICTNESS
from muniment.knowledge.architecture import Architecture, EntityRule, Keep, KindRule, Mode
from muniment.types import RUNGS


class Severity(StrEnum):
    """How much a change may cost: memories or privacy, what is remembered from now on, or neither."""

    SERIOUS = "serious"
    WARNING = "warning"
    NOTE = "note"


_GUARDS = ("untrusted_instruction", "recalled")
"""Refusals that keep strangers' orders, and the memory's own echo, out of memory."""

NOTE, WARNING, SERIOUS = Severity.NOTE, Severity.WARNING, Severity.SERIOUS


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change: where, what it was and is, what it does to memory, and how much it may cost."""

    path: str
    severity: Severity
    what: str
    old: str = ""
    new: str = ""


def diff(old: Architecture, new: Architecture) -> tuple[Change, ...]:
    """What changes for memory from `old` to `new`, the serious first; nothing when both mean the same."""
    changes = [
        *_head(old, new),
        *_kinds(old, new),
        *_entities(old, new),
        *_admission(old, new),
        *_pii("pii", old.pii, new.pii, (old.pii, new.pii)),
        *_settings("weights", old.weights, new.weights, "hits are ranked otherwise"),
        *_settings("question_weights", _by_question(old), _by_question(new), "hits of such questions are ranked otherwise"),
        *_settings("compaction", old.compaction, new.compaction, "histories are shortened otherwise"),
        *_settings("anticipation", old.anticipation, new.anticipation, "what is made ready changes"),
    ]
    order = tuple(Severity)
    return tuple(sorted(changes, key=lambda change: order.index(change.severity)))


def _by_question(one: Architecture) -> dict[str, float]:
    return {f"{kind}.{name}": value for kind, weights in one.question_weights.items() for name, value in weights.items()}


def _head(old: Architecture, new: Architecture) -> Iterator[Change]:
    if old.agent != new.agent:
        yield _changed("agent", NOTE, "these are rules of two agents", (old.agent, new.agent))
    if old.description != new.description:
        yield _changed("description", NOTE, "the agent is described otherwise", (old.description, new.description))
    if old.timezone != new.timezone:
        what = "dates that name no zone are meant in another one; what was dated stays as it is"
        yield _changed("timezone", WARNING, what, (old.timezone, new.timezone))
    if set(old.languages) != set(new.languages):
        fewer = bool(new.languages) and not (old.languages and set(old.languages) <= set(new.languages))
        what = "memories are made of fewer languages" if fewer else "memories are made of more languages"
        yield _changed("languages", WARNING if fewer else NOTE, what, (_list(old.languages), _list(new.languages)))
    if (old.mode, old.model) != (new.mode, new.model):
        sends = new.mode is not Mode.RULES and (old.mode is Mode.RULES or old.model != new.model)
        what = f"records are sent to {new.model} to be read" if sends else "memories are read out of records otherwise"
        names = tuple(f"{one.mode.value} {one.model}".strip() for one in (old, new))
        yield _changed("extraction", WARNING if sends else NOTE, what, (names[0], names[1]))
    if old.private_conversations and not new.private_conversations:
        what = "what was said in one conversation is seen in the user's others"
        yield _changed("private_conversations", SERIOUS, what, ("true", "false"))
    if new.private_conversations and not old.private_conversations:
        what = "what is said in one conversation is no longer seen in others"
        yield _changed("private_conversations", WARNING, what, ("false", "true"))


def _kinds(old: Architecture, new: Architecture) -> Iterator[Change]:
    before = {rule.name: rule for rule in old.kinds}
    after = {rule.name: rule for rule in new.kinds}
    for name, rule in before.items():
        if rule.enabled and not (name in after and after[name].enabled):
            what = "no memory of this kind is made any more; those there are stay until they expire"
            yield Change(path=f"kinds.{name}", severity=SERIOUS, what=what, old="kept", new="not kept")
    for name, rule in after.items():
        if rule.enabled and not (name in before and before[name].enabled):
            what = "memories of this kind are made from now on; earlier records are read for it when they are derived again"
            yield Change(path=f"kinds.{name}", severity=NOTE, what=what, old="not kept", new="kept")
        elif name in before:
            yield from _kind(f"kinds.{name}", before[name], rule)
            yield from _pii(f"kinds.{name}.pii", before[name].pii, rule.pii, (old.pii, new.pii))


def _kind(path: str, old: KindRule, new: KindRule) -> Iterator[Change]:
    if old.description != new.description:
        yield _changed(f"{path}.description", NOTE, "the kind is described otherwise", (old.description, new.description))
    yield from _lists(f"{path}.cues", (old.cues, new.cues), (NOTE, "speaks for this kind"), (NOTE, "no longer speaks for it"))
    yield from _lists(
        f"{path}.functional",
        (old.functional, new.functional),
        (WARNING, "holds one value now: a new one supersedes the old"),
        (WARNING, "gathers values now: a new one stands beside the old"),
    )
    yield from _lists(
        f"{path}.writers",
        (old.writers, new.writers),
        (WARNING, "may write this kind now"),
        (NOTE, "may no longer write this kind"),
    )
    yield from _lists(
        f"{path}.storage",
        (old.storage, new.storage),
        (NOTE, "is a channel it is found by now"),
        (WARNING, "is no channel it is found by any more"),
    )
    yield from _share(f"{path}.share", old.share, new.share)
    if old.share_up_to != new.share_up_to:
        yield from _share(f"{path}.share_up_to", old.share_ceiling, new.share_ceiling)
    earlier = "what was made before keeps its date until it is derived again"
    yield from _span(f"{path}.keep", (old.keep, new.keep), "after their last evidence", earlier)
    idle = "what was idle for longer fades with the next sweep"
    yield from _span(f"{path}.forget_unused", (old.forget_unused, new.forget_unused), "without being recalled", idle)


def _share(path: str, old: str, new: str) -> Iterator[Change]:
    order = ("", *reversed(RUNGS))
    if order.index(new) > order.index(old):
        yield _changed(path, SERIOUS, f"may be seen up to the {new} now", (old or "none", new))
    elif old != new:
        yield _changed(path, NOTE, "is shared less widely", (old, new or "none"))


def _span(path: str, spans: tuple[timedelta | None, timedelta | None], when: str, earlier: str) -> Iterator[Change]:
    old, new = spans
    if old == new:
        return
    shorter = new is not None and (old is None or new < old)
    what = f"memories expire {span_text(new)} {when}; {earlier}" if shorter else "memories live longer"
    yield _changed(path, SERIOUS if shorter else NOTE, what, (span_text(old), span_text(new)))


def _pii(
    path: str, old: Mapping[str, Keep], new: Mapping[str, Keep], elsewhere: Sequence[Mapping[str, Keep]]
) -> Iterator[Change]:
    """Changes of a policy; what it does not name is as `elsewhere` says, of the old and of the new."""
    for name in dict.fromkeys((*old, *new)):
        before = old.get(name, elsewhere[0].get(name, Keep.KEEP))
        after = new.get(name, elsewhere[1].get(name, Keep.KEEP))
        told = (before.value, after.value)
        if STRICTNESS.index(after) > STRICTNESS.index(before):
            yield _changed(f"{path}.{name}", NOTE, "is handled more strictly; what was written stays", told)
        elif before is not after:
            yield _changed(f"{path}.{name}", SERIOUS, "is handled less strictly", told)


def _entities(old: Architecture, new: Architecture) -> Iterator[Change]:
    before = {rule.name: rule for rule in old.entities}
    after = {rule.name: rule for rule in new.entities}
    for name in before.keys() - after.keys():
        yield Change(
            path=f"entities.{name}", severity=WARNING, what="names of this type are no longer linked", old="linked", new=""
        )
    for name, rule in after.items():
        if name in before:
            yield from _entity(f"entities.{name}", before[name], rule)
        else:
            yield Change(path=f"entities.{name}", severity=NOTE, what="names of this type are linked now", new="linked")


def _entity(path: str, old: EntityRule, new: EntityRule) -> Iterator[Change]:
    if old.description != new.description:
        yield _changed(f"{path}.description", NOTE, "the type is described otherwise", (old.description, new.description))
    if old.merge_at != new.merge_at:
        lower = new.merge_at < old.merge_at
        what = "names that are less alike are merged" if lower else "fewer names are merged"
        yield _changed(f"{path}.merge_at", WARNING if lower else NOTE, what, (f"{old.merge_at:g}", f"{new.merge_at:g}"))
    if old.review_at != new.review_at:
        told = (f"{old.review_at:g}", f"{new.review_at:g}")
        yield _changed(f"{path}.review_at", NOTE, "other pairs go to the review list", told)
    yield from _share(f"{path}.share", old.share, new.share)


def _admission(old: Architecture, new: Architecture) -> Iterator[Change]:
    before, after = old.admission, new.admission
    for name, looser, tighter in (
        ("confidence", "less sure statements are kept", "only surer statements are kept"),
        ("least_words", "shorter statements are kept", "short statements are refused"),
    ):
        was, now = getattr(before, name), getattr(after, name)
        if was != now:
            severity = WARNING if now < was else NOTE
            yield _changed(f"admission.{name}", severity, looser if now < was else tighter, (f"{was:g}", f"{now:g}"))
    if before.most_per_record != after.most_per_record:
        told = (str(before.most_per_record), str(after.most_per_record))
        what = "another number of memories is kept of one record at most"
        yield _changed("admission.most_per_record", NOTE, what, told)
    for change in _lists(
        "admission.refuse", (before.refuse, after.refuse), (NOTE, "is refused now"), (WARNING, "is no longer refused")
    ):
        yield replace(change, severity=SERIOUS) if change.old in _GUARDS else change


def _lists(
    path: str, lists: tuple[Sequence[str], Sequence[str]], added: tuple[Severity, str], removed: tuple[Severity, str]
) -> Iterator[Change]:
    old, new = lists
    for word in new:
        if word not in old:
            yield Change(path=path, severity=added[0], what=f"{word} {added[1]}", new=word)
    for word in old:
        if word not in new:
            yield Change(path=path, severity=removed[0], what=f"{word} {removed[1]}", old=word)


def _settings(path: str, old: Mapping[str, object], new: Mapping[str, object], what: str) -> Iterator[Change]:
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            told = tuple(str(one[name]) if name in one else "as usual" for one in (old, new))
            yield _changed(f"{path}.{name}", NOTE, what, (told[0], told[1]))


def _changed(path: str, severity: Severity, what: str, told: tuple[str, str]) -> Change:
    return Change(path=path, severity=severity, what=what, old=told[0], new=told[1])


def _list(words: Iterable[str]) -> str:
    return ", ".join(words) or "any"
