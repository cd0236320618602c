"""Answers that are no clause of their own, put into the words of the open question that they answer.

Rule of this file: pure; the question's verb and the answer's words make one clause in the first person, and a question about the
talk, or one that asks for more than an answer of a few words gives, makes none.
"""

from __future__ import annotations

import re
from typing import Final

from muniment.ingest.extract.rules_facts_clauses import clauses
from muniment.ingest.extract.rules_slots import solid
from muniment.ingest.extract.words_facts_asked import AMOUNT, ANY_QUESTION, FURTHER, LED, OF_TALK, OPEN_QUESTION, OPENING

_I: Final = re.IGNORECASE
_ASKED: Final = re.compile(OPEN_QUESTION, _I)
_ANY: Final = re.compile(ANY_QUESTION, _I)
_AUX: Final = {
    "do": "",
    "did": "did ",
    "have": "have ",
    "are": "am ",
    "were": "was ",
    "can": "can ",
    "would": "would ",
    "will": "will ",
}
_OF_TALK: Final = re.compile(OF_TALK, _I)
_OTHERS: Final = re.compile(r"\b(?:you|me|it|that|this|them|us|him|her|there|he|she|they)\b", _I)
_PREPOSITION: Final = re.compile(r" (?:to|for|with|at|in|on|about|of|from|into|after)\s*$", _I)
_LED: Final = re.compile(LED, _I)
_MOVING: Final = re.compile(r"(?:go|going|move|moving|travel\w*|fly\w*|head\w*|return\w*|moved|gone|went)$", _I)
_KIND: Final = re.compile(r"(?:(?:kinds?|types?|sorts?|genres?|breeds?|styles?) of|other|else|exactly|specific)\b ?", _I)
_AMOUNT: Final = re.compile(AMOUNT, _I)
_OPENING: Final = re.compile(OPENING, _I)
_FURTHER: Final = re.compile(FURTHER, _I)
_MOST_WORDS: Final = 14
_DOING: Final = re.compile(r"\bto do$|\bdo$|\bdoing$", _I)


def answered(question: str, said: str) -> str:
    """What follows "I" when `said`, without a clause of its own, answers `question`; "" when that cannot be told."""
    fragment = _FURTHER.split(_OPENING.sub("", said.strip(), count=1), maxsplit=1)[0].strip(" .!,;:")
    words = fragment.split()
    if not words or len(words) > _MOST_WORDS or "?" in said or not solid(fragment) or next(clauses(fragment), None) is not None:
        return ""
    found = _ANY.match(question)
    if found is not None:
        return _joined(found["verb"], fragment, found["rest"]) if not _barred(found["verb"], found["rest"]) else ""
    found = _ASKED.match(question)
    if found is None or _barred(found["verb"], found["rest"]):
        return ""
    wh, aux = found["wh"].lower(), _AUX[found["aux"].lower()]
    fragment = _fitted(wh, found["np"] or "", found["verb"], fragment)
    if not fragment:
        return ""
    if wh in ("how long", "how often", "when", "where") and not _PREPOSITION.search(found["rest"]):
        return aux + re.sub(r"\byour\b", "my", f"{found['verb']}{found['rest'].rstrip()} {fragment}")
    return aux + _joined(found["verb"], fragment, found["rest"])


def _barred(verb: str, rest: str) -> bool:
    """Whether the question asks for an opinion or for help, or of others."""
    last = verb.lower().rpartition(" ")[2]
    return bool(
        _OF_TALK.match(verb)
        or _OTHERS.search(rest)
        or last in ("you", "your", "up", "been", "find")
        or (last == "doing" and not rest.strip())
    )


def _fitted(wh: str, noun: str, verb: str, fragment: str) -> str:
    """The answer as it stands behind the verb."""
    noun = _KIND.sub("", noun, count=1).strip()
    if wh in ("how many", "how much"):
        return (
            f"{fragment} {noun}".strip()
            if _AMOUNT.match(fragment) and len(fragment.split()) <= len(("a", "few", "dozen"))
            else ""
        )
    if wh == "how long":
        return (fragment if _LED.match(fragment) else f"for {fragment}") if _AMOUNT.search(fragment) else ""
    if wh == "where":
        return fragment if _LED.match(fragment) else f"{'to' if _MOVING.search(verb) else 'in'} {fragment}"
    if wh in ("when", "how often"):
        return fragment
    return "" if _LED.match(fragment) else fragment


def _joined(verb: str, fragment: str, rest: str) -> str:
    rest = re.sub(r"\byour\b", "my", re.sub(r"\b(?:too|as well|these days|right now|though|then|anyway)\b", "", rest)).rstrip()
    if (doing := _DOING.search(verb)) and verb.lower() not in ("do", "been doing") and len(verb.split()) > 1:
        return f"{verb[: doing.start()].strip()} {fragment}"
    ends = _PREPOSITION.search(rest)
    if ends is not None and not rest[: ends.start()].strip():
        return f"{verb}{rest} {fragment}"
    return f"{verb} {fragment}{rest}"
