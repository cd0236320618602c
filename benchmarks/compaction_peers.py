"""Plain ways to shorten a talk: cut it, sample it, pick what is new, or what two well-known rankings of sentences like best.

Rule of this file: all get the same sentences, the same counter and the same budget, who speaks included once a turn; what does
not fit any more is passed over, so that none is the worse for how it stops. TextRank and LSA are sumy's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from benchmarks.compaction_data import Stretch
from muniment.text.sentences import sentences
from muniment.types import RecordId, words_of

if TYPE_CHECKING:
    from sumy.models.dom import Sentence

Count = Callable[[str], int]
Said = tuple[str, frozenset[RecordId]]
_WORD = re.compile(r"[^\W_]+")
_LEAST = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence: the number of its turn, its record, who says it, and its words."""

    turn: int
    record: RecordId
    speaker: str
    text: str


def pieces(stretch: Stretch) -> list[Piece]:
    """The sentences of a stretch, in order."""
    return [
        Piece(turn, record.id, record.speaker, words_of(record)[start:end])
        for turn, record in enumerate(stretch.records)
        for start, end in sentences(words_of(record))
    ]


def lines(said: Sequence[Piece], chosen: Iterable[int]) -> list[Said]:
    """What was chosen, one line a turn."""
    kept: dict[int, list[Piece]] = {}
    for number in sorted(chosen):
        kept.setdefault(said[number].turn, []).append(said[number])
    return [(" ".join(one.text for one in some), frozenset({some[0].record})) for some in kept.values()]


def within(said: Sequence[Piece], order: Iterable[int], budget: int, count: Count) -> list[int]:
    """Walk down the order and take what still fits."""
    spent, named, chosen = 0, set[int](), []
    for number in order:
        piece = said[number]
        cost = count(piece.text) + (0 if piece.turn in named else count(f"{piece.speaker}: "))
        if spent + cost <= budget:
            spent += cost
            named.add(piece.turn)
            chosen.append(number)
    return chosen


def head(said: Sequence[Piece], budget: int, count: Count) -> list[int]:
    """The beginning."""
    return within(said, range(len(said)), budget, count)


def tail(said: Sequence[Piece], budget: int, count: Count) -> list[int]:
    """The end."""
    return within(said, range(len(said) - 1, -1, -1), budget, count)


def uniform(said: Sequence[Piece], budget: int, count: Count) -> list[int]:
    """Sentences spread evenly over the talk: places in the order of a van der Corput sequence."""
    bits = max(1, (len(said) - 1).bit_length())
    places = (int(f"{number:0{bits}b}"[::-1], 2) for number in range(1 << bits))
    return within(said, (place for place in places if place < len(said)), budget, count)


def novelty(said: Sequence[Piece], budget: int, count: Count) -> list[int]:
    """The sentence that adds most unseen words, rare ones counting more, for its tokens; then the next."""
    words = [{word for word in _WORD.findall(one.text.lower()) if len(word) >= _LEAST} for one in said]
    often = Counter(word for some in words for word in some)
    rare = {word: log(len(said) / times) for word, times in often.items()}
    costs = [count(one.text) for one in said]
    names = [count(f"{one.speaker}: ") for one in said]
    seen, named, left, chosen, spent = set[str](), set[int](), set(range(len(said))), list[int](), 0
    while left:
        fits = [n for n in left if spent + costs[n] + (0 if said[n].turn in named else names[n]) <= budget]
        if not fits:
            break
        gains = {n: sum(rare[w] for w in words[n] - seen) / (costs[n] + (0 if said[n].turn in named else names[n])) for n in fits}
        best = max(gains, key=lambda n: (gains[n], -n))
        spent += costs[best] + (0 if said[best].turn in named else names[best])
        seen |= words[best]
        named.add(said[best].turn)
        chosen.append(best)
        left = set(fits) - {best}
    return chosen


class _Tokens:
    """What sumy asks for its words: none of its downloads are needed."""

    def to_words(self, text: str) -> tuple[str, ...]:
        return tuple(_WORD.findall(text.lower()))


def _ranked(name: str) -> Callable[[Sequence[Piece], int, Count], list[int]]:
    def choose(said: Sequence[Piece], budget: int, count: Count) -> list[int]:
        from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence  # noqa: PLC0415  # an extra of this benchmark
        from sumy.summarizers.lsa import LsaSummarizer  # noqa: PLC0415
        from sumy.summarizers.text_rank import TextRankSummarizer  # noqa: PLC0415

        places: dict[int, int] = {}
        given = []
        for number, one in enumerate(said):
            sentence = Sentence(one.text, _Tokens())
            places[id(sentence)] = number
            given.append(sentence)
        order: list[int] = []

        def all_of_them(infos: Iterable[object]) -> list[object]:
            ranked = list(infos)
            order.extend(places[id(_sentence(info))] for info in ranked)
            return ranked[:1]

        ranking = {"lsa": LsaSummarizer, "textrank": TextRankSummarizer}[name]()
        if len(said) > 1:
            ranking(ObjectDocumentModel([Paragraph(given)]), all_of_them)
        return within(said, order or range(len(said)), budget, count)

    return choose


def _sentence(info: object) -> Sentence:
    return info.sentence  # type: ignore[attr-defined, no-any-return]  # sumy's own tuple


PEERS: Mapping[str, Callable[[Sequence[Piece], int, Count], list[int]]] = {
    "head": head,
    "tail": tail,
    "uniform": uniform,
    "novelty": novelty,
    "textrank": _ranked("textrank"),
    "lsa": _ranked("lsa"),
}
