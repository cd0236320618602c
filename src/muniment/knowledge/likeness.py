"""When two statements are the same, speak of the same value, or of the same matter.

Rule of this file: pure, by words alone. Different numbers or codes are never the same statement.
"""

from __future__ import annotations

import re
from functools import lru_cache

from muniment.knowledge.keys import subject_key
from muniment.knowledge.values import Memory
from muniment.text.terms import terms

SAME = 0.8
"""Share of all content words of two statements that must be in both."""
SAME_DECISION = 0.6
"""The same for decisions, which are told in many wordings."""
_KEPT = 400
"""Characters up to which what was read of a text is kept, so that long ones fill no memory."""
_NUMBER = re.compile(r"(?<!\w)[^\W\d]*+\d[\w.:,-]*+")


def same_value(one: Memory, other: Memory) -> bool:
    """True when both fill their slot with the same, one naming it more fully than the other at most."""
    return values_agree(one.value, other.value)


def values_agree(one: str, other: str) -> bool:
    """True when two values of a slot are the same, one naming it more fully than the other at most."""
    first, second = _words(one), _words(other)
    if not first or not second:
        return _same_name(one, other)
    return (first <= second or second <= first) and numbers(one) == numbers(other)


def same_subject(one: Memory, other: Memory) -> bool:
    """True when both are about the same entity, or where one is no entity, about what is called the same."""
    if one.subject_id and other.subject_id:
        return one.subject_id == other.subject_id
    return _same_name(one.subject, other.subject)


def same_statement(one: Memory, other: Memory) -> bool:
    """True when `other` says again what `one` says."""
    if (one.kind, one.attribute, one.negated, one.modality, one.trust) != (
        other.kind,
        other.attribute,
        other.negated,
        other.modality,
        other.trust,
    ):
        return False
    if not same_subject(one, other):
        return False
    if one.attribute and (one.value or other.value):
        return _same_name(one.value, other.value) or _same_words(one, other)
    if numbers(one.text) != numbers(other.text) or _dated_apart(one, other):
        return False
    first, second = _words(one.text), _words(other.text)
    least = SAME_DECISION if one.kind == "decision" else SAME
    return len(first & second) >= least * max(1, len(first | second))


def overlap(memory: Memory, words: str) -> float:
    """The share of these words that the memory holds, in its text, attribute or value; 0 to 1."""
    asked = _words(words)
    return len(asked & _words(f"{memory.text} {memory.attribute.replace('_', ' ')}")) / len(asked) if asked else 0.0


def numbers(text: str) -> frozenset[str]:
    """The numbers and codes in a text."""
    return _numbers(text) if len(text) <= _KEPT else _numbers.__wrapped__(text)


def _words(text: str) -> frozenset[str]:
    return _terms(text) if len(text) <= _KEPT else _terms.__wrapped__(text)


def _same_name(one: str, other: str) -> bool:
    return one == other or _key(one) == _key(other)


def _key(text: str) -> str:
    return _short_key(text) if len(text) <= _KEPT else subject_key(text)


_short_key = lru_cache(maxsize=4096)(subject_key)


@lru_cache(maxsize=4096)
def _numbers(text: str) -> frozenset[str]:
    return frozenset(found.casefold().rstrip(".,:-") for found in _NUMBER.findall(text))


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _same_words(one: Memory, other: Memory) -> bool:
    """True when both values are of the same words; of two decisions, one may be told more fully than the other."""
    first, second = _words(one.value), _words(other.value)
    if one.kind == "decision" and min(len(first), len(second)) > 1:
        return (first <= second or second <= first) and numbers(one.value) == numbers(other.value)
    return first == second != frozenset()


def _dated_apart(one: Memory, other: Memory) -> bool:
    """Events at different times are different events, however alike their words."""
    first, second = one.event, other.event
    return bool(first and second and (first.since, first.until) != (second.since, second.until))
