"""How entities look: one a line in a list; one in full with its names and what is told of it; pairs that were left open."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from muniment.cli.memories_view import show_memories
from muniment.cli.output import GOOD, MARK, SOFT, STRONG, WARN, Screen
from muniment.cli.paint import cells
from muniment.cli.views import DOT, INDENT, ago, count, moment, show_facts, stamp
from muniment.cli.visible import one_line
from muniment.curate.entities import Joined, Open, Shown
from muniment.knowledge.entities import names_of
from muniment.knowledge.values import Entity, Merge

_WIDEST: Final = 24


def show_entities(screen: Screen, entities: Sequence[Entity]) -> None:
    """One line per entity; in a pipe: id, last seen, type, name, other names, separated by tabs."""
    if not screen.wraps:
        for entity in entities:
            fields = [entity.id, stamp(entity.last_seen), one_line(entity.kind), one_line(entity.name), _others(entity)]
            screen.line("\t".join(fields))
        return
    ids = max((cells(entity.id) for entity in entities), default=2)
    for entity in entities:
        others = _others(entity)
        screen.clipped(
            (entity.id, MARK),
            " " * (ids - cells(entity.id) + 2),
            (one_line(entity.name), STRONG),
            (DOT + one_line(entity.kind) if entity.kind else "", SOFT),
            (f"{DOT}also {others}" if others else "", SOFT),
        )


def _others(entity: Entity) -> str:
    return ", ".join(one_line(alias.text) for alias in names_of(entity) if alias.text != entity.name)


def show_entity(screen: Screen, shown: Shown, now: datetime) -> None:
    """Everything about one entity; a terminal is told how long before `now` it was seen last."""
    entity, reckoned = shown.entity, now if screen.wraps else None
    screen.line((one_line(entity.name), STRONG), (DOT + one_line(entity.kind) if entity.kind else "", SOFT))
    merged = f"{shown.asked} was merged into it" if shown.asked != entity.id else ""
    facts = [
        ("id", entity.id),
        ("asked for", merged),
        ("scope", str(entity.scope)),
        (
            "seen",
            f"{moment(entity.first_seen)} to {moment(entity.last_seen)} UTC{ago(entity.last_seen, reckoned)}",
        ),
        ("names", ", ".join(f"{alias.text} ({alias.count})" for alias in names_of(entity))),
        ("told apart by", ", ".join(alias.text for alias in entity.aliases if alias not in names_of(entity))),
        ("holds", ", ".join(f"{part.name} ({part.id})" for part in shown.parts)),
    ]
    show_facts(screen, [(name, value) for name, value in facts if value])
    if shown.memories:
        screen.gap()
        show_memories(screen, shown.memories, now)
    if shown.merges:
        screen.gap()
        for merge in shown.merges:
            screen.line((merge.id, MARK), f"  {_state(merge)}  ", (_why(merge), SOFT))


def _state(merge: Merge) -> str:
    if not merge.decided:
        return "open pair"
    told = "undone" if merge.undone else "merged"
    return f"{told} by {one_line(merge.by)}" if merge.by else told


def _why(merge: Merge) -> str:
    parts = ", ".join(f"{one_line(name)} {part:.2f}" for name, part in merge.why.items())
    return f"{merge.score:.2f}" + (f" ({parts})" if parts else "")


def show_joined(screen: Screen, joined: Joined, *, done: str) -> None:
    """What a change by hand did, and how to take it back."""
    screen.line((f"{done}: ", GOOD), (one_line(joined.kept.name), STRONG), f" and {one_line(joined.other.name)}")
    for entity in (joined.kept, joined.other):
        screen.line(f"{entity.id}  ", (", ".join(one_line(alias.text) for alias in entity.aliases), SOFT), indent=INDENT)
    if joined.other.merged_into and not joined.merge.undone:
        screen.line((f"to part them: muniment entities undo {joined.merge.id}", SOFT), indent=INDENT)


def show_open(screen: Screen, pairs: Sequence[Open]) -> None:
    """Each pair with the parts of its score and both ways to close it."""
    for pair in pairs:
        screen.line((one_line(pair.kept.name), STRONG), " or ", (one_line(pair.other.name), STRONG), f"?  {_why(pair.merge)}")
        screen.line((f"one:  muniment entities merge {pair.kept.id} {pair.other.id}", SOFT), indent=INDENT)
        screen.line((f"two:  muniment entities undo {pair.merge.id}", SOFT), indent=INDENT)
    if pairs:
        screen.line((f"{count(len(pairs), 'pair')} left open", WARN))
