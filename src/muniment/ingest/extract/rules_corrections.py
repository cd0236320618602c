"""What takes something back or puts it right: "actually …", "I meant …", "not A but B", "forget what I said about …".

Rule of this file: only words that speak of an earlier statement count; what is put right is found by the words in `targets`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from muniment.ingest.extract.words_facts import VAGUE
from muniment.knowledge.values import Act


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a sentence does to what was said before. The statement proper starts at `start`.

    `old` is the value that was wrong and `new` the one put in its place, when the sentence gives them bare; `about` are words of
    what is taken back. `sure` is False for a mere "actually", which also stands for emphasis. `near` is True for
    a slip of the tongue, which speaks of the words right before it in the same turn.
    """

    act: Act = Act.STATE
    start: int = 0
    old: str = ""
    new: str = ""
    about: tuple[str, ...] = ()
    sure: bool = True
    near: bool = False


NONE: Final = Correction()

_TRIGGER: Final = re.compile(
    r"actually|correct|meant|sorry|mistake|wrong|forget|scratch|not true|ignore|never "
    r"?mind|disregard|take (?:that|it|this) back|took that back|lied|"
    r"\bnot\b|oops|typo|instead of|wait|rather than|strike that|misspoke|right (?:the first|before|at first|init)|kidding|joking"
)
_RETRACT: Final = re.compile(
    r"(?:(?:oh|no|wait|sorry|actually|ok|okay|well|hey|please|oops|and|but|um|hm+|you "
    r"can|you should|can you|could you|just|it turns out(?: that)?|it turned out(?: that)?|"
    r"i guess|i think|looks like)[\s,.!:-]+)*(?:"
    r"i (?:was|am|must have been) (?:wrong|mistaken|incorrect)(?: (?:about|on|with|when "
    r"i said)(?: that| the fact that)? (?P<a>[^.!?;,]+))?|"
    r"i (?:was|am) (?:just |only )?(?:kidding|joking)|just kidding|"
    r"i lied(?: about (?P<b>[^.!?;,]+))?|i made (?:that|it) up|i (?:take|took) (?:that|it|this) back|"
    r"(?:forget|ignore|disregard|scratch|strike|never ?mind|delete|remove) (?:what|everything|"
    r"anything) i (?:said|told you|wrote|mentioned)(?: (?:about|on|regarding) (?P<c>[^.!?;,]+)|"
    r" earlier| before)?|"
    r"(?:forget|ignore|disregard|scratch|strike) (?:that|it|this)(?: (?:about|part about) (?P<d>[^.!?;,]+))?|"
    r"(?:forget|disregard|never ?mind) (?:about )?(?P<e>(?:my|the|what) [^.!?;,]+)|"
    r"(?:that|it|this|what i said(?: about (?P<f>[^.!?;,]+?))?)(?:'s| is| was)(?:n't| "
    r"not| no longer)? ?(?:(?:not|no longer) )?(?:wrong|incorrect|a mistake|(?P<true>true|"
    r"right|correct|the case|accurate|valid)"
    r"(?: any ?more| any longer| now)?)|"
    r"(?P<g>(?:my|the) [^.!?;]{2,60}?)(?: is| was) (?:wrong|not true|no longer true|not correct|incorrect|a mistake)"
    r")",
    re.IGNORECASE,
)
_MEANT: Final = re.compile(
    r"(?:(?:oh|no|wait|sorry|oops|actually|well|my (?:bad|mistake)|i misspoke|typo)[\s,.!:-]+)*i "
    r"(?:actually |really |of course )?meant(?: to (?:say|write|type))?:? (?P<new>[^.!?;]+)",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"(?:(?:oh|no|wait|sorry|oops|well)[\s,.!:-]+)*(?:(?:small |one |quick )?correction|"
    r"let me correct (?:that|myself)|(?:to )?correct (?:that|myself)|my mistake|my bad|"
    r"i misspoke|"
    r"sorry|oops|scratch that|strike that|wait,? no|no,? wait|typo)\s*[,:;.!\u2014\u2013-]+\s*",
    re.IGNORECASE,
)
_ACTUALLY: Final = re.compile(
    r"(?:(?:oh|no|wait|well|sorry|hm+|but|and|so)[\s,.!:-]+)*actually\b[\s,:-]*|(?=(?:it|"
    r"that|he|she|they)(?:'s| is| was| are) actually )",
    re.IGNORECASE,
)
_ITS: Final = re.compile(
    r"(?:it|that|this|the [\w ]{2,30}?|my [\w ]{2,30}?)(?:'s| is| was| should be| should "
    r"have been) (?:actually |really |now )?(?P<new>[^.!?;]+)",
    re.IGNORECASE,
)
_PAIRS: Final = (
    re.compile(
        r"\bnot (?:on |in |at |the |a |an |with |to |from )*(?P<old>[^,.;!?]{1,40}?),? but (?:rather )?(?P<new>[^,.;!?]{1,60})",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:^|\b(?:is|was|it's|on|in|at|to|the|be|am|are)\s)(?P<new>[^\s,.;!?][^,.;!?]{0,40}),? "
        r"(?:and )?not (?:on |in |at |the |a |an |with |to )*(?P<old>[^,.;!?\s][^,.;!?]{0,30})\s*[.!]*$",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?P<new>[^\s,.;!?]{1,30}(?: [^\s,.;!?]{1,30})?) (?:instead of|rather than) (?P<old>[^,.;!?]{1,40})", re.IGNORECASE
    ),
)
_WORD: Final = re.compile(r"[^\W_]+(?:['.@+-][^\W_]+)*")
_AFTER_ALL: Final = re.compile(
    r"(?:(?:oh|no|wait|sorry|oops|well)[\s,.!:-]+)*(?:"
    r"(?:forget|scratch|ignore|strike|disregard) (?:that|it|this)[\s,.!:;-]+(?:it(?:'s| is| was)|make (?:that|it)) (?:still )?"
    r"|i was right (?:the first time|before|at first|initially)[\s,.!:;-]+(?:it(?:'s| is) )?"
    r"|(?-i:[Nn]ot (?P<old>[A-Z][\w'-]*(?: [A-Z][\w'-]*)?), (?=[A-Z])))(?P<new>[^.!?;,]+)",
    re.IGNORECASE,
)
"""What puts another value in the place of the last one said, bare."""
_LATE: Final = re.compile(r" (?:after all|instead|again|then|now)$", re.IGNORECASE)
_REPAIR: Final = re.compile(
    r"(?:(?:oh|er|um|well|wait|no|sorry|oops)[\s,.!:-]+){0,3}(?:(?:no|sorry|oops|wait|or rather|make that)[\s,.!:-]+"
    r"|i mean,? )(?:(?:it's|it is|in|on|at|the) )?(?P<new>(?-i:[A-Z0-9])[\w'.@+-]*(?: (?-i:[A-Z0-9])[\w'.@+-]*){0,2})[.!\s]*$",
    re.IGNORECASE,
)
_LONGEST = 400


def read_correction(text: str) -> Correction:
    """What `text` does to an earlier statement; `NONE` for an ordinary sentence."""
    text = text[:_LONGEST]
    if (found := repairs(text)) and not _MEANT.match(text):
        return Correction(
            act=Act.CORRECT,
            start=found.start("new"),
            new=found["new"].rstrip("."),
            sure=not text.lower().startswith("sorry"),
            near=True,
        )
    if not _TRIGGER.search(text.lower()):
        return NONE
    return _retracted(text) or _righted(text)


def repairs(text: str, at: int = 0) -> re.Match[str] | None:
    """A slip of the tongue put right by a bare name or number: "no, Lisbon", "I mean Silver", "no wait, it's 555-9999"."""
    return _REPAIR.match(text, at) if len(text) - at <= _LONGEST else None


def _retracted(text: str) -> Correction | None:
    if found := _AFTER_ALL.match(text):
        new = _LATE.sub("", found["new"]).strip(" .!,")
        return Correction(act=Act.CORRECT, start=found.start("new"), old=found["old"] or "", new=new)
    if (found := _RETRACT.match(text)) and not _still_true(found):
        about = next((group for group in (found[name] for name in "abcdefg") if group), "")
        if not (
            found[0].lower().startswith(("forget", "never"))
            and not about
            and "said" not in found[0].lower()
            and found.end() < len(text.rstrip(" .!")) - 3
        ):
            return Correction(act=Act.RETRACT, start=found.end(), about=_words(about))
    return None


def _righted(text: str) -> Correction:
    if found := _MEANT.match(text):
        old, new = _pair(found["new"])
        return Correction(act=Act.CORRECT, start=found.start("new"), new=new or found["new"].strip(), old=old)
    label = _LABEL.match(text)
    actually = _ACTUALLY.match(text, label.end() if label else 0)
    start = actually.end() if actually else label.end() if label else 0
    old, new = _pair(text[start:])
    if label or actually:
        if not new and (bare := _ITS.match(text, start)):
            new = bare["new"].strip()
        sure = bool(label and not label[0].lower().startswith("sorry")) or bool(old)
        return Correction(act=Act.CORRECT, start=start, old=old, new=new, sure=sure)
    if not old and (no := _NO.match(text)):
        old, new = _pair(text[no.end() :])
    if old and (_ITS.match(text) or _BUT.search(text) or _NO.match(text) or (old[:1].isupper() and not _RATHER.search(text))):
        return Correction(act=Act.CORRECT, old=old, new=new)
    return NONE


_NO: Final = re.compile(r"(?:no|nope|nah)\b[\s,.!:-]*", re.IGNORECASE)
_RATHER: Final = re.compile(r"\b(?:instead of|rather than)\b", re.IGNORECASE)
_BUT: Final = re.compile(r"^(?:it'?s|it is|that'?s|not)\b.{0,60}\bnot\b.*\bbut\b|^not\b.*\bbut\b", re.IGNORECASE)


def _still_true(found: re.Match[str]) -> bool:
    """Whether "that's true" was said, which takes nothing back."""
    return bool(found["true"]) and not re.search(r"n't\b|\bnot\b|no longer", found[0], re.IGNORECASE)


def _pair(text: str) -> tuple[str, str]:
    for pattern in _PAIRS:
        if (found := pattern.search(text)) and not _LOOSE.match(found["old"]):
            return found["old"].strip(), _BE.sub("", found["new"].strip())
    return "", ""


_BE: Final = re.compile(r"^(?:it'?s|it is|it was|that'?s|is|was) (?:really |actually )?", re.IGNORECASE)
_LOOSE: Final = re.compile(
    r"(?:really|sure|much|yet|too|so|very|that|only|just|bad|always|one|have|be|going|been|to)\b", re.IGNORECASE
)


def _words(text: str) -> tuple[str, ...]:
    """The telling words of what is taken back."""
    return tuple(word for word in _WORD.findall(text) if word.lower() not in VAGUE)[:8]
