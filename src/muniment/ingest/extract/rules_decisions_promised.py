"""Commitments and outcomes in English: who promised what by when, what was kept or given up, and what came of something.

Rule of this file: pure and linear. "Will" alone promises nothing: it takes a deed and somebody who can do it.
"""

# ruff: noqa: RUF001, E501  typographic signs; a pattern reads best unbroken

from __future__ import annotations

import re
from dataclasses import dataclass

from muniment.ingest.extract import words_decisions as words
from muniment.knowledge.decisions import FINISHING

_NAME = r"[A-Z][\w'’-]{1,20}(?: [A-Z][\w'’-]{1,20})?"
_WILL = re.compile(
    rf"\b(?P<who>(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey)|{_NAME}(?: and (?:I|{_NAME}))?|(?:[Tt]he|[Oo]ur|[Mm]y)(?: [a-z]{{2,16}}){{1,2}})"
    r"(?:['’]ll| will| shall|['’](?:m|re|s) going to| (?:am|is|are) going to|['’]m gonna|['’]re gonna)"
    r"(?: (?:also|then|just|definitely|personally|make sure to|be sure to|go ahead and|gladly|happily|still|now))*"
    r" (?P<what>(?P<verb>[a-z][a-z-]{1,14})\b[^.;!?\n]{0,200})"
)
_PROMISE = re.compile(
    rf"\b(?P<who>(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey)|{_NAME})(?:['’](?:ve|d|m|s|re)| has| have| had| am| is| are| just| also| already)* "
    rf"(?P<promise>{words.PROMISE}) (?P<what>[^.;!?\n]{{2,200}})"
)
_OWNED = re.compile(rf"^(?:[^\w\s]{{1,3}} ?)?(?:{words.OWNED})(?P<what>[^\n]{{3,200}})$", re.IGNORECASE)
_OWNER = re.compile(rf"^(?P<who>{_NAME})(?: to | will |: | – | - )(?P<what>.{{3,200}})$")
_MEET = re.compile(rf"\b{words.MEET}(?P<rest>[^.;!?\n]{{0,160}})", re.IGNORECASE)
_YOU_GET = re.compile(r"\b[Yy]ou(?:['’]ll| will) (?:get|have|receive|hear)(?P<what> [^.;!?\n]{2,160})")
_NOT_DUTY = re.compile(words.NOT_DUTY, re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:if|unless|whether|maybe|perhaps|might|probably|hopefully|suppose|imagine|would|could|doubt|hope|wish|when|until|wonder)\b",
    re.IGNORECASE,
)
_NO_VERB = frozenset(
    {"the", "a", "an", "my", "our", "his", "her", "their", "this", "that", "be", "it", "these", "those", "you", "him", "them"}
)
_HEDGE_AFTER = re.compile(r"^(?:maybe|perhaps|probably|try|see|think|not|never)\b", re.IGNORECASE)
_TO_SOMEONE = re.compile(r"\b(?:you|him|her|them|us|the (?:team|client|customer|board))\b", re.IGNORECASE)
_OUTCOME = re.compile(words.OUTCOME)
_PRONOUN = re.compile(r"(?:it|that|this|things?|everything)\b")
_OUTCOME_NAMED = re.compile(words.OUTCOME_NAMED)
_OUTCOME_CUE = re.compile(words.OUTCOME_CUE)
_REFERS = re.compile(words.REFERS, re.IGNORECASE)
_HEDGED = re.compile(
    r"\b(?:would|could|might|may|hope|hopefully|should|if|expect|wish|will|['’]ll|going to|maybe|probably|what if|whether)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promised:
    """A commitment as told: who promised ("" the speaker), where that stands, what, and the words for doing it."""

    who: str
    place: int
    what: str
    joins: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CameOut:
    """An outcome as told; `refers` marks one that names nothing itself ("That worked")."""

    refers: bool
    loose: bool = False
    """True where that stands inside a sentence about something else: it is one of a decision told before, or none."""
    named: str = ""
    """The name of what came out, where it is told by that alone."""


def promised(text: str, *, timed: bool) -> Promised | None:  # noqa: PLR0911  one wording after the other
    """The first commitment one sentence tells. `timed` says that a time stands in it, which makes a doubtful deed a promise."""
    if text.rstrip(" \"'”’)").endswith(("?", "？")):
        return None
    if found := _PROMISE.search(text):
        return _taken(text, found, found["promise"])
    for number, found in enumerate(_WILL.finditer(text)):
        if number > 3 or _unsure(text[: found.start()]):  # noqa: PLR2004  a sentence with more is no promise
            return None
        if _is_duty(found, timed=timed):
            return _taken(text, found, "will")
    if found := _OWNED.match(text):
        return _owned(found)
    if (found := _MEET.search(text)) and timed and not _UNSURE.search(text[: found.start()]):
        what = text[found.start() : found.end()].strip()
        return Promised(
            who="let's", place=found.start(), what=what[6:].strip(), joins="will", start=found.start(), end=found.end()
        )
    if (found := _YOU_GET.search(text)) and timed and not _unsure(text[: found.start()]):
        what = text[found.start() : found.end()].strip()
        return Promised(who="", place=found.start(), what=what, joins="promised:", start=found.start(), end=found.end())
    return None


def _taken(text: str, found: re.Match[str], joins: str) -> Promised | None:
    if _unsure(text[: found.start()]) or found["who"].casefold() in ("it", "there", "this", "that", "what", "when", "if"):
        return None
    return Promised(
        who=found["who"], place=found.start(), what=found["what"].strip(" ,"), joins=joins, start=found.start(), end=found.end()
    )


def _unsure(front: str) -> bool:
    return bool(_UNSURE.search(front[-40:]))


def _is_duty(found: re.Match[str], *, timed: bool) -> bool:
    what, verb, who = found["what"], found["verb"], found["who"]
    if _HEDGE_AFTER.match(what) or (
        _NOT_DUTY.match(what) and not (timed and verb in ("take", "make", "call", "get", "give", "turn"))
    ):
        return False
    if verb == "get" and "back to" not in what and not timed:
        return False
    if verb in _NO_VERB:
        return False
    mine = who.casefold() in ("i", "we")
    if verb in words.DUTY or what.startswith("have "):
        if what.startswith("have "):
            return mine and timed and bool(re.search(r"\b(?:ready|done|finished|for you|over to you|by)\b", what))
        return mine or timed or bool(_TO_SOMEONE.search(what))
    return mine and timed and verb not in ("be", "have", "know", "need", "turn", "feel", "want", "like", "love", "miss")


def _owned(found: re.Match[str]) -> Promised | None:
    named = next((found[name] for name in ("for", "in", "box") if found[name]), "")
    what, start = found["what"].strip(), found.start("what")
    if not named and (owner := _OWNER.match(what)):
        named, what, start = owner["who"], owner["what"], start + owner.start("what")
    if not named:
        return None
    return Promised(who=named, place=found.start(), what=what.rstrip(" ."), joins="is to", start=start, end=found.end())


def came_out(text: str) -> CameOut | None:
    """Whether one sentence tells how something came out; None when it does not, or only hopes so."""
    low = text.lower()
    found = _OUTCOME.search(low) or (_OUTCOME_NAMED.search(text) if _OUTCOME_CUE.search(low) else None)
    if found is None or text.rstrip(" \"'”’)").endswith(("?", "？")):
        return None
    if _HEDGED.search(low[: found.end()]):
        return None
    named = found.groupdict().get("what") or ""
    opens = bool(_REFERS.match(text)) and not named
    loose = not opens and not named and bool(_PRONOUN.match(found[0]))
    return CameOut(refers=opens or loose, loose=loose, named=named if named[:1].isupper() else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The end of a commitment as told: whose ("" anybody's), where that stands, the deed, and whether it was done or given up."""

    who: str
    place: int
    deed: str
    done: bool


_KEPT = re.compile(
    rf"(?:^|[,;:.–—!] |\band |\bbut )(?:(?P<who>I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|(?!Just|Finally|Already|And|But|So|Then|Also){_NAME})(?:['’](?:ve|s)| have| has)?(?: just| now| already| finally| also| both| managed to)* |(?:[Jj]ust |[Ff]inally |[Aa]lready )?)"
    r"(?P<verb>[A-Za-z-]{3,14}) (?P<what>[^.;!?\n]{2,160})"
)
_DONE = re.compile(
    r"(?:^|[,;:.–—!] |\band |\bbut )(?P<what>(?:the |my |our |your |that |this |both |all (?:the )?)?[\w'’/-]+(?: [\w'’/-]+){0,6}?)(?: (?:is|are|was|were|has been|have been)|['’]s)(?: (?:now|just|already|finally|all|both))* (?P<verb>[a-z-]{3,14})\b"
)
_FINISHED_WITH = re.compile(
    r"\b(?P<who>I|[Ww]e)(?:['’](?:m|re)| am| are)(?: now| finally| all)? (?:done|finished|through) with (?P<what>[^.;!?\n]{2,160})"
)
_GIVEN_UP = re.compile(
    rf"\b(?P<who>I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|{_NAME})(?: can['’]?t| cannot| won['’]?t(?: be able to)?| will not(?: be able to)?|['’](?:m|re) (?:no longer |not )(?:going to|able to)?| (?:am|are|is) (?:no longer |not )(?:going to|able to)| (?:am|is|are) unable to|"
    r" (?:have|has|had|need|needs|must)(?: to)? (?:cancel|drop|skip|pull out of|back out of|bow out of|call off|withdraw from)|['’](?:m|re) (?:cancelling|canceling|dropping|skipping|pulling out of|backing out of|bowing out of|calling off)| (?:am|are|is) (?:cancelling|canceling|dropping|skipping|pulling out of|backing out of)|"
    r" (?:cancelled|canceled|dropped|pulled out of|backed out of|called off)) (?P<what>[^.;!?\n]{2,160})"
)


def settled(text: str) -> Settled | None:
    """How one sentence tells that something promised was done or will not be; which promise that was is for settling to find."""
    if text.rstrip(" \"'”’)").endswith(("?", "？")):
        return None
    if (found := _GIVEN_UP.search(text)) and not _unsure(text[: found.start()]):
        return Settled(who=found["who"], place=found.start(), deed=found["what"].strip(" ,"), done=False)
    if found := _FINISHED_WITH.search(text):
        return Settled(who=found["who"], place=found.start(), deed=f"finish {found['what'].strip(' ,')}", done=True)
    for pattern in (_KEPT, _DONE):
        for found in pattern.finditer(text):
            verb = _past_of(found["verb"].casefold())
            if verb and not _UNSURE.search(text[: found.start("verb")]):
                who = (found.groupdict().get("who") or "") if pattern is _KEPT else "*"
                return Settled(who=who, place=found.start(), deed=f"{verb} {found['what'].strip(' ,')}", done=True)
    return None


def _past_of(word: str) -> str:
    """The verb of duty that `word` is the past of; "" for none."""
    if word in words.IRREGULAR:
        return words.IRREGULAR[word]
    if not word.endswith("ed"):
        return ""
    known = words.DUTY | FINISHING
    near = (word[:-2], word[:-1], word[:-3], word[:-3] + "y" if word.endswith("ied") else "")
    return next((one for one in near if one in known), "")
