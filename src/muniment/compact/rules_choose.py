"""Which statements a digest is made of: those that keep most of what is claimed and told, for their tokens.

Rule of this file: pure, greedy and deterministic. What was told already counts less each time it is told again; what is required
comes first, and what belongs together comes together.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import log

from muniment.compact.rules_claims import Made
from muniment.compact.rules_forms import Count
from muniment.compact.rules_statements import Statement
from muniment.compact.rules_worth import telling

TOLD = 0.05
"""How much what is told counts beside what is claimed."""
_AGAIN = 0.97
"""What a word still counts for when it has been told once more."""
_SAME = 1e-12
_ROUNDS = 5
_NEAR = 0.004
"""Share of the budget that may stay unused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """What is chosen from: statements with their worths, the claims they make, how tokens are counted, and what a choice takes.

    `size` is the tokens of the lines that the statements of these numbers make. `told` is how much what is told counts beside
    claims, 0 for claims alone.
    """

    said: Sequence[Statement]
    worths: Sequence[float]
    made: Sequence[Made]
    count: Count
    size: Callable[[frozenset[int]], int]
    told: float = TOLD


def chosen(what: Choosing, budget: int, *, first: Collection[int] = ()) -> frozenset[int]:
    """Numbers of the statements to keep within `budget` tokens. `first` are kept whatever they cost."""
    kept = _Kept(what)
    for number in sorted(first):
        kept.keep(kept.together(number))
    required = len(kept.order)
    limit = budget
    for _ in range(_ROUNDS):
        kept.fill(limit)
        taken = what.size(frozenset(kept.numbers))
        if taken > budget or budget - taken <= max(1, _NEAR * budget):
            break
        limit = kept.tokens + budget - taken
    while len(kept.order) > required and what.size(frozenset(kept.numbers)) > budget:
        kept.drop()
    return frozenset(kept.numbers)


class _Kept:
    """What is kept so far, and what each other statement would add to it."""

    def __init__(self, what: Choosing) -> None:
        self.numbers: set[int] = set()
        self.order: list[tuple[int, ...]] = []
        self.tokens = 0
        self._what = what
        self._costs = [what.count(f"{one.text} ") for one in what.said]
        named = {speaker: what.count(f"{speaker}: ") for speaker in {one.speaker for one in what.said}}
        self._named = [named[one.speaker] if one.speaker else 0 for one in what.said]
        self._words = [frozenset(word for clause in one.clauses for word in telling(clause)) for one in what.said]
        often = Counter(word for some in self._words for word in some)
        size = len({one.turn for one in what.said})
        self._rare = {word: log((size + 1) / (times + 0.5)) for word, times in often.items()}
        self._claimed: dict[int, set[int]] = defaultdict(set)
        for number, made in enumerate(what.made):
            for place in made.statements:
                self._claimed[place].add(number)
        self._told: Counter[str] = Counter()
        self._covered: set[int] = set()
        self._turns: set[int] = set()

    def together(self, number: int) -> tuple[int, ...]:
        """A statement and all that it cannot stand without, as far as it is not kept yet."""
        needs = self._what.said[number].needs
        if not needs:
            return (number,)
        found, open_ones = {number}, list(needs)
        while open_ones:
            one = open_ones.pop()
            if one not in found and one not in self.numbers:
                found.add(one)
                open_ones += self._what.said[one].needs
        return tuple(sorted(found))

    def cost(self, numbers: Sequence[int]) -> int:
        """Tokens these would take: their own, and those of who speaks where that is not there yet."""
        turns = {self._what.said[number].turn: self._named[number] for number in numbers}
        named = sum(cost for turn, cost in turns.items() if turn not in self._turns)
        return sum(self._costs[number] for number in numbers) + named

    def gain(self, number: int) -> float:
        """What it would add, with all that must come along, for what they cost."""
        numbers = self.together(number)
        claimed = self._claimed[number] if len(numbers) == 1 else {one for place in numbers for one in self._claimed[place]}
        new = sum(self._what.made[claim].claim.weight for claim in claimed - self._covered)
        fresh = sum(
            self._what.worths[place] * self._rare[word] * _AGAIN ** self._told[word]
            for place in numbers
            for word in self._words[place]
        )
        worth: float = new + self._what.told * fresh
        return worth / max(1, self.cost(numbers))

    def keep(self, numbers: Sequence[int]) -> None:
        """Take these in."""
        fresh = tuple(number for number in numbers if number not in self.numbers)
        if not fresh:
            return
        self.tokens += self.cost(fresh)
        self.numbers.update(fresh)
        self.order.append(fresh)
        for number in fresh:
            self._covered |= self._claimed[number]
            self._told.update(self._words[number])
            self._turns.add(self._what.said[number].turn)

    def drop(self) -> None:
        """Let go of what was taken in last; nothing more is taken in after it."""
        self.numbers.difference_update(self.order.pop())

    def fill(self, limit: int) -> None:
        """Take in what adds most for its tokens, until nothing more fits."""
        heap = [(-self.gain(number), number) for number in range(len(self._what.said)) if number not in self.numbers]
        heapq.heapify(heap)
        while heap:
            before, number = heapq.heappop(heap)
            if number in self.numbers:
                continue
            numbers = self.together(number)
            if self.tokens + self.cost(numbers) > limit and len(numbers) == 1:
                continue
            now = self.gain(number)
            if now > 0 and heap and -heap[0][0] > now + _SAME and -before > now + _SAME:
                heapq.heappush(heap, (-now, number))
            elif now > 0 and self.tokens + self.cost(numbers) <= limit:
                self.keep(numbers)
