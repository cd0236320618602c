"""What an answer says of itself: how the question was read, how close the answer comes, what gave way, how sure it is.

Rule of this file: pure; sentences and one number, made of what ranking found. It ranks nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from muniment.bundle import Answered, Hit, Listing
from muniment.knowledge.values import SELF, Memory
from muniment.retrieve.joined import Joined
from muniment.retrieve.rules import Question, Ranking
from muniment.retrieve.rules_confidence import HELD
from muniment.retrieve.rules_rungs import told_overruled
from muniment.retrieve.rules_slots import fills
from muniment.retrieve.rules_sources import Spread, told_sources
from muniment.retrieve.rules_succession import told
from muniment.retrieve.several import Searched
from muniment.retrieve.walk import Walk
from muniment.retrieve.words_listed import ASKING
from muniment.retrieve.words_slots import OF_ITS_TIME
from muniment.text.terms import question_terms
from muniment.types import Filter, words_of

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


def told_lost(lost: int) -> str:
    """How many records, among what was to be read, could not be."""
    return f"{lost} records could not be read; run the doctor." if lost else ""


def told_budget(over: int, budget: int | None) -> list[str]:
    """How many hits were passed over for the budget."""
    return [f"Hits that did not fit into {budget} tokens: {over}."] if over else []


def _least(question: Question, ranking: Ranking) -> float:
    """The relevance under which an answer is more likely chance."""
    unsaid = bool(question.terms) and len(ranking.unheld) >= len(question.terms)
    return CLOSE_UNSAID if unsaid else CLOSE


def read_otherwise(question: Question) -> frozenset[str]:
    """The words of a question that were read as its time, its count or its list, and are not looked for in what was said."""
    times = " ".join(window.words for window in (*question.windows, *question.held))
    dates = (term.word for term in question_terms(times))
    return frozenset([*f"{times} {OF_ITS_TIME} {ASKING}".casefold().split(), *dates])


def told_question(
    question: Question, ranking: Ranking, threshold: float, *, found: bool, askers: Sequence[str] = ()
) -> tuple[str, ...]:
    """How the question was read and how close the answer comes, in sentences. `askers` are who speaks there as the user."""
    lines = []
    if ranking.speakers:
        lines.append(f"About what these said: {', '.join(ranking.speakers)}.")
    elif question.of_assistant:
        lines.append(f"“{question.of_assistant}” was read as what the assistant said.")
    elif names := _named(question, askers):
        lines.append(f"“{question.of_oneself}” was read as {names}.")
    if question.windows:
        asked = " or ".join(f"{window} ({window.words})" for window in question.windows)
        said = f"{ranking.inside} passages were said then" if ranking.inside else "nothing was said then"
        nearest = f"; the nearest is of {ranking.nearest:%Y-%m-%d}" if ranking.nearest else ""
        lines.append(f"Asked about {asked}: {said}{nearest}.")
    if question.held:
        lines.append(f"Asked of what held then: {' or '.join(f'{window} ({window.words})' for window in question.held)}.")
    if not question.terms and not question.windows:
        lines.append("The query holds no word to look for.")
    if ranking.below:
        lines.append(f"Records below the threshold of {threshold:g}: {ranking.below}.")
    if unheld := [word for word in ranking.unheld if word not in read_otherwise(question)]:
        lines.append(f"In no record: {', '.join(unheld[:SHOWN])}{', …' if len(unheld) > SHOWN else ''}.")
    if not ranking.ranked and not found and not ranking.below:
        lines.append(
            "Nothing found: no record holds a word of the query or comes near its meaning; nothing is known here about it."
        )
    return tuple(lines)


def _told_far(question: Question, ranking: Ranking) -> list[str]:
    """That no record comes close, where none does."""
    far = bool(ranking.ranked) and max(one.relevance for one in ranking.ranked) < _least(question, ranking)
    return ["Low confidence: nothing here comes close to the query."] if far else []


def _named(question: Question, askers: Sequence[str]) -> str:
    """Who the question was taken to be about, where it does not go without saying."""
    names = [name for name in askers if name != SELF]
    if not question.of_oneself or (not names and " " not in question.of_oneself):
        return ""
    return f"the user ({', '.join(names[:SHOWN])})" if names else "whoever speaks as the user"


def told_query(one: Searched, number: int, hits: Sequence[Hit], threshold: float) -> Answered:
    """How query `number` was read, and how sure its answer is among these hits."""
    own = [hit for hit in hits if number in hit.queries]
    found = one.found
    sure = _confidence(found.question, found.ranking, one.joined, own)
    return Answered(
        query=one.query,
        confidence=sure,
        explanation=(
            *told_question(found.question, found.ranking, threshold, found=bool(own), askers=found.speakers),
            *(_told_far(found.question, found.ranking) if sure < HELD else ()),
            *told_walk(one.walk),
            *(_told_listing(one.listing) if one.listing else ()),
        ),
        listing=one.listing,
    )


def told_walk(walk: Walk) -> list[str]:
    """Which entities the question was read as naming, where a walk from them led to anything."""
    return [f"Read as naming {', '.join(walk.named[:SHOWN])}."] if walk.named and walk.paths else []


def _told_listing(listing: Listing) -> list[str]:
    counted = f"Counted in memories: {listing.count}{'' if listing.complete else ' at least'} (by {listing.selected})."
    return [*([counted] if listing.count else []), *listing.notes]


def told_as_of(where: Filter, *, wall: datetime) -> list[str]:
    """At which moment of which clock it was asked, beside what the clock on the wall shows."""
    known, valid = where.known_at, where.valid_at
    parts = [f"as it was known at {known.astimezone(UTC):%Y-%m-%d %H:%M} UTC"] if known else []
    parts += [f"of what held at {valid.astimezone(UTC):%Y-%m-%d %H:%M} UTC"] if valid else []
    return [f"Asked {' and '.join(parts)}; it is {wall.astimezone(UTC):%Y-%m-%d %H:%M} UTC now."] if parts else []


def told_of_queries(answered: Sequence[Answered]) -> list[str]:
    """What is told of each query; of several, by their numbers."""
    several = len(answered) > 1
    return [f"query[{n}]: {line}" if several else line for n, one in enumerate(answered) for line in one.explanation]


def told_of_sources(wides: Sequence[Spread | None], each: Spread, hits: Sequence[Hit]) -> list[str]:
    """What stands for several, and what gave way to other sources."""
    copies = dict(each.copies)
    for wide in wides:
        copies |= wide.copies if wide else {}
    gave = each.gave_way or any(wide is not None and wide.gave_way for wide in wides)
    return told_sources(copies, [hit.record.id for hit in hits], each.surplus if gave else ())


def _confidence(question: Question, ranking: Ranking, joined: Joined, hits: Sequence[Hit]) -> float:
    """That of the ranking; of what fills the very place asked for, when it comes first and tells all else that is asked."""
    if not hits:
        return 0.0
    first = hits[0]
    read = [words_of(first.record), *(window.words for window in question.windows)]
    answers = any(
        fills(question.terms, memory, " ".join([*read, *_around(memory, joined)]))
        for memory in first.memories
        if memory.id in joined.filling
    )
    return max(ranking.confidence, HELD) if answers else ranking.confidence


def _around(memory: Memory, joined: Joined) -> list[str]:
    """What stood in its place before and after it, by which a question may tell which it means."""
    return [one.value for chain in joined.chains if memory in chain for one in chain if one.value]


def gave_way(joined: Joined, hits: Sequence[Hit]) -> list[str]:
    """What no longer holds among the hits and what took its place, and what holds on a wider rung but not for who asks."""
    shown = {memory.id for hit in hits for memory in hit.memories}
    gone = [told(chain) for chain in joined.chains if any(memory.id in shown for memory in chain)]
    return [*gone, *told_overruled(joined.overruled, shown)][:SHOWN]
