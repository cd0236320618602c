"""What took the place of what: chains of memories that replaced each other, and which one of a chain a question asks for.

Rule of this file: pure. What took another's place answers what that would have answered, so it inherits its score; what gave way
stays findable, behind it, unless the question is about what was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from muniment.knowledge.values import Memory, MemoryId, Status
from muniment.text.terms import terms
from muniment.text.times import Window
from muniment.types import RecordId

_HELD = (Status.CURRENT, Status.SUPERSEDED, Status.NOT_YET)
_TIED = (*_HELD, Status.RETRACTED)
_BEGINNING = datetime(1, 1, 1, tzinfo=UTC)
_END = datetime(9999, 12, 31, tzinfo=UTC)

Chain = tuple[Memory, ...]
"""Memories that replaced each other, the first one first."""


def chains(memories: Iterable[Memory]) -> list[Chain]:
    """The chains among these memories; what replaced nothing and was not replaced stands in none.

    What was taken back ties what stood before it to what took its place, and is itself in no chain: it never was so.
    """
    known = {memory.id: memory for memory in memories if memory.status in _TIED}
    beside: dict[MemoryId, set[MemoryId]] = {one: set() for one in known}
    for memory in known.values():
        ties = (*memory.replaces, *((memory.replaced_by,) if memory.replaced_by else ()))
        for other in known.keys() & set(ties):
            beside[memory.id].add(other)
            beside[other].add(memory.id)
    found: list[Chain] = []
    seen: set[MemoryId] = set()
    for start in known:
        if start in seen or not beside[start]:
            continue
        together, reach = {start}, [start]
        while reach:
            reach = [other for one in reach for other in beside[one] if other not in together]
            together.update(reach)
        seen |= together
        found.append(tuple(sorted((known[one] for one in together if known[one].status in _HELD), key=_place)))
    return [chain for chain in found if len(chain) > 1]


def asked_of(
    chain: Chain,
    about: Collection[str],
    words: Collection[str],
    windows: Sequence[Window] = (),
    *,
    held: Sequence[Window] = (),
) -> Chain:
    """Which of a chain the question asks for: what holds, what was at first or before, or what brought the change.

    `about` is how the question was read, `words` its terms: a value that it names tells which change, or before which. Of
    `windows`, the stretches of time it names, what held there is asked for, the longest where several did; of `held`, where it
    says that it asks for nothing else, nothing where nothing did.
    """
    if held:
        return _asked_then(then, (), held) if (then := _held_in(chain, held)) else ()
    if then := _held_in(chain, windows):
        return _asked_then(then, about, windows)
    named = [at for at, memory in enumerate(chain) if _named(memory, words)]
    if "first" in about:
        return chain[:1]
    if "past" in about:
        before = max((named[0] if named else len(chain) - 1) - 1, 0)
        return chain[before : before + 1]
    if "change" in about or "when" in about:
        brought = [at for at in named if chain[at].replaces] or [min(at + 1, len(chain) - 1) for at in named]
        at = brought[-1] if brought else len(chain) - 1
        return chain[at : at + 1]
    began = tuple(memory for memory in chain if memory.status is not Status.NOT_YET)
    return tuple(memory for memory in began if memory.status is Status.CURRENT) or began[-1:]


def _asked_then(then: Sequence[tuple[Memory, timedelta]], about: Collection[str], windows: Sequence[Window]) -> Chain:
    """Which of what held in the windows is asked for; each comes with how long it held there."""
    if "first" in about:
        return (then[0][0],)
    if "change" in about or "when" in about:
        began = [memory for memory, _ in then if memory.replaces and _began_in(memory, windows)]
        if began:
            return (began[-1],)
    return (max(reversed(then), key=lambda one: one[1])[0],)


def _held_in(chain: Chain, windows: Sequence[Window]) -> list[tuple[Memory, timedelta]]:
    """The memories of a chain that held in one of the windows, and how long; a month of any year is no window here."""
    named = [window for window in windows if window.since or window.until]
    if not named:
        return []
    starts = [since(memory) or _BEGINNING for memory in chain]
    ends = [memory.valid_to or after for memory, after in zip(chain, [*starts[1:], _END], strict=True)]
    held = []
    for memory, start, end in zip(chain, starts, ends, strict=True):
        lengths = [min(end, window.until or _END) - max(start, window.since or _BEGINNING) for window in named]
        if (longest := max(lengths)) > timedelta(0):
            held.append((memory, longest))
    return held


def held_in(memory: Memory, windows: Sequence[Window]) -> bool:
    """Whether a memory is not known to have held outside of all these stretches of time alone."""
    return bool(_held_in((memory,), windows))


def _began_in(memory: Memory, windows: Sequence[Window]) -> bool:
    at = since(memory) or _BEGINNING
    return any((window.since or _BEGINNING) <= at < (window.until or _END) for window in windows if window.since or window.until)


def lifts(
    scores: Mapping[RecordId, float], proves: Mapping[RecordId, Sequence[Memory]], asked: Sequence[tuple[Chain, Chain]]
) -> dict[RecordId, float]:
    """The score each record starts from: the best of its chain's, if it proves what is asked for of it.

    `scores` are by record, `proves` what each proves; `asked` are chains with what the question asks for of each.
    """
    lifted = dict(scores)
    for chain, wanted in asked:
        whole, best = {memory.id for memory in chain}, {memory.id for memory in wanted}
        there = {record: {m.id for m in proves.get(record, ())} for record in scores}
        highest = max((scores[record] for record, ids in there.items() if ids & whole), default=0.0)
        for record, ids in there.items():
            if ids & best:
                lifted[record] = max(lifted[record], highest)
    return lifted


def told(chain: Chain) -> str:
    """How a chain came to what holds, in a sentence."""
    last = chain[-1]
    steps = [f"{memory.value or memory.text}{_since(memory)}" for memory in chain]
    what = f"{last.attribute.replace('_', ' ').replace(':', ' ')} of {last.subject}" if last.attribute else last.subject
    return f"{what}: {steps[0]}, superseded by {', then by '.join(steps[1:])}."


def _since(memory: Memory) -> str:
    at = since(memory)
    if memory.status is Status.NOT_YET:
        return f" ({f'{at:%Y-%m-%d}, ' if at else ''}not yet then)"
    return f" ({at:%Y-%m-%d})" if memory.replaces and at else ""


def since(memory: Memory) -> datetime | None:
    """From when on a memory holds, as far as it is known: as it tells, or else since it was said."""
    event = memory.event.since if memory.event else None
    return memory.valid_from or event or memory.said_at


def _place(memory: Memory) -> tuple[datetime, datetime, int]:
    return since(memory) or _BEGINNING, memory.recorded_at, memory.seq


def _named(memory: Memory, words: Collection[str]) -> bool:
    value = set(terms(memory.value))
    return bool(value) and value <= set(words)
