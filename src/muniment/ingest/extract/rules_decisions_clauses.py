"""Decisions as clauses: what a verb of choosing takes beside it, what stands in for what was turned down, and what explains it.

Rule of this file: pure and linear. A shape that is not sure counts only with a reason or an alternative; whoever calls decides.
"""

# ruff: noqa: RUF001, E501  typographic signs; a pattern reads best unbroken

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from muniment.ingest.extract import words_decisions_clauses as words
from muniment.ingest.extract.rules_decisions_parts import Pieces, pieces
from muniment.ingest.extract.words_decisions_frames import GAMES, STORIES
from muniment.knowledge.decisions import telling
from muniment.knowledge.weighed import listed

_SHAPES: Final = tuple((re.compile(pattern, re.IGNORECASE), verb, level) for pattern, verb, level in words.SHAPES)
CUE: Final = re.compile(words.CUE)
"""A sentence in small letters without these fits no shape."""
_STORY: Final = re.compile(STORIES, re.IGNORECASE)
_GAMES: Final = re.compile(GAMES, re.IGNORECASE)
_TURNED_DOWN: Final = re.compile(rf"(?:^|[,;.:–—] |\band |\bso |\bbut ){words.TURNED_DOWN}", re.IGNORECASE)
_INSTEAD: Final = re.compile(words.INSTEAD_WE, re.IGNORECASE)
_NEXT_STEP: Final = re.compile(words.NEXT_STEP, re.IGNORECASE)
_EXPLAINS: Final = re.compile(words.EXPLAINS, re.IGNORECASE)
_STATES: Final = re.compile(words.STATES, re.IGNORECASE)
_BESIDE_LOST: Final = re.compile(
    rf"(?:^|[,;:–—] ?|\b(?:and|but|while|because|since|with|which|that) ){words.BESIDE_LOST}", re.IGNORECASE
)
_PROPOSED: Final = re.compile(rf"\b{words.PROPOSED}", re.IGNORECASE)
_LOST_LABEL: Final = re.compile(rf"\b{words.LOST_LABEL}", re.IGNORECASE)
_UNREAL: Final = re.compile(
    r"\b(?:if|whether|maybe|perhaps|might|could|should|wish|hope|hoping|unless|until|suppose|imagine|wonder|not sure|almost|nearly|"
    r"considering|thinking (?:of|about)|want(?:s|ed)? to|plan(?:s|ning)? to|trying|tried|used to|always|usually|often|sometimes|every|never|"
    r"don['’]t|doesn['’]t|didn['’]t|won['’]t|haven['’]t|hasn['’]t|can['’]t|not yet|when|once|which|who|what|how|why)\b",
    re.IGNORECASE,
)
_POINTED: Final = re.compile(
    r"(?:it|this|that|these|those|them|him|her|me|us|you|one|some|something|anything|nothing|everything|someone|somebody|there|here|"
    r"more|less|so|too|very|a (?:lot|bit|few|couple)|back|up|out|over|down|off|on|in|to|into|ready|married|used|better|worse|sick|lost|"
    r"a chance|be|see|hear|know|love|try|visit|go|learn|think|was|is|were|are|been|great|good|well|fine|ok(?:ay)?|not|no|add|share|say|ask|tell|help|talk|meet|plus|last|next|"
    r"stuck|done|started|home|along|away|together|rid|tired|old(?:er)?|hungry|through|around|close(?:r)?|by|it's|we|i|he|she|they)\b",
    re.IGNORECASE,
)
_ADVERBIAL: Final = re.compile(
    r"^(?:(?:after|following|in|at|on|by|for|with|having|as|based|given) (?:[^,;:]{2,40}?[, ] ?)(?=(?:the|our|an?) )|(?:in the end|finally|eventually|ultimately|so|and|but|then|well|okay|ok|instead|long story short),? )+",
    re.IGNORECASE,
)
_LIST: Final = re.compile(r"^[^,]{1,40}(?:, [^,]{1,40}){0,4},? and [^,]{1,40}$")
_OFFHAND: Final = re.compile(
    r"^(?:you know|i mean|i guess|i think|of course|obviously|can['’]t argue with that|as you know|not again|ever|again|so there|honestly|really|anyway)\b",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"(?:[Tt]he|[Oo]ur|[Aa]n?|[Bb]oth) |[A-Z0-9]")
_CLAUSE: Final = re.compile(r"[,;:.–—] | - ")
_BIDS: Final = re.compile(r"\b(?:award(?:ed|ing)?|contract|bids?|tenders?)\b")
_NUMBERED: Final = re.compile(
    r"(?:the )?(?:adr|rfc|decision|ticket|issue|pr|version|item|option|proposal)[- ]?#?[\d.]+$", re.IGNORECASE
)
_PAST: Final = re.compile(r"\b(?!need)\w{3,}ed\b|\bdoubled\b")
_FELL: Final = re.compile(
    r"^(?:the |our |an? )?[\w'’ -]{1,40}? (?:is|are|was|were|would be|has|have|had|looks?|sounds?) [^.;!?\n]{2,60}?,? but (?P<why>[^.;!?\n]{4,160})"
)
_SWAPPED: Final = re.compile(
    r"^(?:throw(?:ing)? out|drop(?:ping)?|ditch(?:ing)?|scrap(?:ping)?|leav(?:e|ing)|remov(?:e|ing)|get(?:ting)? rid of|stop(?:ping)? using|cancel(?:ling)?|abandon(?:ing)?|retir(?:e|ing)|kill(?:ing)?) (?P<lost>.{2,60}?) and (?:go(?:ing)? (?:with|for)|us(?:e|ing)|switch(?:ing)? to|tak(?:e|ing)|adopt(?:ing)?|mov(?:e|ing) to|build(?:ing)?|buy(?:ing)?|keep(?:ing)?) (?P<what>.{2,60})$",
    re.IGNORECASE,
)
_ENOUGH: Final = 2
_NAME_WORDS: Final = 8
_LONGEST: Final = 14
"""Words of what was chosen."""
_MOST: Final = 28
_EDGES: Final = ' \t\n,.;:!–—-"“”‘’()*_`'


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """A decision as one clause tells it: by whom, where that stands, the verb, the pieces, and how sure it is."""

    who: str
    place: int
    verb: str
    pieces: Pieces
    level: int


def shaped(text: str) -> Shaped | None:
    """The first shape of choosing that `text`, one sentence, has."""
    low = text.lower()
    if not CUE.search(low) or (_GAMES.search(text) and not _BIDS.search(low)):
        return None
    for pattern, verb, level in _SHAPES:
        found = pattern.search(text)
        if found is not None and (told := _told(found, text, verb, level)) is not None:
            return told
    return None


def _told(found: re.Match[str], text: str, verb: str, level: int) -> Shaped | None:
    groups = found.groupdict()
    what = _ADVERBIAL.sub("", (groups.get("what") or "").strip(_EDGES))
    lost = re.sub(r"^(?:in|on|at|with|to) ", "", (groups.get("lost") or "").strip(_EDGES))
    core = found[0][: found.start("tail") - found.start()] if groups.get("tail") else found[0]
    if _STORY.search(core):
        return None
    if (
        not what
        or _NUMBERED.match(what)
        or _UNREAL.search(core)
        or _UNREAL.search(_CLAUSE.split(text[max(0, found.start() - 40) : found.start()])[-1])
    ):
        return None
    if _POINTED.match(what) or (lost and _POINTED.match(lost)) or len(what.split()) > _LONGEST:
        return None
    read = pieces((groups.get("tail") or "").lstrip(_EDGES)) if groups.get("tail") else Pieces()
    rest, read.what = read.what, what
    inner = pieces(what)
    if inner.explained and inner.what:
        read.what = inner.what
        read.rationale[:0], read.alternatives[:0] = inner.rationale, inner.alternatives
        read.because = inner.because or read.because
    if groups.get("of") and "for" not in read.what.split():
        read.what = f"{read.what} for {groups['of'].strip()}"
    if lost:
        read.alternatives = [*listed(lost), *read.alternatives]
    tail = groups.get("tail") or ""
    if (
        rest
        and not read.rationale
        and tail[:1] in ",;:–—-( "
        and not tail.lstrip().lower().startswith(("in ", "on ", "at ", "by ", "for ", "from "))
    ):
        _reason(rest, read)
    return Shaped(who=(groups.get("who") or "").casefold(), place=found.start(), verb=verb, pieces=read, level=level)


def _reason(said: str, read: Pieces) -> bool:
    """Keep `said` as a reason if it may be one."""
    said = said.strip(_EDGES)
    words_ = said.split()
    if not _ENOUGH <= len(words_) <= _MOST or _NEXT_STEP.match(said) or _OFFHAND.match(said):
        return False
    read.rationale.append(said)
    return True


def trimmed(read: Pieces) -> None:  # noqa: C901  one way of joining after the other
    """Cut a reason, or what was not taken, off what was decided: "the Kia, seven years warranty", "Flutter and against React"."""
    if swapped := _SWAPPED.match(read.what):
        read.what = swapped["what"]
        read.alternatives = [*listed(swapped["lost"]), *read.alternatives]
    if ", " not in read.what and " and against " not in read.what:
        return
    if " and against " in read.what:
        read.what, _, lost = read.what.partition(" and against ")
        lost, _, rest = lost.partition(", ")
        read.alternatives += [one for one in listed(lost) if one not in read.alternatives]
        if rest and not read.rationale:
            _reason(rest.partition(", ")[0], read)
    if _LIST.match(read.what):
        return
    head, _, rest = read.what.partition(", ")
    if turned := re.match(r"(?:and |but )?not (?P<lost>.{2,60})$", rest):
        read.alternatives += [one for one in listed(turned["lost"]) if one not in read.alternatives]
        read.what = head
        return
    clauses = rest.split(", ")
    if len(head.split()) <= 1 and head.islower():
        return
    if not read.rationale:
        for clause in clauses:
            if (_EXPLAINS.match(clause + " ") or _STATES.search(clause)) and _reason(clause, read):
                read.what = head
                return


_VERDICT: Final = re.compile(words.VERDICT, re.IGNORECASE)
_CALLED_FOR: Final = re.compile(words.CALLED_FOR, re.IGNORECASE)
_CHOICE_ASKED: Final = re.compile(r"\bor\b[^?]{0,60}\?")


def verdict(text: str, after: str, last: str, options: Sequence[str]) -> Shaped | None:
    """A choice told by little more than its name, after a turn `last` that asked for one; `options` were weighed before."""
    asked = bool(_CHOICE_ASKED.search(last)) or bool(_CALLED_FOR.search(last))
    found = _VERDICT.match(text)
    if found is None or not (asked or found["mark"]):
        return None
    what = found["what"].strip(_EDGES)
    said = telling(what)
    if not said or _POINTED.match(what) or _UNREAL.search(found[0][: found.end("what")]) or _NEXT_STEP.match(what + " "):
        return None
    if len(what.split()) > 1 and _STATES.search(what):
        return None
    among = any(said <= telling(one) for one in options) or (bool(found["mark"]) and said <= telling(last))
    read = pieces((found["tail"] or "").lstrip(_EDGES))
    rest, read.what = read.what, what
    if rest and not read.rationale and (_EXPLAINS.match(rest + " ") or _STATES.search(rest)):
        _reason(rest, read)
    explains = bool(read.explained or (after and _STATES.search(after) and not _NEXT_STEP.match(after)))
    if not (among and (found["mark"] or explains)) and not (
        asked and explains and _CALLED_FOR.search(last) and what[:1].isupper() and "\n" not in text
    ):
        return None
    if (
        not read.rationale
        and after
        and not _NEXT_STEP.match(after)
        and _STATES.search(after)
        and not after.rstrip().endswith("?")
    ):
        _reason(after, read)
    return Shaped(who="", place=0, verb="decided:", pieces=read, level=words.SURE)


_CONTRAST: Final = re.compile(
    r"\b(?:over|against|ahead of|instead of|rather than|not|beat\w*|before|in place of|at the expense of|leaving|left|past|above|from|to|for|while|whereas|and)\b|[,;:–—]",
    re.IGNORECASE,
)
_FELL_BACK: Final = re.compile(
    r"\b(?:lost|loses?|losing|fell|falls|gave way|gives? way|ma(?:de|kes?) way|yield\w*|behind|second|last|outvoted|replaced|dropped|out|off|down|gone|dead|buried|over|no|past|history|never|less|short|failed|rejected|passed over)\b",
    re.IGNORECASE,
)
_WEIGHING: Final = re.compile(
    r"\b(?:is|are|was|were|looks?|seems?|costs?|has|have|had|needs?|feels?|sounds?|both|either|between|compar\w*|like|likes|love|prefer|think|believe|guess|feel|would|could|should|might|may|can|maybe|perhaps|probably|if|whether|considering|discuss\w*|debat\w*|still|or|versus|vs|heard|read|tried|test\w*)\b",
    re.IGNORECASE,
)


def contrasted(text: str, options: Sequence[str]) -> Shaped | None:
    """A choice told by setting one of the options weighed before against another, whatever the verb between them."""
    low = text.casefold()
    found = sorted(
        (match.start(), match.end(), name)
        for name in {re.sub(r"^(?:the|an?|our) ", "", one.casefold()).partition(" for ")[0] for one in options}
        if len(name) > _ENOUGH and (match := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", low))
    )
    found = [
        one
        for one in found
        if not any(other is not one and other[0] <= one[0] and one[1] <= other[1] and other != one for other in found)
    ]
    if len(found) != _ENOUGH or text.rstrip().endswith("?"):
        return None
    (_, first_end, _), (second, second_end, _) = found
    between, front = text[first_end:second], text[: found[0][0]]
    if not _CONTRAST.search(between) or _WEIGHING.search(between) or _WEIGHING.search(front) or _UNREAL.search(front + between):
        return None
    names = [text[start:end] for start, end, _ in found]
    if _FELL_BACK.search(re.sub(r"\b(?:over|past)\s+(?:the |an? |our )?$", "", between)) or _TURNED_DOWN.search(
        front + " " + names[0]
    ):
        names.reverse()
    read = pieces(text[second_end:].lstrip(_EDGES))
    rest, read.what = read.what, names[0]
    read.alternatives = [names[1], *(one for one in read.alternatives if one != names[1])]
    if rest and not read.rationale and (_EXPLAINS.match(rest + " ") or _STATES.search(rest)):
        _reason(rest, read)
    return Shaped(who="", place=0, verb="decided:", pieces=read, level=words.SURE)


def paired(text: str, before: Sequence[str]) -> Shaped | None:
    """What is done instead, where a clause or a sentence before turned something down: "no island. We'll do a peninsula"."""
    down: re.Match[str] | None = None
    for found in _TURNED_DOWN.finditer(text):
        down = found
    rest = text[down.end() :] if down is not None else text
    if down is None or not rest.strip(_EDGES):
        down, rest = next((said for one in before if (said := _TURNED_DOWN.search(one))), None), text
    if down is None or text.rstrip().endswith("?"):
        return None
    place = len(text) - len(rest)
    instead = _INSTEAD.match(rest)
    stays = re.match(
        r"[,;:. –—]*(?P<what>[^,.;:!?\n]{2,50}?) (?:stays|remains|wins|it is|is enough|will do|suffices|takes? over|(?:is|are) to be used|does the job)\b(?P<tail>.*)$",
        rest,
        re.IGNORECASE,
    )
    found_ = stays or instead
    if found_ is None:
        return None
    what = (found_["what"] + (" stays" if stays and " stays" in stays[0] else "")).strip(_EDGES)
    if (
        not what
        or _POINTED.match(what)
        or _UNREAL.search(what)
        or _NEXT_STEP.match(what)
        or _UNREAL.search(rest[: found_.start("what")])
    ):
        return None
    lost = down["lost"].strip(_EDGES)
    if _POINTED.match(lost) or not telling(lost):
        return None
    read = pieces((found_["tail"] or "").lstrip(_EDGES))
    tail, read.what = (
        read.what,
        re.sub(r"^put(?:ting)? (?:the |our )?(?:effort|money|time|energy|resources) in(?:to)? ", "", what),
    )
    read.alternatives = [*listed(lost), *read.alternatives]
    if tail and not read.rationale:
        _reason(tail, read)
    groups = found_.groupdict()
    who = (groups.get("who") or groups.get("who2") or "").casefold()
    return Shaped(who="we" if who == "let's" else who, place=place, verb="decided:", pieces=read, level=words.SURE)


def options_beside(own: str, before: Sequence[str], after: Sequence[str], read: Pieces) -> None:
    """Add the options that the sentences beside a decision tell as not taken."""
    chosen = telling(read.what)
    near = [sentence for sentence in (*before[:2], own, *after[:3]) if not sentence.rstrip().endswith("?")]
    for sentence in near:
        for lost in _lost(sentence):
            said = telling(lost)
            if (
                said
                and not said & chosen
                and all(not said <= telling(one) and not telling(one) <= said for one in read.alternatives)
            ):
                read.alternatives.append(lost)


def argued(own: str, before: Sequence[str]) -> bool:
    """Whether somebody was for something else, in the sentence or the one before."""
    return any(_PROPOSED.search(sentence) or _LOST_LABEL.search(sentence) for sentence in (own, *before[:1]))


def reason_beside(before: Sequence[str], after: Sequence[str], read: Pieces, *, stops: re.Pattern[str], sure: bool) -> None:
    """Add the reason that a sentence beside a decision gives without a word that marks it."""
    if read.rationale:
        return
    chosen = telling(read.what)
    for number, sentence in enumerate(after[:2]):
        if stops.search(sentence) and number:
            return
        if _explains(sentence, chosen, read) or (not number and sure and _plainly(sentence)):
            reason = _before_but(sentence)
            if _reason(reason, read):
                return
        if _NEXT_STEP.match(sentence):
            return
    if (
        before
        and not _TURNED_DOWN.match(before[0])
        and (_BESIDE_LOST.search(before[0]) or any(telling(one) & telling(before[0]) for one in read.alternatives))
        and not stops.search(before[0])
        and _explains(before[0], chosen, read)
    ):
        _reason(before[0], read)


def _plainly(sentence: str) -> bool:
    """Whether a sentence states something, so that right behind what was settled it is taken for the reason."""
    bare = sentence.strip(_EDGES)
    if (
        not bare[:1].isalnum()
        or bare[:1].isdigit()
        or bare.endswith("?")
        or ":" in bare[:30]
        or _NEXT_STEP.match(bare)
        or len(bare.split()) > _MOST
    ):
        return False
    return len(bare.split()) > _ENOUGH and bool(_STATES.search(bare) or _PAST.search(bare))


def _before_but(sentence: str) -> str:
    if fell := _FELL.search(sentence):
        return fell["why"]
    return re.split(r", (?:which|and so|so) ", sentence.strip(_EDGES), maxsplit=1)[0]


def _explains(sentence: str, chosen: frozenset[str], read: Pieces) -> bool:
    bare = re.sub(r"^[^\w]+", "", sentence)
    if bare.rstrip().endswith("?") or _NEXT_STEP.match(bare) or not _STATES.search(bare) or len(bare.split()) > _MOST:
        return False
    about = telling(bare)
    return bool(_EXPLAINS.match(bare) or about & chosen or any(telling(one) & about for one in read.alternatives))


def _lost(sentence: str) -> list[str]:
    """The options that a sentence tells as not taken."""
    out: list[str] = []
    for found in _LOST_LABEL.finditer(sentence):
        out += listed(found["list"])
    for found in _PROPOSED.finditer(sentence):
        out += listed(found["lost"])
    for found in _BESIDE_LOST.finditer(sentence):
        lost = re.sub(r"^(?:like|and|but|while|with|which|that) ", "", found["lost"])
        if (
            not _POINTED.match(lost)
            and len(lost.split()) <= _NAME_WORDS
            and (_NAMED.match(lost) or (found.start() == 0 and len(lost.split()) <= _ENOUGH))
        ):
            out += listed(re.sub(r"^.*\b(?:idea of|plan to|proposal (?:to|for)|suggestion of) ", "", lost))
    for found in _TURNED_DOWN.finditer(sentence):
        if not _POINTED.match(found["lost"]):
            out += listed(found["lost"])
    return [one for one in out if telling(one)]


_IT_IS_NAMED: Final = re.compile(
    r"\b[Ii]t(?:['’]s| is)(?: going to be| gonna be)? (?P<what>(?:the )?[A-Z][\w'’-]{1,20}(?: [A-Z][\w'’-]{1,20})*)"
)


def named_after(text: str, after: Sequence[str], verb: str, read: Pieces) -> None:
    """Put the name that follows in the place of what only announces it: "we picked a name, it's going to be Clara"."""
    if not (verb.startswith("made up") or read.what.startswith(("a ", "an ", "about "))):
        return
    found = _IT_IS_NAMED.search(text) or (_IT_IS_NAMED.match(after[0]) if after else None)
    if found is not None:
        read.what, read.because = found["what"], ""
        read.rationale = [one for one in read.rationale if found["what"] not in one]
