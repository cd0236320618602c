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
from muniment.compact.rules_statements import Statement
from muniment.compact.rules_worth import telling

Count = Callable[[str], int]
_AGAIN = 0.85
"""What a word still counts for when it has been told once more."""
_CLAIMS = 1.0
_TOLD = 0.1
_STEEP = 1.1
_SAME = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """What is chosen from: statements with their worths, the claims they make, and how tokens are counted."""

    said: Sequence[Statement]
    worths: Sequence[float]
    made: Sequence[Made]
    count: Count


def chosen(what: Choosing, budget: int, *, first: Collection[int] = ()) -> frozenset[int]:
    """Numbers of the statements to keep within `budget` tokens. `first` are kept whatever they cost."""
    kept = _Kept(what)
    for number in sorted(first):
        kept.keep(number)
    heap = [(-kept.gain(number), number) for number in range(len(what.said)) if number not in kept.numbers]
    heapq.heapify(heap)
    while heap:
        _, number = heapq.heappop(heap)
        now = kept.gain(number)
        if now > 0 and heap and -heap[0][0] > now + _SAME:
            heapq.heappush(heap, (-now, number))
        elif now > 0 and kept.tokens + kept.cost(number) <= budget:
            kept.keep(number)
    return frozenset(kept.numbers)


class _Kept:
    """What is kept so far, and what each other statement would add to it."""

    def __init__(self, what: Choosing) -> None:
        self.numbers: set[int] = set()
        self.tokens = 0
        self._what = what
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

    def cost(self, number: int) -> int:
        """Tokens it would take: its own, and those of who speaks where that is not there yet."""
        one = self._what.said[number]
        named = one.turn in self._turns or not one.speaker
        return self._what.count(one.text) + (0 if named else self._what.count(f"{one.speaker}: "))

    def gain(self, number: int) -> float:
        """What it would add, for what it costs."""
        new = sum(self._what.made[claim].claim.weight for claim in self._claimed[number] - self._covered)
        fresh = sum(self._rare[word] * _AGAIN ** self._told[word] for word in self._words[number])
        worth: float = _CLAIMS * new + _TOLD * self._what.worths[number] * fresh
        return worth / float(max(1, self.cost(number)) ** _STEEP)

    def keep(self, number: int) -> None:
        """Take it in."""
        self.tokens += self.cost(number)
        self.numbers.add(number)
        self._covered |= self._claimed[number]
        self._told.update(self._words[number])
        self._turns.add(self._what.said[number].turn)
