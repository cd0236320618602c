"""What a sentence does in the talk, whether it is denied, and how surely it is said.

Rule of this file: words alone decide, first match first; every pattern runs in linear time on at most `LONGEST` characters. Cues
are looked for in small letters, which is several times as fast as a search that minds no case.
"""

# ruff: noqa: RUF001  punctuation of other scripts

from __future__ import annotations

import re
import unicodedata
from typing import Final

from muniment.ingest.extract import words_classify as words
from muniment.ingest.extract.rules_corrections import repairs
from muniment.ingest.extract.rules_sentence import Function
from muniment.knowledge.values import Modality

LONGEST: Final = 600
"""Characters of a sentence that are looked at for cues."""

_FLAGS: Final = re.IGNORECASE
_PRAISE: Final = re.compile(words.PRAISE)
_LETTERS: Final = (
    r"(?:[^\W_]|[\u0300-\u036f\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])+"
)
_TOKEN: Final = re.compile(rf"{_LETTERS}(?:['’.-]{_LETTERS})*")
_ASCII_TOKEN: Final = re.compile(r"[a-zA-Z0-9]+(?:['.-][a-zA-Z0-9]+)*")
_DENSE: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_DENSE_PER_WORD: Final = 2
_MOST_ACK: Final = 9
_MOST_GREETING: Final = 6

_GREETING: Final = re.compile(
    rf"\W*(?:(?:{words.GREETINGS}|{words.HOW_ARE_YOU})(?!\w)\W*){{1,3}}(?:(?:there|all|everyone|everybody|team|again|guys"
    rf"|folks|today|to you|my friend|[^\W\d_]{{2,20}})\W*){{0,2}}"
)
_GREETED: Final = re.compile(
    rf"(?:{words.GREETINGS})(?:,? (?:there|all|everyone|everybody|team|again|guys|folks"
    rf"|[A-Z][a-z]{{1,15}}))?\s*[,!.—–-]+\s*(?=\S)",
    _FLAGS,
)
_LEADS: Final = re.compile(
    r"(?:(?:well|so|oh|ah|hey|yes|yeah|yep|ok|okay|also|btw|by the way|fyi|for your information|just so you know"
    r"|for the record|note that|please note(?: that)?|keep in mind(?: that)?"
    r"|(?:please |can you |could you )?(?:remember|note|don't forget|know)(?: for me)? that)[,:]?\s+)(?=\S)",
    _FLAGS,
)
_QUESTION: Final = re.compile(
    rf"[?？؟;՞]\W*$|^(?:{words.AUXILIARY})\b|^(?:so |and |but )?(?:{words.WH})\b(?!.*!$)|^(?:{words.INDIRECT})\b"
)
_ASKS_AFTER: Final = re.compile(
    rf"[,;] (?:so |and |but )?(?=(?:{words.AUXILIARY}|{words.WH}|any (?:ideas?|tips|suggestions|recommendations))\b)", _FLAGS
)
_ASKS_YOU: Final = re.compile(
    r"(?:I|I'm|I've|My|We)\b(?! w(?:onder|as wonder))[^,;?]{20,300}?\w (?=(?:would|could|can|do|did|have|are) you\b)", _FLAGS
)
_CONTRAST: Final = re.compile(r"[,;] (?:but|whereas|although|though|while) (?=(?:i|we|he|she|they|my|our)\b)|; (?=\w)", _FLAGS)
_PAUSE: Final = re.compile(r"[,;\u2014\u2013] ")
_TAIL: Final = 80
"""Characters at the end of a sentence where a slip of the tongue is put right."""
_OTHER_QUESTION: Final = re.compile(words.OTHER_QUESTIONS)
_INSTRUCTION: Final = re.compile(words.INSTRUCTION)
_CUES: Final = tuple(
    (function, re.compile(english), re.compile(other))
    for function, english, other in (
        (Function.DECISION, words.DECISION, words.OTHER_DECISIONS),
        (Function.COMMITMENT, words.COMMITMENT, words.OTHER_COMMITMENTS),
        (Function.PREFERENCE, words.PREFERENCE, words.OTHER_PREFERENCES),
        (Function.EVENT, words.EVENT, words.OTHER_EVENTS),
    )
)
_OTHER_INSTRUCTION: Final = re.compile(words.OTHER_INSTRUCTIONS)
_OPINION: Final = re.compile(words.OPINION)
_NEGATOR: Final = re.compile(words.NEGATORS)
_NO_NEGATOR: Final = re.compile(words.NOT_NEGATORS)
_OTHER_NEGATOR: Final = re.compile(words.OTHER_NEGATORS)
_BEHIND: Final = re.compile(words.BEFORE_MAIN)
_SHORTEST_CLAUSE: Final = 6
_SUBORDINATE: Final = re.compile(words.SUBORDINATE)
_IRREAL: Final = re.compile(words.IRREAL)
_MODALITIES: Final = tuple(
    (modality, re.compile(cues))
    for modality, cues in (
        (Modality.WISHED, words.WISHED),
        (Modality.CONDITIONAL, words.CONDITIONAL),
        (Modality.POSSIBLE, words.POSSIBLE),
        (Modality.PLANNED, words.PLANNED),
    )
)
_APOSTROPHES: Final = str.maketrans({"’": "'", "ʼ": "'", "‘": "'"})
_LETTER: Final = re.compile(r"[^\W\d_]")


def tokens(text: str) -> tuple[str, ...]:
    """Casefolded words; in scripts without spaces, runs of letters."""
    return tuple(_words(plain(text).casefold()))


def _words(part: str) -> list[str]:
    found: list[str] = (_ASCII_TOKEN if part.isascii() else _TOKEN).findall(part)
    return found


def length(text: str) -> int:
    """How many words the first `LONGEST` characters have; two letters of a script without spaces count as one."""
    part = text[:LONGEST]
    if part.isascii():
        return len(_words(part))
    dense = len(_DENSE.findall(part))
    return len(_words(_DENSE.sub(" ", part))) + -(-dense // _DENSE_PER_WORD)


def plain(text: str) -> str:
    """What the cues are looked for in: the first `LONGEST` characters with plain apostrophes."""
    part = text[:LONGEST]
    return part if part.isascii() else part.translate(_APOSTROPHES)


def _low(text: str) -> str:
    return plain(text).lower()


def opening(text: str) -> int:
    """How many characters of greeting and of "by the way", "remember that" stand before what a sentence says."""
    part = plain(text)
    at = 0
    for _ in range(3):
        found = _GREETED.match(part, at) or _LEADS.match(part, at)
        if found is None:
            return at
        at = found.end()
    return at


def clauses(text: str) -> list[int]:
    """Where, inside one sentence, a question follows a statement or a contrast begins: both are judged by themselves."""
    part = plain(text)
    cuts = {found.end() for found in _CONTRAST.finditer(part)}
    tail = max(0, len(part) - _TAIL)
    cuts |= {found.end() for found in _PAUSE.finditer(part, tail) if repairs(part, found.end())}
    if asked := _ASKS_AFTER.search(part) or (_ASKS_YOU.match(part) if part.rstrip().endswith("?") else None):
        cuts.add(asked.end())
    return sorted(cut for cut in cuts if _LETTER.search(part, 0, cut) and _LETTER.search(part, cut))


def function_of(text: str) -> Function:
    """What the sentence does."""
    part = _low(text).strip(' \t*_~>-–—•"“”«»')
    if acknowledges(part):
        return Function.ACKNOWLEDGEMENT
    if len(part) < 60 and len(tokens(part)) <= _MOST_GREETING and _GREETING.fullmatch(part):  # noqa: PLR2004  longer ones say more
        return Function.GREETING
    if _QUESTION.search(part) or _OTHER_QUESTION.search(part):
        return Function.QUESTION
    told = _told(part)
    if _INSTRUCTION.search(part) and told is not Function.DECISION:
        return Function.INSTRUCTION
    if not part.isascii() or told is None:
        told = told or (Function.INSTRUCTION if _OTHER_INSTRUCTION.search(part) else None)
    if told in (None, Function.EVENT) and _OPINION.search(part):
        return Function.OPINION
    return told or Function.STATEMENT


def _told(part: str) -> Function | None:
    for function, english, other in _CUES:
        if english.search(part) or other.search(part):
            return function
    return None


def acknowledges(text: str) -> bool:
    """True for "ok", "thanks a lot", "👍" and the like, in small letters: nothing but such words, and few of them."""
    if len(text) > 80:  # noqa: PLR2004  characters; longer ones say more
        return False
    if _PRAISE.match(text):
        return True
    found = tokens(text)
    if not found:
        return not any(unicodedata.category(c)[0] in "LN" for c in text)
    return (
        len(found) <= _MOST_ACK
        and any(word in words.ACKNOWLEDGEMENTS for word in found)
        and all(word in words.ACKNOWLEDGEMENTS or word in words.ACK_FILLERS for word in found)
    ) or " ".join(found) in words.ACK_PHRASES


def answers_briefly(text: str) -> bool:
    """True for a bare yes or no, which says something where it answers a question."""
    found = tokens(text)
    return bool(found) and found[0] in words.BARE_ANSWERS


def negated(text: str) -> bool:
    """True when the main clause denies; two denials of one clause undo each other."""
    part = _low(text)
    if part.isascii() and not any(hint in part for hint in words.NEGATION_HINTS):
        return False
    if _BEHIND.match(part) and "," in part:
        part = part[part.index(",") + 1 :]
    cut = _SUBORDINATE.search(part, min(len(part), _SHORTEST_CLAUSE))
    clause = part[: cut.start()] if cut else part
    clause = _NO_NEGATOR.sub(" ", clause)
    count = len(_NEGATOR.findall(clause))
    if not count and not clause.isascii():
        count = len(_OTHER_NEGATOR.findall(clause))
    elif not count:
        count = 1 if _OTHER_NEGATOR.search(clause) and not _NEGATOR.search(part) else 0
    return count % 2 == 1


def irreal(text: str) -> bool:
    """True for what is only imagined: "if I were", "suppose", "would have"."""
    return _IRREAL.search(_low(text)) is not None


def conditional(text: str) -> bool:
    """True for what is said to be so under a condition, or only imagined."""
    part = _low(text)
    return _IRREAL.search(part) is not None or _first(part) is Modality.CONDITIONAL


def modality_of(text: str, function: Function) -> Modality:
    """How surely the sentence is said to be so. What was decided is decided, whenever it is to happen."""
    if function is Function.QUESTION:
        return Modality.ASKED
    part = _low(text)
    if _IRREAL.search(part):
        return Modality.CONDITIONAL
    found = _first(part)
    return Modality.ASSERTED if found is Modality.PLANNED and function is Function.DECISION else found


def _first(part: str) -> Modality:
    return next((modality for modality, cues in _MODALITIES if cues.search(part)), Modality.ASSERTED)
