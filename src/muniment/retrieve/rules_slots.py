"""Which slots a question asks for: by the words of an attribute's name, and by those that people use for it.

Rule of this file: pure; the words stand in words_slots.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from muniment.knowledge.values import Memory
from muniment.retrieve.words_slots import ASKED_BY, OF_ITS_TIME
from muniment.text.terms import QuestionTerm, terms

MOST_SLOTS = 2
_COMMON = frozenset(terms("in at of on to by has is am are was were have had do does did"))
_NOW = frozenset(terms(OF_ITS_TIME))


@lru_cache(maxsize=4096)
def slot_words(attribute: str) -> frozenset[str]:
    """The words by which a slot is asked for."""
    head, _, rest = attribute.partition(":")
    return frozenset(terms(f"{head.replace('_', ' ')} {rest} {ASKED_BY.get(head, '')}")) - _COMMON


def is_known(attribute: str) -> bool:
    """True for a slot that questions ask for by words of its own, or that names what it is of ("likes:tea")."""
    return ":" in attribute or attribute in ASKED_BY


def asked_slots(text: str) -> tuple[str, ...]:
    """The attributes whose words a question holds, those with the most words first."""
    counts: dict[str, int] = {}
    for word in set(terms(text)):
        for attribute in _BY_WORD.get(word, ()):
            counts[attribute] = counts.get(attribute, 0) + 1
    return tuple(sorted(counts, key=lambda name: (-counts[name], name))[:MOST_SLOTS])


def fills(asked: Iterable[QuestionTerm], memory: Memory, words: str) -> bool:
    """Whether a memory, with the `words` that prove it, tells all that is asked beside the slot that it fills."""
    told = {*terms(words), *terms(memory.text), *terms(memory.subject), *slot_words(memory.attribute), *_NOW, *_COMMON}
    return all(not told.isdisjoint(term.forms) for term in asked)


_BY_WORD: dict[str, list[str]] = {}
for _attribute in ASKED_BY:
    for _word in slot_words(_attribute):
        _BY_WORD.setdefault(_word, []).append(_attribute)
