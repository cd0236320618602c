"""Sentences cut into clauses, each with whom it is about and what it says of them.

Rule of this file: a cut is made only before a new subject, or before a verb that shares the last one; in doubt words stay
together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from muniment.ingest.extract.rules_facts_verbs import FORMS, TOKEN, Predicate, parse
from muniment.ingest.extract.words_facts import ADVERBS, BE, DO, HAVE, MODALS, NO_NAMES, OPENERS


class Person(StrEnum):
    """What kind of subject a clause has."""

    SELF = "self"
    GROUP = "group"
    OWNED = "owned"
    PRONOUN = "pronoun"
    NAMED = "named"
    THING = "thing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause of a text: `start` to `end`, the words of its subject, and the predicate, whose places count from `after`.

    `lead` is what stands before the subject ("in 2019"), `shared` marks a subject taken over from the clause before,
    `implied` one that was left out.
    """

    text: str
    start: int
    end: int
    person: Person
    subject: str
    subject_at: int
    after: str
    predicate: Predicate
    lead: str = ""
    shared: bool = False
    implied: bool = False


_WHO = r"(?:i|we|he|she|they|it|that|this|there|you|my|our|his|her|their|your|im|ive|it's|the|favou?rite)"
_CUT: Final = re.compile(
    r"\s*;\s*|\s+[-\u2013\u2014]+\s+|\.\.+\s*|(?:,\s*|\s+)(?:and|but|so|"
    r"although|though|while|or|plus|however|cuz|bc)\s+"
    rf"(?:then |now |so |also |usually |recently |currently |yes |no |sometimes )?(?={_WHO}\b)|,\s*(?={_WHO}\b)"
    r"|,?\s+because\s+(?=(?:i|we|my|our|he|she)\b)|,\s*(?:but|and|so)\s+|\s+(?=i also\b)"
    r"|,\s*(?=(?-i:(?:Dr\. )?[A-Z][\w'-]+) is (?:now )?my\b)|\s*:\s+(?=(?:i|we|my|he|she)\b)"
    r"|,?\s+since\s+(?=(?:i'm|i am|we're|it's|there's)\b)"
    r"|,?\s+(?=(?:if|when|because|so|as|since|like|than|though|do|would|can|could) (?:you|your|u)\b)",
    re.IGNORECASE,
)
_LIMIT = 2000
_PAIR: Final = re.compile(r"(?:[a-z]{2,6},? ){0,2}my [\w'-]+(?: [\w'-]+)?$", re.IGNORECASE)
_LEAD: Final = re.compile(
    r"(?:(?:in|on|at|after|before|during|since|for|from|by|with|as|last|this|next|every|"
    r"each|until|about|around|most|some|one|two|three|a few|"
    r"a couple|a (?:day|week|month|year) ago|back|growing|over|outside|besides|aside|apart|once|over)\b[^,.!?;]{1,50}?|"
    r"today|yesterday|tomorrow|tonight|recently|lately|now|right now|"
    r"sometimes|usually|mostly|nowadays|these days|last night)[ ,]+(?=(?:i|we|my|he|she|they|the)\b)",
    re.IGNORECASE,
)
_OPENER: Final = re.compile(
    r"(?:(?:(?!no longer\b|i (?:know|mean|believe|guess|think|suppose|feel like|would "
    r"say)\b(?! (?:that |i\b|i'|my |it |we |he |she ))|"
    r"(?:today|recently|currently|now|right now|sometimes|usually|mostly|lately|nowadays) "
    rf"(?!i\b|i'|my |we |he |she )|for me[a-z])(?:{OPENERS}))\b[\s,.!:;…-]*)+",
    re.IGNORECASE,
)
_FIRST: Final = re.compile(
    r"(?:i(?=['\s])|we(?=['\s])|i(?=m\b|ve\b)|(?:my|our) [\w' -]{1,40}? and i\b|me and (?:my|our) [\w'-]+(?= ))",
    re.IGNORECASE,
)
_OWNED: Final = re.compile(r"(?:(?:one|some|all|both|two|three|most) of )?(?:my|our)\s+", re.IGNORECASE)
_PRONOUN: Final = re.compile(r"(?:he|she|they)(?=['\s])", re.IGNORECASE)
_OTHER_OWNED: Final = re.compile(r"(?:his|her|their) ", re.IGNORECASE)
_NAME: Final = re.compile(r"[^\W\d_a-z][\w'.-]*(?: (?:[^\W\d_a-z][\w'.-]*|\d[\w.-]*|of|de|van|von|&))*(?='s\b|\s)")
_NEW_VERB: Final = re.compile(
    r"(?:,\s*|\s+)(?:and|but|then)\s+(?:also |then |now |just |recently |currently |usually "
    r"|always |really |still )*(?P<verb>[a-z]{2,14}|'m) "
    r"(?=(?:at|in|to|for|with|a|an|the|my|our|as|on|about|it|them|her|him|from|two|three|back)\b|[A-Z0-9])"
)
_NO_VERB: Final = re.compile(
    r"(?i:not )?(?i:really |very |still |currently |also |just |now |super |so |a )*(?:(?i:into "
    r"[a-z]|fond of |on the |based in |allergic to |married\b|divorced\b|"
    r"vegetarian|vegan|(?:huge |big )?fan of )|[Ff]rom [A-Z])",
)
_SUBORDINATE: Final = re.compile(
    r"(?:if|when|whenever|what|who|where|why|how|which|that|this|there|these|those|it|"
    r"you|your|let|please|do|does|did|are|is|was|were|can|could|"
    r"would|will|should|have you|has|may|after|before|until|unless|as|than|to|for)\b",
    re.IGNORECASE,
)
_NO_VERBS: Final = frozenset({"being", "needed", "based", "set", "put", "let", "cut"})
_BARE: Final = frozenset(["love", "loved", "hate", "prefer", "live", "work", "moved", "got", "went"])


def opened(text: str) -> int:
    """Where the statement proper starts, behind "yes", "well", "I think that" and the like."""
    found = _OPENER.match(text)
    return found.end() if found else 0


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of one sentence that have a subject and a verb, in order."""
    last: Clause | None = None
    for start, end in _pieces(text):
        for clause in _read(text, start, end):
            last = clause
            yield last


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for cut in _CUT.finditer(text, 0, _LIMIT):
        if _PAIR.match(text, start, cut.start()) and text[cut.end() : cut.end() + 2].lower() in ("i ", "my"):
            continue
        if cut.start() > start:
            yield start, cut.start()
        start = cut.end()
    if start < min(len(text), _LIMIT):
        yield start, min(len(text), _LIMIT)


def _read(text: str, start: int, end: int) -> Iterator[Clause]:
    piece = text[start:end]
    skip = opened(piece)
    start += skip
    piece = piece[skip:].rstrip(" .!,;:")
    if not piece:
        return
    lead = ""
    if found := _LEAD.match(piece):
        lead, piece, start = found[0].strip(" ,"), piece[found.end() :], start + found.end()
    elif found := _NO_VERB.match(piece):
        piece = f"am {piece[0].lower()}{piece[1:]}"
    subject = (Person.SELF, "", 0, True) if found and not lead else _subject(piece)
    if subject is None:
        return
    person, words, after, implied = subject
    first = True
    for left, right in _shared(piece, after):
        said = piece[left:right]
        predicate = parse(said)
        if predicate is not None:
            yield Clause(
                text=piece[:right] if first else said,
                start=max(0, start - len(lead) - 1) if first else start + left,
                end=min(end, start + right),
                person=person,
                subject=words,
                subject_at=start,
                after=said,
                predicate=predicate,
                lead=lead,
                shared=not first,
                implied=implied,
            )
        first = False


def _shared(piece: str, after: int) -> Iterator[tuple[int, int]]:
    """The stretches of a piece that are predicates of one subject."""
    begin = after
    for cut in _NEW_VERB.finditer(piece, after):
        verb = cut["verb"]
        known = FORMS.get(verb)
        copula = verb in ("'m", "am", "is", "was", "have", "has", "had")
        if not copula and (known is None or known[1] == "ing"):
            continue
        if not copula and known is not None and known[1] == "base" and _TO.search(piece, begin, cut.start()):
            continue
        yield begin, cut.start()
        begin = cut.start("verb")
    yield begin, len(piece)


_TO: Final = re.compile(
    r"\b(?:to|can|can't|could|will|would|might|may|should|must|'ll|'d|gonna|me|him|her|them|let|who|that|don't|do not)\b",
    re.IGNORECASE,
)


def _subject(piece: str) -> tuple[Person, str, int, bool] | None:
    """Kind and words of the subject a piece starts with, where its predicate starts, and whether it was left out."""
    if found := _FIRST.match(piece):
        words = found[0]
        return (Person.SELF if words.lower() == "i" else Person.GROUP), words, found.end(), False
    if found := _PRONOUN.match(piece):
        return Person.PRONOUN, found[0], found.end(), False
    if found := _OWNED.match(piece) or _OTHER_OWNED.match(piece):
        at = _verb_at(piece, found.end(), 7)
        return None if at is None else (Person.OWNED, piece[:at].strip(), at, False)
    if _SUBORDINATE.match(piece):
        return None
    return _named(piece) or _left_out(piece) or _thing(piece)


def _named(piece: str) -> tuple[Person, str, int, bool] | None:
    """A subject that is written like a name."""
    found = _NAME.match(piece)
    at = _verb_at(piece, found.end(), 1) if found else None
    if found is None or at is None:
        return None
    word = found[0].lower()
    if word in ADVERBS or word in NO_NAMES or FORMS.get(word, ("", "base"))[1] != "base":
        return None
    return Person.NAMED, piece[:at].strip(), at, False


def _left_out(piece: str) -> tuple[Person, str, int, bool] | None:
    """The speaker, when a piece starts with a verb only they can be the subject of ("just got back", "been working")."""
    words = [token[0].lower() for token in TOKEN.finditer(piece[:60])]
    known = next((word for word in words if word not in ADVERBS and word not in ("not", "been", "never")), "")
    if "been" in words[:3] and all(word in ADVERBS or word in ("been", "not", "never") for word in words[: words.index("been")]):
        return Person.SELF, "", 0, True
    form = FORMS.get(known, ("", ""))[1]
    if f"{known}'s" in piece[:60].lower():
        return None
    if known not in _BARE and (form not in ("past", "ing") or known in _NO_VERBS):
        return None
    if form == "ing" and not piece.lower().startswith(("trying", "been", "just")) and _verb_at(piece, len(known), 8) is not None:
        return None
    return Person.SELF, "", 0, True


_NO_THING: Final = re.compile(r",|\b(?:you|i|we|it|that)\b", re.IGNORECASE)


def _thing(piece: str) -> tuple[Person, str, int, bool] | None:
    """A subject that is a thing: a few words without a pronoun before a finite verb."""
    at = _verb_at(piece, 0, 6)
    if not at:
        return None
    words = piece[:at].strip()
    if _NO_THING.search(words):
        return None
    return None if not words or words.split()[0].lower() in NO_NAMES - {"the", "a", "an"} else (Person.THING, words, at, False)


def _verb_at(piece: str, begin: int, most: int) -> int | None:
    """Where a finite verb starts within the next `most` words; adverbs before it belong to it."""
    adverb = None
    for count, token in enumerate(TOKEN.finditer(piece, begin)):
        word = token[0].lower()
        if word in ADVERBS or word in ("no", "never"):
            adverb = token.start() if adverb is None else adverb
            most += 1
            continue
        finite = word in BE or word in HAVE or word in DO or word in MODALS or word == "used"
        if word == "'s" and not _IS.match(piece, token.end()):
            finite = False
        if finite or (
            (count or begin)
            and FORMS.get(word, ("", ""))[1] in ("s", "past")
            and word not in ("plans", "plants", "works", "ends")
        ):
            return token.start() if adverb is None else adverb
        if word == "works" and (count or begin) and _WORKS.match(piece, token.end()):
            return token.start() if adverb is None else adverb
        if (
            (count or begin > len("our "))
            and FORMS.get(word, ("", ""))[1] == "base"
            and adverb is None
            and _PLURAL.search(piece[: token.start()])
        ):
            return token.start()
        adverb = None
        if count + 1 >= most:
            return None
    return None


_WORKS: Final = re.compile(
    r"\s*$| (?:at|for|as|in|on|with|again|now|fine|well|nights|days|part|full|from|long|hard|properly|perfectly)\b"
)
_IS: Final = re.compile(r" (?:a|an|the|my|in|on|from|not|called|named|at|[a-z]+ing)\b")
_PLURAL: Final = re.compile(r"(?:[a-z]{2,}s|children|people|parents|and \w+) $")
