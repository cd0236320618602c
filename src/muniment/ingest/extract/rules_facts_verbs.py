"""What a clause says of its subject: the verb that carries it, in which time and mood, and the words behind it.

Rule of this file: left to right over the first words of a predicate; auxiliaries are read, the first full verb ends the search.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from muniment.ingest.extract.words_facts import (
    ADVERBS,
    AGREED,
    BE,
    DO,
    DOUBLING,
    HAVE,
    IRREGULAR,
    MODALS,
    PAST_ADVERBS,
    PAST_WHEN_BARE,
    VERBS,
)
from muniment.knowledge.values import Modality

TOKEN: Final = re.compile(r"[a-z]{1,9}n't\b|'[a-z]+|[^\W_]+(?:-[^\W_]+)*", re.IGNORECASE)
_MOST = 14
_VOWELS: Final = frozenset("aeiou")


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """A verb in its base form and what stands behind it. `past` is over (also "used to"), `perfect` reaches to the present.

    `ends` marks "no longer" and "used to". `passive` is a participle after "be", which is then the verb. `head` is where the verb
    itself starts, `start` where the rest does.
    """

    verb: str
    rest: str
    head: int
    start: int
    past: bool = False
    perfect: bool = False
    progressive: bool = False
    passive: bool = False
    negated: bool = False
    ends: bool = False
    habit: bool = False
    early: bool = False
    able: bool = False
    modality: Modality = Modality.ASSERTED


def _forms() -> dict[str, tuple[str, str]]:
    table: dict[str, tuple[str, str]] = {}
    for verb in sorted(VERBS):
        stem = verb[:-1] if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) else verb
        if verb in DOUBLING:
            stem = verb + verb[-1]
        table.setdefault((verb[:-2] + "y" if verb.endswith("ie") else stem) + "ing", (verb, "ing"))
        table.setdefault(third(verb), (verb, "s"))
        past = verb[:-1] + "ied" if _consonant_y(verb) else (verb + "d" if verb.endswith("e") else stem + "ed")
        for form in IRREGULAR.get(verb, (past, past)):
            table.setdefault(form, (verb, "past"))
        if verb in IRREGULAR:
            table[IRREGULAR[verb][1]] = (verb, "past") if IRREGULAR[verb][1] != verb else (verb, "base")
    for verb in VERBS:
        table[verb] = (verb, "past" if verb in PAST_WHEN_BARE else "base")
    table.update({"got": ("get", "past"), "born": ("bear", "past"), "felt": ("feel", "past"), "left": ("leave", "past")})
    for verb in ("cancel", "travel", "label", "model", "fuel"):
        table.update({f"{verb}led": (verb, "past"), f"{verb}ling": (verb, "ing")})
    table.update({"read": ("read", "base"), "found": ("find", "past"), "saw": ("see", "past"), "lying": ("lie", "ing")})
    return table


def third(verb: str) -> str:
    """The form of a base verb that goes with "she"."""
    if verb in ("be", "have", "do", "go"):
        return {"be": "is", "have": "has", "do": "does", "go": "goes"}[verb]
    if _consonant_y(verb):
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def _consonant_y(verb: str) -> bool:
    return len(verb) > 1 and verb.endswith("y") and verb[-2] not in _VOWELS


FORMS: Final = _forms()
"""Every form of the known verbs: its base, and "base", "s", "past" or "ing"."""


def form_of(word: str) -> tuple[str, str]:
    """Base and form of a small-letter word that is taken for a verb; unknown ones are guessed by their ending."""
    known = FORMS.get(word)
    if known:
        return known
    if len(word) > len("ding") and word.endswith("ing"):
        return word[:-3], "ing"
    if len(word) > len("ped") and word.endswith("ed"):
        return word[:-2], "past"
    return word, "base"


def parse(text: str) -> Predicate | None:
    """Read the predicate at the start of `text`, what follows a subject ("'m not living in Porto"); None without a verb."""
    tokens = []
    for token in TOKEN.finditer(text):
        tokens.append((token[0].lower(), token.start(), token.end()))
        if len(tokens) == _MOST:
            break
    return _Parse(text, tokens).run()


_STATES: Final = frozenset({"marry", "interest", "excite", "retire", "divorce", "engage", "separate"})
"""Verbs whose participle behind "be" is a state, not something done to one."""


class _Parse:
    """One walk over the first tokens of a predicate."""

    __slots__ = (
        "_able",
        "_at",
        "_be",
        "_early",
        "_ends",
        "_habit",
        "_modality",
        "_negated",
        "_past",
        "_perfect",
        "_text",
        "_tokens",
    )

    def __init__(self, text: str, tokens: list[tuple[str, int, int]]) -> None:
        self._text = text
        self._tokens = tokens
        self._at = 0
        self._past = self._perfect = self._negated = self._ends = self._habit = self._early = self._able = self._be = False
        self._modality = Modality.ASSERTED

    def run(self) -> Predicate | None:
        while self._at < len(self._tokens):
            word, start, end = self._tokens[self._at]
            self._at += 1
            if self._qualifier(word):
                continue
            if word == "been":
                self._perfect = True
            if word in BE or (word in ("been", "be") and (self._perfect or self._modality is not Modality.ASSERTED)):
                found = self._after_be(word, start, end)
            elif word in HAVE:
                found = self._after_have(word, start, end)
            elif self._auxiliary(word):
                continue
            else:
                found = self._end(word, start, end)
            if found is not None:
                return found
        return None

    def _auxiliary(self, word: str) -> bool:
        """Step over "do", a modal or "used to" before a verb."""
        if word in DO and self._peek_form()[1] == "base" and self._raw_next() in FORMS:
            self._marks(DO[word])
        elif word in MODALS:
            self._marks(MODALS[word])
            if word == "ought" and self._raw_next() == "to":
                self._at = self._index_next() + 1
        elif word == "used" and self._raw_next() == "to":
            self._habit = self._ends = self._past = True
            self._at = self._index_next() + 1
        else:
            return False
        return True

    def _after_be(self, word: str, start: int, end: int) -> Predicate | None:
        """What a form of "be" comes to; None when a verb follows that carries the sense."""
        self._marks(BE.get(word, ""))
        if self._going():
            return None
        follower, form = self._peek_form()
        self._be = True
        if word == "been" and self._raw_next() == "to":
            return self._end("visit", start, self._next()[2])
        if form == "ing" and follower in FORMS:
            return None
        if follower == "bear" or (form == "past" and follower in VERBS and follower not in _STATES):
            return self._end(*self._next(), passive=True)
        return self._end("be", start, self._skipped(end))

    def _after_have(self, word: str, start: int, end: int) -> Predicate | None:
        """What a form of "have" comes to; None when a verb follows that carries the sense."""
        self._marks(HAVE[word])
        follower, form = self._peek_form()
        if follower == "to":
            self._at = self._index_next() + 1
            return None
        self._perfect = follower in ("been", "got") or (form == "past" and bool(follower))
        if follower == "got" and self._past_got() == "to":
            self._at = self._index_next() + 2
            return None
        if follower == "got":
            return self._end("have", start, self._next()[2])
        return None if self._perfect else self._end("have", start, end)

    def _past_got(self) -> str:
        """The word behind "got"."""
        at = self._index_next() + 1
        return self._tokens[at][0] if at < len(self._tokens) else ""

    def _qualifier(self, word: str) -> bool:
        if word in ("not", "n't", "never"):
            self._negated = True
        elif word == "no" and self._at < len(self._tokens) and self._tokens[self._at][0] == "longer":
            self._at += 1
            self._ends = True
        elif word in ADVERBS:
            self._early |= word in PAST_ADVERBS
        else:
            return False
        return True

    def _marks(self, marks: str) -> None:
        for mark in marks.split():
            if mark == "not":
                self._negated = True
            elif mark == "past":
                self._past = True
            elif mark == "can":
                self._able = True
            elif mark in ("planned", "possible", "wished"):
                self._modality = Modality(mark)

    def _index_next(self) -> int:
        at = self._at
        while at < len(self._tokens) and (self._tokens[at][0] in ADVERBS or self._tokens[at][0] in ("not", "n't", "never")):
            at += 1
        return at

    def _raw_next(self) -> str:
        at = self._index_next()
        return self._tokens[at][0] if at < len(self._tokens) else ""

    def _peek_form(self) -> tuple[str, str]:
        word = self._raw_next()
        if word in ("been", "got", "to"):
            return word, "past"
        known = FORMS.get(word)
        if known:
            base, form = known
            return base, "past" if base in (
                "put",
                "cut",
                "set",
                "hit",
                "let",
                "read",
                "quit",
                "become",
                "come",
                "run",
            ) and form == "base" else form
        return (word, "past") if len(word) > len("aped") and word.endswith("ed") else (word, "")

    def _going(self) -> bool:
        """Step over "going to" and the like before a verb."""
        begin, at = self._at, self._index_next()
        words = [token[0] for token in self._tokens[at : at + 3]]
        if words[:1] == ["gonna"]:
            self._at = at + 1
        elif (
            words[:2] in (["going", "to"], ["planning", "to"], ["about", "to"], ["hoping", "to"])
            and (words[2:3] or [""])[0] in FORMS
        ):
            self._at = at + 2
        else:
            return False
        for word, _, _ in self._tokens[begin:at]:
            self._qualifier(word)
        self._modality = Modality.PLANNED
        return True

    def _next(self) -> tuple[str, int, int]:
        at = self._index_next()
        for word, _, _ in self._tokens[self._at : at]:
            self._qualifier(word)
        self._at = at + 1
        return self._tokens[at]

    def _skipped(self, end: int) -> int:
        """Where the rest starts once the qualifiers behind "be" are read."""
        while self._at < len(self._tokens):
            word, _, after = self._tokens[self._at]
            self._at += 1
            if not self._qualifier(word):
                break
            end = self._tokens[self._at - 1][2] if word == "no" else after
        return end

    def _end(self, word: str, start: int, end: int, *, passive: bool = False) -> Predicate:
        base, form = ("be", "base") if word == "be" else ("have", "base") if word == "have" else form_of(word)
        tail = self._text[end:]
        return Predicate(
            verb=base,
            rest=tail.lstrip(" ,:"),
            head=start,
            start=end + len(tail) - len(tail.lstrip(" ,:")),
            past=self._past
            or (form == "past" and not self._perfect and not passive and word not in PAST_WHEN_BARE | {"put"})
            or (word in PAST_WHEN_BARE and not self._be and not self._negated),
            perfect=self._perfect,
            progressive=form == "ing" or (self._be and form == "ing"),
            passive=passive,
            negated=self._negated,
            ends=self._ends or bool(self._negated and _ANYMORE.search(self._text)),
            habit=self._habit,
            early=self._early,
            able=self._able,
            modality=self._modality,
        )


_ANYMORE: Final = re.compile(r"\bany ?more\b|\bany longer\b", re.IGNORECASE)


def agreeing(text: str) -> str:
    """`text`, what follows "I", with its finite verb made to follow a name: "'m tired" → "is tired", "run" → "runs"."""
    at = 0
    for token in TOKEN.finditer(text):
        word = token[0].lower()
        if word in ADVERBS or word in ("never", "no", "longer", "not"):
            at = token.end()
            continue
        return text[: token.start()].lstrip() + _agree(word, token[0]) + text[token.end() :]
    return text[at:] if at else text


def _agree(word: str, said: str) -> str:
    if word in AGREED:
        return AGREED[word]
    if word in MODALS or word in BE or word in HAVE or word in DO or word in ("used", "been"):
        return said
    base, form = form_of(word)
    if form == "base" and word not in ("can", "put", "quit", "hit", "cut", "let", "wish", "born") and word in FORMS:
        return third(base)
    if word == "wish":
        return "wishes"
    if form == "base" and word.isalpha() and word not in FORMS and word.isascii():
        return third(word)
    return said
