"""What an answer says of itself: how the question was read, how close the answer comes, what gave way, how sure it is.

Rule of this file: pure; sentences and one number, made of what ranking found. It ranks nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.bundle import Hit
from muniment.retrieve.joined import Joined
from muniment.retrieve.rules import Question, Ranking
from muniment.retrieve.rules_confidence import HELD
from muniment.retrieve.rules_rungs import told_overruled
from muniment.retrieve.rules_sources import Spread, told_sources
from muniment.retrieve.rules_succession import told

CLOSE = 0.3
"""Relevance under which a hit is more likely chance than an answer; `CLOSE_UNSAID` when no record holds a word of the query."""
CLOSE_UNSAID = 0.4
SHOWN = 10


def told_blank(ranking: Ranking) -> str:
    """How many passages meaning could not find."""
    return (
        f"{ranking.blank} passages have no vector and were found by words alone; `muniment doctor --repair` adds them."
        if ranking.blank
        else ""
    )


def _least(question: Question, ranking: Ranking) -> float:
    """The relevance under which an answer is more likely chance."""
    unsaid = bool(question.terms) and len(ranking.unheld) >= len(question.terms)
    return CLOSE_UNSAID if unsaid else CLOSE


def told_question(question: Question, ranking: Ranking, threshold: float, *, found: bool) -> tuple[str, ...]:
    """How the question was read and how close the answer comes, in sentences."""
    lines = []
    if ranking.speakers:
        lines.append(f"About what these said: {', '.join(ranking.speakers)}.")
    if question.windows:
        asked = " or ".join(f"{window} ({window.words})" for window in question.windows)
        said = f"{ranking.inside} passages were said then" if ranking.inside else "nothing was said then"
        nearest = f"; the nearest is of {ranking.nearest:%Y-%m-%d}" if ranking.nearest else ""
        lines.append(f"Asked about {asked}: {said}{nearest}.")
    if not question.terms and not question.windows:
        lines.append("The query holds no word to look for.")
    if ranking.below:
        lines.append(f"{ranking.below} records were below the threshold of {threshold:g}.")
    if ranking.unheld:
        lines.append(f"In no record: {', '.join(ranking.unheld[:SHOWN])}{', …' if len(ranking.unheld) > SHOWN else ''}.")
    if not ranking.ranked and not found:
        lines.append(
            "Nothing found: no record holds a word of the query or comes near its meaning; nothing is known here about it."
        )
    elif ranking.ranked and max(one.relevance for one in ranking.ranked) < _least(question, ranking):
        lines.append("Low confidence: nothing here comes close to the query.")
    return tuple(lines)


def told_of_sources(wide: Spread | None, each: Spread, hits: Sequence[Hit]) -> list[str]:
    """What stands for several, and what gave way to other sources."""
    copies = {**each.copies, **(wide.copies if wide else {})}
    return told_sources(copies, [hit.record.id for hit in hits], each.surplus if each.gave_way else ())


def confidence(ranking: Ranking, joined: Joined, hits: Sequence[Hit]) -> float:
    """That of the ranking; of what holds now in the very place asked for, when it comes first."""
    if not hits:
        return 0.0
    answers = any(memory.id in joined.held for memory in hits[0].memories)
    return max(ranking.confidence, HELD) if answers else ranking.confidence


def gave_way(joined: Joined, hits: Sequence[Hit]) -> list[str]:
    """What no longer holds among the hits and what took its place, and what holds on a wider rung but not for who asks."""
    shown = {memory.id for hit in hits for memory in hit.memories}
    gone = [told(chain) for chain in joined.chains if any(memory.id in shown for memory in chain)]
    return [*gone, *told_overruled(joined.overruled, shown)][:SHOWN]
