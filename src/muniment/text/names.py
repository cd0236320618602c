"""Names of speakers inside a question: who is meant, and the question without them.

Rule of this file: a name is matched as a whole word, or any one word of it; a small-letter word in a question that also has
capitals is a word, not a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from muniment.text.languages import FUNCTION_WORDS
from muniment.text.terms import QuestionTerm, is_dense, normal

_WORD = re.compile(r"[^\W_]+(?:[-'\u2019][^\W_]+)*")
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_ROLES = frozenset({"user", "assistant", "system", "tool", "document", "human", "ai", "bot"})
_ENGLISH = FUNCTION_WORDS["english"]


def may_name(question: str) -> bool:
    """True when some word of `question` is written like a name, so that it is worth asking who the speakers are."""
    if question.isascii() and question.islower():
        return False
    return any(word[0].isupper() and normal(word) not in _ENGLISH for word in _words(question)) or is_dense(question)


def named(question: str, names: Iterable[str]) -> tuple[str, ...]:
    """Those of `names` that `question` speaks of, in their order. Words for roles ("user") are nobody's name."""
    able = [name for name in names if _parts(name) or is_dense(name)]
    if not able:
        return ()
    words = _words(question)
    capitals = any(c.isupper() for c in question)
    said = {normal(w) for w in words if not capitals or w[0].isupper() or not w[0].islower()}
    said -= _ENGLISH
    whole = normal(question)
    return tuple(name for name in able if not said.isdisjoint(_parts(name)) or (is_dense(name) and normal(name) in whole))


def without(question: str, names: Iterable[str]) -> str:
    """`question` without the words that name one of `names`; unchanged when nothing would be left."""
    gone = {part for name in names for part in _parts(name)}
    dense = [name for name in names if is_dense(name)]
    rest = _WORD.sub(lambda m: "" if normal(_POSSESSIVE.sub("", m[0])) in gone else m[0], question)
    for name in dense:
        rest = rest.replace(name, "")
    rest = " ".join(rest.split())
    return rest if _WORD.search(rest) else question


def without_terms(terms: Sequence[QuestionTerm], names: Iterable[str]) -> Sequence[QuestionTerm]:
    """`terms` without the words that name one of `names`; unchanged when none would be left."""
    gone = {part for name in names for part in _parts(name)}
    return [term for term in terms if term.word not in gone] or terms if gone else terms


def _words(question: str) -> list[str]:
    return [_POSSESSIVE.sub("", word) for word in _WORD.findall(question)]


@lru_cache(maxsize=4096)
def _parts(name: str) -> frozenset[str]:
    """The words of a name that may stand for it."""
    parts = {normal(_POSSESSIVE.sub("", word)) for word in _WORD.findall(name)}
    return frozenset(p for p in parts if len(p) > 1 and p not in _ROLES and p not in _ENGLISH)
