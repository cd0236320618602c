"""Which blocks hold the words of a task: BM25 over their words, with more for names and tags. Needs nothing installed.

Rules of this file: statistics come from the blocks that are compared and from nothing else, so that the same task and blocks
always get the same scores. Words are stems; "always" and "never" weigh the same, since a gate asks what a block is about.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

from muniment.compile.wording import Content, content, humps, spaced, wording
from muniment.text.passages import passages
from muniment.text.terms import QuestionTerm, question_terms, terms
from muniment.types import Block

K1: Final = 1.2
B: Final = 0.3
"""BM25's saturation, and how far the length of a block is held against it."""

NAME: Final = 2.0
"""How often a word of the name counts, where any other word of the block counts once."""

NAMED: Final = 0.2
"""Added for a name all of whose words the task holds, in proportion for some of them; and once for any such tag."""

CALLED: Final = 1.0
"""Added where the task spells out a name that is no ordinary word, as in "call get_weather"."""

_KEPT: Final = 16_384
_EDGES: Final = "\"'`.,;:!?()[]{}<>"


@dataclass(frozen=True, slots=True)
class _Part:
    """The words of a passage with those around the block's text, counted, and how many they are."""

    words: Mapping[str, float]
    length: float


@dataclass(frozen=True, slots=True)
class _Read:
    """A block's words; `names` and `tags` are sets of words of which all are wanted; `called` are spelled names."""

    parts: tuple[_Part, ...]
    title: Mapping[str, float]
    known: frozenset[str]
    names: tuple[frozenset[str], ...]
    tags: tuple[frozenset[str], ...]
    called: frozenset[str]


class Lexical:
    """A scorer by words: 0 for a block that shares none with the task, around 1 for one that holds all of them often.

    Compares stems of names (split at signs and capitals), descriptions, tags, texts, and of a tool's parameters and their
    values, by the share of the task's words that the block holds, rare words counting more. Of a long text the best passage
    counts, so that words that stand together say more than the same ones pages apart. Numbers in a task are taken for values
    and left out. What was read is remembered by content; safe to use from several threads.
    """

    def __init__(self) -> None:
        self._read = lru_cache(maxsize=_KEPT)(_read)

    def __call__(self, task: str, blocks: Sequence[Block]) -> list[float]:
        """One score per block, in order."""
        read = [self._read(content(block)) for block in blocks]
        if not read:
            return []
        wanted = _telling(question_terms(humps(task)))
        scores = _shares([term.forms for term in wanted], read)
        asked = {form for term in wanted for form in term.forms}
        spelled = {token.strip(_EDGES).lower() for token in task.split()}
        return [score + _named(one, asked, spelled) for score, one in zip(scores, read, strict=True)]


def _shares(wanted: Sequence[tuple[str, ...]], read: Sequence[_Read]) -> list[float]:
    """BM25 of each block's best part, as a share of what holding every wanted word once would give. Words are rare by blocks."""
    number = {form: place for place, forms in enumerate(wanted) for form in forms}
    lengths = [part.length for one in read for part in one.parts]
    average = max(1.0, sum(lengths) / len(lengths))
    held = [sorted(number.keys() & one.known) for one in read]
    holders = Counter(place for forms in held for place in {number[form] for form in forms})
    rarity = [math.log1p((len(read) - holders[place] + 0.5) / (holders[place] + 0.5)) for place in range(len(wanted))]
    most = sum(rarity) or 1.0

    def share(one: _Read, part: _Part, forms: Sequence[str]) -> float:
        norm = 1 - B + B * part.length / average
        weights: dict[int, float] = {}
        for form in forms:
            weight = part.words.get(form, 0.0) / norm + NAME * one.title.get(form, 0.0)
            weights[number[form]] = weights.get(number[form], 0.0) + weight
        return sum(rarity[place] * w * (K1 + 1) / (K1 + w) for place, w in sorted(weights.items())) / most

    return [max(share(one, part, forms) for part in one.parts) if forms else 0.0 for one, forms in zip(read, held, strict=True)]


def _named(one: _Read, asked: set[str], spelled: set[str]) -> float:
    """What names and tags add: the best of the names, any one tag."""
    share = max((len(words & asked) / len(words) for words in one.names if words), default=0.0)
    tagged = any(words and words <= asked for words in one.tags)
    return NAMED * share + NAMED * tagged + CALLED * (not one.called.isdisjoint(spelled))


def _read(block: Content) -> _Read:
    said = wording(block)
    around = Counter(word for part in (said.purpose, *said.tags, *said.parameters, *said.values) for word in _terms(part))
    pieces = [Counter(_terms(said.text[start:end])) for start, end in passages(said.text)]
    parts = [_Part(words=words, length=float(words.total())) for words in (around + piece for piece in pieces)]
    names = [_telling_words(terms(spaced(name))) for name in said.names]
    title = Counter(dict.fromkeys((word for name in names for word in name), 1.0))
    return _Read(
        parts=tuple(parts),
        title=title,
        known=frozenset(chain(title, *(part.words for part in parts))),
        names=tuple(frozenset(name) for name in names),
        tags=tuple(frozenset(terms(spaced(tag))) for tag in said.tags),
        called=frozenset(name.lower() for name in said.names if spaced(name) != name),
    )


def _terms(text: str) -> list[str]:
    """Index terms of a text whose identifiers are read word by word."""
    return terms(humps(text))


def _telling(wanted: Sequence[QuestionTerm]) -> Sequence[QuestionTerm]:
    """The words that may say what is wanted. A number is a value; it counts only where there is nothing else."""
    return [term for term in wanted if not _is_number(term.word)] or wanted


def _telling_words(words: Iterable[str]) -> list[str]:
    return [word for word in words if not _is_number(word)]


def _is_number(word: str) -> bool:
    """Digits and signs without a letter."""
    return any(c.isdigit() for c in word) and not any(c.isalpha() for c in word)
