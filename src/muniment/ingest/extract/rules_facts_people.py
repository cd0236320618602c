"""Whom a clause is about: the speaker, their people, a name, or whoever a pronoun stands for.

Rule of this file: a subject that cannot be told gives no statement. "She" is the last "my sister",
unless a name was said since.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from muniment.ingest.extract.rules_facts_answers import other_before
from muniment.ingest.extract.rules_facts_clauses import Clause, Person
from muniment.ingest.extract.rules_facts_reword import reworded
from muniment.ingest.extract.rules_facts_verbs import FORMS, agreeing
from muniment.ingest.extract.rules_sentence import Context, Sentence
from muniment.ingest.extract.words_facts import ADVERBS, FEMALE, KIN, MALE, PERSONS
from muniment.knowledge.values import SELF
from muniment.types import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The subject as it is kept, and as it reads in a sentence."""

    subject: str
    said: str
    sure: bool = True


_KIN_WORDS: Final = PERSONS | frozenset(KIN["has_pet"])
_MY_ONE: Final = re.compile(
    r"\b(?P<whose>my|our|your)\s+(?:[a-z-]+\s+){0,2}?(?P<noun>"
    + "|".join(sorted(_KIN_WORDS, key=len, reverse=True))
    + r")\b(?!'s)(?:,?\s+(?P<name>(?-i:[A-Z][a-z]+)))?",
    re.IGNORECASE,
)
_BACK: Final = 600
_OTHERS: Final = re.compile(r"^(?P<whose>his|her|their)\b", re.IGNORECASE)


_SPELT: Final = {"'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_WE: Final = re.compile(r"^'(?:re|ve|ll|d)\b")
_FILLER: Final = re.compile(
    r"(?:,? (?:though|too|as well|lol|haha+|actually|you know|tho|i guess|of course|hehe|btw|by the way))+$", re.IGNORECASE
)


def about(clause: Clause, sentence: Sentence, context: Context, speaker: str) -> About | None:
    """Whom `clause` is about, None when nothing tells."""
    if clause.person is Person.SELF:
        return About(subject=speaker, said=speaker)
    if clause.person is Person.GROUP:
        return About(subject=speaker, said=reworded(clause.subject, speaker=speaker))
    if clause.person is Person.PRONOUN:
        who = _stands_for(clause.subject, sentence.start + clause.subject_at, context, speaker)
        return About(subject=who, said=who) if who else None
    if clause.person is Person.OWNED and (other := _OTHERS.match(clause.subject)):
        who = _stands_for(other["whose"], sentence.start + clause.subject_at, context, speaker)
        return About(subject=who, said=f"{who}'s{clause.subject[other.end() :]}") if who else None
    return About(subject=clause.subject, said=reworded(clause.subject, speaker=speaker))


def _stands_for(pronoun: str, place: int, context: Context, speaker: str) -> str:
    word = pronoun.lower()
    kin = _last_kin(word, place, context, speaker)
    return kin or context.subject(pronoun, place)


def _last_kin(word: str, place: int, context: Context, speaker: str) -> str:
    """Whom "my sister" said before stands for, as "user's sister" or by name, when a name has not been said since."""
    own = context.record.text[max(0, place - _BACK) : place]
    found = _latest(own, word, ("my", "our"))
    if found is not None:
        since = max(0, place - _BACK) + found.end()
        if any(since <= m.start < place and m.kind in ("", "person") for m in context.mentions):
            return ""
        return found["name"] or f"{speaker}'s {found['noun'].lower()}"
    for record in reversed(context.before[-2:]):
        whose = ("my", "our") if record.speaker == context.record.speaker else ("your",)
        if found := _latest(record.text[-_BACK:], word, whose):
            return found["name"] or f"{speaker}'s {found['noun'].lower()}"
    return ""


def _latest(text: str, word: str, whose: tuple[str, ...]) -> re.Match[str] | None:
    fits = None
    for found in _MY_ONE.finditer(text):
        noun = found["noun"].lower()
        many = noun.endswith("s") or noun in ("children", "twins", "triplets")
        if found["whose"].lower() not in whose or (many != word.startswith("the")):
            continue
        if (word in ("he", "his") and noun in FEMALE) or (word in ("she", "her") and noun in MALE):
            continue
        fits = found
    return fits


def worded(clause: Clause, who: About, sentence: Sentence, context: Context) -> str:
    """`clause` in the third person, with its subject named."""
    other = other_before(context, context.record.speaker)
    named = "" if other is None or other.speaker == SELF else other.speaker
    if other is not None and other.role is Role.ASSISTANT and other.speaker in ("assistant", ""):
        named = "the assistant"
    after = clause.after.strip()
    if clause.implied and not clause.subject and not clause.shared:
        after = _with_be(after)
    elif clause.person is Person.SELF or (clause.person is Person.PRONOUN and clause.subject.lower() == "they"):
        after = agreeing(after)
    elif clause.person is Person.GROUP:
        after = _WE.sub(lambda found: _SPELT[found[0]], after)
    said = reworded(after, speaker=sentence.speaker, other=named)
    lead = f" {reworded(clause.lead[0].lower() + clause.lead[1:], speaker=sentence.speaker)}" if clause.lead else ""
    joined = f"{who.said}{said}" if said.startswith("'") else f"{who.said} {said}"
    return (_FILLER.sub("", joined.strip(" .!,;:")) + lead).strip(" .!,;:")


def _with_be(after: str) -> str:
    """A clause without subject and perhaps without its auxiliary, made to follow a name."""
    first = next((w for w in re.findall(r"[^\W_]+", after.lower()) if w not in ADVERBS and w != "not"), "")
    if first == "been":
        return "has " + after[0].lower() + after[1:]
    if FORMS.get(first, ("", ""))[1] == "ing":
        return "is " + after[0].lower() + after[1:]
    return agreeing(after[0].lower() + after[1:])
