"""Which turns of a conversation a prompt shows word for word, and in which parts the older ones are shortened.

Rule of this file: pure, and of the turns and digests alone, so that the same conversation is laid out alike each time. The border
between the two moves a whole part at a time: from turn to turn the front of the prompt stays as it is. A call and its results are
never parted, and neither are a question and its answer where that can be helped.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from muniment.compact.rules_levels import AGGRESSIVE, BALANCED, SHARES
from muniment.knowledge.digests import Digest
from muniment.types import Record, Role

OFF = "off"
_SHARE, _TURNS, _THRESHOLD = 0.5, 4, 0.8
_PAST = 0.4
"""The part of the history's room that digests may take."""
_FRESH = 0.5
"""The part of that which digests take as they were made first; older ones are made shorter."""
_LONGEST = 2
"""How many times its size a part may have, to end where somebody speaks anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How a history is shortened: the level, the share of a prompt above which it is, how many turns stay whatever they take."""

    level: str = BALANCED
    share: float = _SHARE
    keep_turns: int = _TURNS
    threshold: float = _THRESHOLD

    @property
    def reads(self) -> float:
        """How many times the history's room is read of a conversation: what stays, and what the digests that fit are made of."""
        return 1 + _PAST / SHARES.get(self.level, SHARES[BALANCED])


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What is shown: `past` digests and `turns`, oldest first. `wanted` is to be made before, `aged` to be made anew, shorter."""

    past: tuple[Digest, ...]
    turns: tuple[Record, ...]
    wanted: tuple[tuple[Record, ...], ...] = ()
    aged: tuple[Digest, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A conversation as far back as it was read, oldest first, with what each turn takes; whether that is all of it."""

    turns: Sequence[Record]
    costs: Sequence[int]
    complete: bool


def policy_of(settings: Mapping[str, str]) -> Policy | None:
    """What an architecture says of compaction; None where it is off."""
    level = settings.get("strategy", BALANCED)
    if level == OFF:
        return None
    given = Policy(level=level)
    return replace(
        given,
        share=float(settings.get("share", given.share)),
        keep_turns=int(settings.get("keep_turns", given.keep_turns)),
        threshold=float(settings.get("threshold", given.threshold)),
    )


def laid_out(told: Told, digests: Sequence[Digest], *, room: int, policy: Policy, size: Callable[[Digest], int]) -> Layout:
    """How `room` tokens are filled. `digests` are the newest of each part, in any order; `size` is what one takes in a prompt."""
    if told.complete and sum(told.costs) <= room:
        return Layout(past=(), turns=tuple(told.turns))
    verbatim = room - int(room * _PAST)
    kept = _tiles(digests)
    parts = _parts(told, kept, most=max(1, verbatim // 2), upto=_latest(told.turns, policy.keep_turns))
    left = list(accumulate(reversed(told.costs), initial=0))[::-1]  # what the turns from here on take
    border = next((end for _, end in parts if left[end] <= verbatim), parts[-1][1] if parts else 0)
    if not border:
        return Layout(past=(), turns=tuple(told.turns), complete=told.complete)
    last = told.turns[border - 1].seq
    behind = [one for one in kept if one.last <= last]
    unmade = [(start, end) for start, end in parts if end <= border and not _made(told.turns[start].seq, kept)]
    past, aged = _shown(behind, int(room * _PAST), policy=policy, size=size)
    return Layout(
        past=past,
        turns=tuple(told.turns[border:]),
        wanted=tuple(tuple(told.turns[start:end]) for start, end in _fitting(told, unmade, behind, room=room, size=size)),
        aged=aged,
        complete=told.complete and not unmade and len(past) == len(behind),
    )


def _tiles(digests: Sequence[Digest]) -> list[Digest]:
    """Those that tell of different turns, oldest first; of two that overlap, the earlier one."""
    found: list[Digest] = []
    for one in sorted(digests, key=lambda digest: digest.first):
        if not found or one.first > found[-1].last:
            found.append(one)
    return found


def _made(seq: int, kept: Sequence[Digest]) -> bool:
    return any(one.first <= seq <= one.last for one in kept)


def _latest(turns: Sequence[Record], keep: int) -> int:
    """The place from which on turns stay: so many of those that speak, with the calls they answer."""
    at, seen = len(turns), 0
    while at and (seen < keep or (at < len(turns) and turns[at].role is Role.TOOL)):
        at -= 1
        seen += turns[at].role is not Role.TOOL
    return at


def _parts(told: Told, kept: Sequence[Digest], *, most: int, upto: int) -> list[tuple[int, int]]:
    """Places where parts begin and end, oldest first: those that have a digest, and the turns between them in parts of `most`."""
    numbers = [turn.seq for turn in told.turns]
    found: list[tuple[int, int]] = []
    start = 0
    for one in kept:
        first, end = bisect_left(numbers, one.first), bisect_right(numbers, one.last)
        if end <= start or end > upto:
            continue
        found += _cut(told, start, first, most=most, closed=True)
        found.append((max(start, first), end))
        start = end
    return [*found, *_cut(told, start, upto, most=most, closed=False)]


def _cut(told: Told, start: int, end: int, *, most: int, closed: bool) -> Iterator[tuple[int, int]]:
    """The turns of a stretch in parts. The last is shorter where the stretch is `closed`, and else not made yet."""
    spent = 0
    for at in range(start, end):
        spent += told.costs[at]
        if spent >= most and _may_end(told.turns, at + 1, speaks=spent < _LONGEST * most):
            yield start, at + 1
            start, spent = at + 1, 0
    if closed and start < end:
        yield start, end


def _may_end(turns: Sequence[Record], at: int, *, speaks: bool) -> bool:
    if at == len(turns):
        return True
    return turns[at].role is Role.USER if speaks else turns[at].role is not Role.TOOL


def _fitting(
    told: Told, unmade: Sequence[tuple[int, int]], kept: Sequence[Digest], *, room: int, size: Callable[[Digest], int]
) -> list[tuple[int, int]]:
    """Those of the parts without a digest that would have room beside the later ones, were they made as short as may be."""
    found: list[tuple[int, int]] = []
    left = int(room * _PAST)
    later = sorted(((one.first, size(one)) for one in kept), reverse=True)
    for start, end in reversed(unmade):
        taken = sum(some for first, some in later if first > told.turns[start].seq)
        left -= int(SHARES[AGGRESSIVE] * sum(told.costs[start:end]))
        if left - taken < 0 and found:
            break
        if left - taken >= 0:
            found.append((start, end))
    return found[::-1]


def _shown(
    kept: Sequence[Digest], room: int, *, policy: Policy, size: Callable[[Digest], int]
) -> tuple[tuple[Digest, ...], tuple[Digest, ...]]:
    """The latest digests that fit, and those of them that are old enough to be made shorter."""
    shown: list[Digest] = []
    aged: list[Digest] = []
    spent = 0
    for one in reversed(kept):
        spent += size(one)
        if spent > room * _FRESH and AGGRESSIVE not in (one.level, policy.level):
            aged.append(one)
        if spent > room:
            break
        shown.append(one)
    return tuple(reversed(shown)), tuple(reversed(aged))
