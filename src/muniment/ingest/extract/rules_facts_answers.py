"""Answers that say little by themselves: "Gold", "Yes, two", "Me too", read with the words they answer.

Rule of this file: only the last record of the other side, and only the first sentence of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from muniment.ingest.extract.rules_facts_asked import answered
from muniment.ingest.extract.rules_facts_clauses import Clause, Person, clauses, opened
from muniment.ingest.extract.rules_facts_verbs import parse
from muniment.ingest.extract.rules_sentence import Context, Sentence
from muniment.ingest.extract.rules_slots import Slot, solid, value_of
from muniment.ingest.extract.words_facts_asked import OBJECT, SUBSTITUTED
from muniment.ingest.extract.words_slots import QUESTIONS, SAID_AS, TIER
from muniment.types import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an answer comes to: a filled slot put into words (`said` follows the subject), or a clause in the first person."""

    slot: Slot | None = None
    said: str = ""
    clause: Clause | None = None
    negated: bool = False


_QUESTION: Final = re.compile(r"[^.!?\n]{3,200}\?")
_ASKED: Final = tuple((re.compile(pattern, re.IGNORECASE), attribute) for pattern, attribute in QUESTIONS)
_FREE_TIME: Final = re.compile(
    r"what (?:do|else do) you (?:like to |enjoy )?(?:do|doing)\b.*\b(?:fun|free time|spare "
    r"time|hobby|hobbies|weekends?)|(?:any|what are your) (?:hobbies|interests)",
    re.IGNORECASE,
)
_CLOSED: Final = re.compile(
    r"(?:.*[,;] |.*\b(?:and|so|but) )?(?:(?P<aux>do|did|have|are|can|were) (?:you|u|ya)|(?<![^,; ])you) "
    r"(?:also |still |even |ever |guys |currently |really |happen to )*(?P<rest>[^?]{3,120})\?",
    re.IGNORECASE,
)
_YOURS: Final = re.compile(
    r"\b(?:what|which|who)(?:'s| is| are| about| would be)? (?:yours?|you)\b[^?]{0,20}\?|"
    r"\band (?:yours?|you)\?|how about (?:yours?|you)",
    re.IGNORECASE,
)
_FAVOURED: Final = re.compile(
    r"\b(?:favou?rite|fave?) (?P<what>[a-z]+(?: (?!is|are|was|has|does|would|of|to|in)[a-z]+)?)\b",
    re.IGNORECASE,
)
_NOT_ASKED: Final = re.compile(
    r"(?:think|know|mean|want me|need|agree|remember|see|believe|like (?:it|that|this|"
    r"them)|hear|feel|sure|okay|ok|there|ready|doing|kidding|serious|recommend)\b",
    re.IGNORECASE,
)
_YES: Final = re.compile(
    r"(?:yes|yeah|yea|yep|yup|ya|sure do|of course|absolutely|definitely|certainly|i do\b(?! "
    r"not)|i am\b(?! not)|i have\b(?! not| n)|i sure do|indeed)\b(?! (?:i )?(?:not|don))",
    re.IGNORECASE,
)
_NO: Final = re.compile(
    r"(?:(?:no|nope|nah|not really|never|not yet|unfortunately not|sadly no)\b|(?:no,? "
    r")?i(?: do not|'m not| am not| don't| haven't| have not| did not| didn't| can't)\s*(?:[,.!]|"
    r"$|but\b|yet\b))",
    re.IGNORECASE,
)
_TOO: Final = re.compile(
    r"(?:(?:oh|wow|yes|yeah|cool|nice|awesome|great|haha|that's (?:cool|great|awesome|"
    r"nice))[\s,.!]+)*(?:me too|same here|so do i|so am i|so have i|i do too|i am too|"
    r"i love (?:it|them|that) too|as do i|me as well|me either|me neither)\b",
    re.IGNORECASE,
)
_BARE: Final = re.compile(
    r"^(?:(?:it|that|mine|she|he)(?:'s| is| would be| has to be| was)|i'm(?: on| in| from|"
    r" at)?|i am(?: on| in| from| at)?|i(?: have| use| like| love| prefer| live in| work "
    r"(?:at|for|as))|probably|maybe|on|in|at|as|from|my favou?rite is)\s+"
    r"(?:probably |definitely |on |in |at |from |as |also )*(?:the |a |an )?|^(?:the|a|an|definitely|probably)\s+",
    re.IGNORECASE,
)
_MINE: Final = re.compile(r"(?:\w+[,!.]? ){0,2}mine (?:is|are|would be|has to be|was)\b", re.IGNORECASE)
_COUNT: Final = re.compile(
    r"(?:(?:yes|yeah|yep|just|only|about|i do)[,!.]? )*(?P<v>(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"several|a few|a couple(?: of)?) [a-z][a-z' -]{2,40}?)\s*(?:$|[.,!;]| (?=\d|and \d|but|who|so)\b)",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(r"\b(?:or|what|how|which)\b", re.IGNORECASE)
_OPEN: Final = re.compile(r"\b(?:what|how|which)\b", re.IGNORECASE)
_AUX: Final = {"do": "", "did": "did ", "have": "have ", "are": "am ", "can": "can ", "were": "was "}
_LONGEST_BARE = 8


def other_before(context: Context, speaker: str) -> Record | None:
    """The record this one answers, when it is the other side's."""
    last = context.before[-1] if context.before else None
    return last if last is not None and last.speaker != speaker else None


def answers(sentence: Sentence, context: Context, own: int) -> Iterator[Answer]:
    """What `sentence` says only together with the question before it. `own` is how many statements it makes by itself."""
    head = context.record.text[: sentence.start]
    if head.strip(" \"'“*-\n"):
        if own == 0 and _MINE.match(sentence.text):
            yield from _own_question(sentence.text, head)
        return
    before = other_before(context, context.record.speaker)
    if before is None:
        return
    asked = [found[0] for found in _QUESTION.finditer(before.text[-400:].replace("\u2019", "'"))]
    if _TOO.match(sentence.text) and not own:
        yield from _same(before.text.replace("\u2019", "'"))
        return
    if not asked:
        if own == 0 and _MINE.match(sentence.text):
            yield from _bare(sentence.text, _spelled("", before.text, mine=True))
        return
    question = asked[-1].strip()
    if own == 0:
        found = list(_bare(sentence.text, _spelled(question, before.text, mine=bool(_MINE.match(sentence.text)))))
        found += _counted(sentence.text, question) if not found else ()
        if not found and not _NO.match(sentence.text) and (after := answered(question, sentence.text)):
            found = [Answer(clause=_said(after))]
        yield from found or _standing_in(sentence.text, question)
    yield from _yes_no(sentence.text, question)


_OBJECT: Final = re.compile(OBJECT, re.IGNORECASE)
_STANDS_IN: Final = re.compile(r"(?P<v>one|it|them|any|those|that|either|some|both)\b(?! \w+ing)", re.IGNORECASE)


def _standing_in(text: str, question: str) -> Iterator[Answer]:
    """What "I'd like one" and "I love it" say of what was asked about: "Do you have a pet?"."""
    closed = _CLOSED.match(question)
    asked = _OBJECT.match(closed["rest"]) if closed is not None else None
    if asked is None or not solid(asked["v"]) or _YOU_OR_IT.search(asked["v"]):
        return
    for clause in clauses(text):
        found = _STANDS_IN.match(clause.predicate.rest)
        if clause.person is not Person.SELF or found is None or clause.predicate.verb not in SUBSTITUTED:
            continue
        start = clause.predicate.start
        thing = asked["v"] if found["v"].lower() != "one" else re.sub(r"^(?:any|some) ", "a ", asked["v"])
        thing = re.sub(r"^any ", "", thing) if found["v"].lower() != "any" else thing
        yield Answer(
            clause=_said(f"{clause.after[:start]}{thing}{clause.after[start + found.end() :]}"), negated=clause.predicate.negated
        )
        return


_YOU_OR_IT: Final = re.compile(r"\b(?:you|your|it|that|this|them|there|one)\b", re.IGNORECASE)


def _own_question(text: str, head: str) -> Iterator[Answer]:
    """What "mine is pink" says behind one's own question: "What is your favourite colour?", "Do you have a hobby?"."""
    asked = [found[0] for found in _QUESTION.finditer(head[-300:])]
    if not asked or not head.rstrip().endswith("?"):
        return
    found = list(_bare(text, asked[-1].strip()))
    of = _OF.search(asked[-1])
    if not found and of is not None and (value := _MINE.sub("", text, count=1).strip(" .!,")):
        found = [Answer(clause=_said_of(f"my {of['what']}", f"is {value}"))]
    yield from found


_OF: Final = re.compile(r"\b(?:your|have an?|have any) (?P<what>[a-z]+(?: [a-z]+)?)\s*\?", re.IGNORECASE)


def _said_of(subject: str, after: str) -> Clause | None:
    """A clause about what is the speaker's."""
    said = _said(after)
    return None if said is None else replace(said, text=f"{subject} {after}", person=Person.OWNED, subject=subject, implied=False)


def _spelled(question: str, text: str, *, mine: bool = False) -> str:
    """Put into "What is yours?" what it asks for, where the words before tell; `mine` is an answer that says so itself."""
    found = _FAVOURED.search(text[-400:]) if mine or _YOURS.search(question) else None
    return question if found is None else f"what is your favourite {found['what']}?"


def _bare(text: str, question: str) -> Iterator[Answer]:
    said = text[opened(text) :].strip()
    said = _BARE.sub("", said, count=1).strip(" .!,")
    value = value_of(said)
    if not value or len(value.split()) > _LONGEST_BARE or "?" in text:
        return
    for pattern, attribute in _ASKED:
        found = pattern.search(question)
        if found is None:
            continue
        if attribute in ("age", "phone") and not any(c.isdigit() for c in value) and not value.startswith("[phone:"):
            return
        if not (solid(value) or attribute in ("age", "phone")) or not _fits(attribute, value):
            return
        if attribute == "favourite":
            what = value_of(found["what"]).lower()
            yield Answer(slot=Slot(attribute=f"favourite:{what}", value=value), said=f"{SAID_AS['favourite']} {what} is {value}")
        else:
            value = re.sub(rf"\s+{TIER}$", "", value, flags=re.IGNORECASE) if attribute == "plan" else value
            yield Answer(slot=Slot(attribute=attribute, value=value), said=f"{SAID_AS[attribute]} {value}")
        return
    if _FREE_TIME.search(question) and solid(value):
        yield Answer(slot=Slot(attribute=f"likes:{value.lower()}", value="likes"), said=f" likes {value}")


def _counted(text: str, question: str) -> Iterator[Answer]:
    """How many one has, where it was asked whether one has any: "Do you have kids?" "Two girls."""
    closed, found = _CLOSED.match(question), _COUNT.match(text)
    if closed is None or found is None or not closed["rest"].lower().startswith(("have ", "own ", "got ")):
        return
    yield Answer(clause=_said(f"have {found['v'].lower()}"))


def _said(after: str) -> Clause | None:
    """A clause of the speaker that an answer comes to."""
    predicate = parse(after)
    if predicate is None:
        return None
    return Clause(
        text=f"I {after}",
        start=0,
        end=0,
        person=Person.SELF,
        subject="I",
        subject_at=0,
        after=after,
        predicate=predicate,
        implied=True,
    )


def _fits(attribute: str, value: str) -> bool:
    """Whether a bare answer looks like a value of that attribute."""
    if value.startswith(f"[{attribute}:"):
        return True
    if attribute == "email":
        return "@" in value
    if attribute == "birthday":
        return any(c.isdigit() for c in value) or any(c.isupper() for c in value)
    return len(value.split()) <= (4 if attribute in ("name", "lives_in", "origin", "plan", "works_at") else _LONGEST_BARE)


def _yes_no(text: str, question: str) -> Iterator[Answer]:
    yes, no = _YES.match(text), _NO.match(text)
    if not (yes or no):
        return
    closed = _CLOSED.match(question)
    if closed is None or _NOT_ASKED.match(closed["rest"]) or (_CHOICE if yes else _OPEN).search(closed["rest"]):
        return
    rest = re.split(r",|\b(?:too|as well|yourself|by any chance|or|though|at all|by chance)\b", closed["rest"], maxsplit=1)[
        0
    ].strip()
    rest = re.sub(r"\b(?:any(?:thing)?|much)\s+(?=\w)", "", rest, flags=re.IGNORECASE)
    rest = re.sub(r"\byour\b", "my", re.sub(r"\byourself\b", "myself", rest))
    if not solid(rest) or re.search(r"\b(?:you|me|it|that|this|them|there|one)\b", rest, re.IGNORECASE):
        return
    aux = (closed["aux"] or "do").lower()
    after = (_NEGATED[aux] if no else _AUX[aux]) + rest
    yield Answer(clause=_said(after), negated=bool(no))


_NEGATED: Final = {
    "do": "do not ",
    "did": "did not ",
    "have": "have not ",
    "are": "am not ",
    "can": "cannot ",
    "were": "was not ",
}


def _same(text: str) -> Iterator[Answer]:
    """What the other side last said of themselves, now said by this one."""
    last = re.split(r"(?<=[.!?])\s+", text.strip())
    for part in reversed(last[-3:]):
        if part.endswith("?"):
            continue
        found = [clause for clause in clauses(part) if clause.person is Person.SELF and not clause.implied and not clause.shared]
        if found:
            yield Answer(clause=found[-1], negated=found[-1].predicate.negated)
            return
