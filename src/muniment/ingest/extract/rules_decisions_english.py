"""Decisions in English sentences: who decided, by which verb, and what follows it.

Rule of this file: pure and linear. A verb alone is not enough: what stands between it and whoever decides, and right before them,
must leave no doubt that something was settled.
"""

# ruff: noqa: RUF001, E501  typographic signs; a pattern reads best unbroken

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from muniment.ingest.extract import words_decisions as words
from muniment.ingest.extract.rules_decisions_clauses import Shaped, paired, shaped, trimmed
from muniment.ingest.extract.rules_decisions_frames import framed
from muniment.ingest.extract.rules_decisions_parts import Pieces, before_who, factor, pieces
from muniment.ingest.extract.words_decisions_clauses import FAINT, GROUPS, SURE
from muniment.ingest.extract.words_decisions_frames import GAMES, NOBODY, PURPOSE, STORIES
from muniment.knowledge.weighed import listed, weighed

_VERB = re.compile(
    rf"(?P<label>^(?:[^\w\s]{{1,3}} ?)?{words.LABEL})"
    rf"|\b(?P<passive>{words.PASSIVE})\b"
    rf"|\b(?P<noun>{words.NOUN_DECISION})"
    rf"|\b(?P<decided>{words.DECIDED})(?=[\s:,]|$)"
    rf"|\b(?P<waschosen>{words.WAS_CHOSEN})\b"
    rf"|\b(?P<chose>{words.CHOSE})(?=\s|:)"
    rf"|\b(?P<choose>{words.CHOOSE})(?=\s|:)",
    re.IGNORECASE,
)
REVERSED = re.compile(rf"\b{words.REVERSED}\b", re.IGNORECASE)
_UNREAL = re.compile(words.UNREAL_BEFORE, re.IGNORECASE)
_STORY = re.compile(STORIES, re.IGNORECASE)
_TOKEN = re.compile(r"[\w'’-]+|[^\w\s]")
_IT_IS = re.compile(
    r"^(?:ok(?:ay)?,? |alright,? |right,? |then |so )?(?P<what>(?!(?:that|this|such|how|what|wherever|whatever|whoever|so|as|maybe|perhaps|here|there|love|loving|see|seeing|know|knowing|realize|realise|feel|think|like|wish|hope|understand|remember|appreciate|depends|right|true|yes|no|not|great|good|nice|true|funny|hard|sad|cool|awesome|amazing|sure|fine|easy|fun|if|because|when|where|why)\b)(?![\w .'’+#/-]{0,40}\b(?:how|what|why|where|who|that|made|makes|think|know|feel|love|see) )[\w][\w .'’+#/-]{1,40}?) it is(?= then|,|[.!]*$| for | because| since| [—–-])(?: then)?(?P<tail>.*)$",
    re.IGNORECASE,
)
_PURPOSE = re.compile(PURPOSE, re.IGNORECASE)
_BEATS = re.compile(r"^(?:beat|beats|trumped|edged out)$|\bover$", re.IGNORECASE)
_NO_WINNER = re.compile(NOBODY, re.IGNORECASE)
_GAMES = re.compile(GAMES, re.IGNORECASE)
_BY_FAR = re.compile(r" (?:hands down|in the end|by a mile|clearly|narrowly)$", re.IGNORECASE)
_PREFERS = re.compile(
    r"^(?P<what>[^,.;:]{2,60}?) to (?P<lost>(?!be\b|use\b|go\b|have\b)[^,.;:]{2,60}?)(?: in the end)?(?:[:,;] (?P<why>.{4,200}))?$"
)
_REASON_FOR = re.compile(r"\breasons?(?: why| that)?\s*$", re.IGNORECASE)
_IS_THAT = re.compile(r" (is|was|were|are)(?: that| because|:)? ", re.IGNORECASE)
_CALLED_OFF = re.compile(
    r"\b(?P<who>i|we|they)(?:['’](?:m|re)| am| are) (?:not|no longer) going (?:with|ahead with|for) (?P<what>[^.;!?\n]{2,200})",
    re.IGNORECASE,
)
_NO_OBJECT = re.compile(
    r"(?:is|was|are|were|has|had|have|will|would|did|does|do|because|and|or|but|so|last|yet|yesterday|today|when|as|by|in|at|who|which|whether|took|takes|went|goes|worked|works|became|"
    r"how|what|if|between|among|from|later|tomorrow|soon|together|anything|something|nothing|one|some|it)\b",
    re.IGNORECASE,
)
_POINTED = re.compile(r"(?:this|that|these|those|them|him|her)\b", re.IGNORECASE)
"""What is only pointed at: no words tell what was chosen."""
_WAS = re.compile(r"(?:was|is|were|are) ", re.IGNORECASE)
_PLAIN = re.compile(r"^(?:cho|went|go|stick|stuck|opt|settle|pick\b|run)", re.IGNORECASE)
_AGAINST = re.compile(
    r"against|out of|pass(?:ed|ing) on|walked away|said no|ruled out|reject|turned down|veto|ditch|scrap|shelv|abandon|drop|cancel|skip",
    re.IGNORECASE,
)
_PICKED = re.compile(r"pick|select|adopt|hired|booked|bought|signed|dropp", re.IGNORECASE)
_PRONOUNS = frozenset({"i", "we", "he", "she", "they", "you", "everyone", "everybody"})
_JOINS = frozenset({"and", "but", "so", "then", "or"})
_DETERMINERS = frozenset({"the", "our", "my", "his", "her", "their", "your", "its"})
_NO_NAME = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "that",
        "these",
        "those",
        "it",
        "there",
        "what",
        "which",
        "who",
        "if",
        "when",
        "so",
        "and",
        "but",
        "because",
        "since",
        "while",
        "after",
        "before",
        "as",
        "at",
        "in",
        "on",
        "for",
        "yes",
        "no",
        "ok",
        "okay",
        "well",
        "also",
        "then",
        "option",
        "plan",
    ]
)
_LOOK_BACK = 110
_MOST_VERBS = 6
_LONGEST_NAME = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A decision as told: who decided ("" for whoever speaks), where that stands, the verb in a plain form, and the pieces.

    `sure` is False where it counts only with a reason or an alternative, `faint` where it takes an alternative; `against` marks that
    something was decided against.
    """

    who: str
    place: int
    verb: str
    pieces: Pieces
    sure: bool = True
    against: bool = False
    reverses: bool = False
    faint: bool = False


@dataclass(frozen=True, slots=True)
class _Who:
    name: str
    place: int
    zone: frozenset[str]


def decision(text: str, before: Sequence[str] = ()) -> Told | None:
    """The first decision `text`, one sentence, tells; None when it tells none. `before` are the sentences before it, nearest first."""
    told = _by_verb(text)
    if told is None or told.against or not (told.sure or told.pieces.explained):
        other = paired(text, before) or shaped(text)
        if other is not None and (
            told is None or other.level == SURE or other.pieces.alternatives or (other.level and other.pieces.rationale)
        ):
            told = of_shape(other, reverses=bool(REVERSED.search(text)))
    if told is not None and not told.against:
        trimmed(told.pieces)
    return told


def of_shape(told: Shaped, *, reverses: bool = False) -> Told:
    """The same as what every other way of telling gives."""
    return Told(
        who=told.who,
        place=told.place,
        verb=told.verb,
        pieces=told.pieces,
        sure=told.level == SURE,
        faint=told.level == FAINT,
        reverses=reverses,
    )


def _by_verb(text: str) -> Told | None:
    if text.rstrip(" \"'”’)").endswith(("?", "？")):
        return None
    reverses = bool(REVERSED.search(text))
    doubtful: Told | None = None
    for number, verb in enumerate(_VERB.finditer(text)):
        if number >= _MOST_VERBS:
            break
        told = _read(text, verb)
        if told is None:
            continue
        factor(text, told.pieces)
        told.pieces.alternatives += [one for one in weighed(text[verb.end() :]) if one not in told.pieces.alternatives]
        told = _purposed(text, _rather(text, replace(told, reverses=reverses)))
        if told.sure or told.pieces.explained:
            return told
        doubtful = doubtful or told
    if (whole := framed(text)) is not None:
        told = Told(who=whole[0].casefold(), place=whole[1], verb=whole[2], pieces=whole[3], against=whole[4], reverses=reverses)
        return _purposed(text, told)
    if off := _CALLED_OFF.search(text):
        read = pieces(off["what"])
        read.what = read.what.removesuffix(" after all")
        return Told(
            who=off["who"].casefold(), place=off.start(), verb="decided against", pieces=read, against=True, reverses=True
        )
    if doubtful is None and (short := _IT_IS.match(text.strip())):
        read = pieces(short["tail"])
        read.what = short["what"]
        return Told(who="", place=0, verb="decided:", pieces=read)
    return doubtful


def _purposed(text: str, told: Told) -> Told:
    """What was decided with what it is for, where that stands in front: "for billing we go with X" is "X for billing"."""
    found = _PURPOSE.match(text)
    if found is not None and not told.against and " for " not in told.pieces.what:
        told.pieces.what = f"{told.pieces.what} for {found['for']}"
    return told


def _rather(text: str, told: Told) -> Told:
    """What was decided for, where the same sentence tells that too; what was turned down is then its alternative."""
    whole = framed(text) if told.against else None
    if whole is None or whole[4]:
        return told
    read = whole[3]
    read.alternatives = list(dict.fromkeys([*read.alternatives, *listed(told.pieces.what)]))
    read.rationale = read.rationale or told.pieces.rationale
    return replace(told, who=whole[0].casefold(), place=whole[1], verb=whole[2], pieces=read, against=False)


def _read(text: str, verb: re.Match[str]) -> Told | None:  # noqa: PLR0911  one doubt a line
    kind = verb.lastgroup or ""
    if kind in ("label", "noun", "passive"):
        return _named(text, verb, kind)
    if kind == "waschosen":
        return _passive(text, verb)
    who = _who(text, verb.start())
    if who is None or _STORY.match(text, verb.start()):
        return None
    if reason := _REASON_FOR.search(text[: who.place]):
        return _reasoned(text, who, verb, reason)
    if _unreal(text[: who.place]):
        return None
    read = pieces(text[verb.end() :].lstrip(" :"), against=bool(_AGAINST.search(verb[0])))
    sure, phrase = _settled(who, verb[0], kind)
    sure = sure or (kind == "chose" and bool(_PICKED.match(verb[0])) and who.name.rsplit(" ", 1)[-1].casefold() in GROUPS)
    if not phrase:
        return None
    if kind == "decided" and (was := _WAS.match(read.what)):
        read.what = read.what[was.end() :]
    elif _no_object(read.what, verb[0].casefold(), decided=kind == "decided"):
        return None
    if verb[0].casefold().startswith("prefer") and (ranked := _PREFERS.match(read.what)):
        read.what, lost = ranked["what"], ranked["lost"]
        read.alternatives = [*listed(lost), *read.alternatives]
        read.rationale += [ranked["why"]] if ranked["why"] and not read.rationale else []
    before_who(text[: who.place], read)
    against = bool(_AGAINST.search(verb[0])) and not read.favoured
    phrase = "chose" if read.favoured else phrase
    sure = sure or read.favoured
    return _whole(Told(who=who.name, place=who.place, verb=phrase, pieces=read, sure=sure, against=against))


def _no_object(what: str, verb: str, *, decided: bool) -> bool:
    """Whether the words behind a verb are none that tell what was decided: the next clause, or what is only pointed at."""
    if decided:
        return bool(_NO_OBJECT.match(what)) and not verb.endswith(("that", "we", "i", "it", " to"))
    return bool(_NO_OBJECT.match(what) or _POINTED.match(what))


def _reasoned(text: str, who: _Who, verb: re.Match[str], reason: re.Match[str]) -> Told | None:
    """In "the reason we chose X is that …" the reason follows what was decided."""
    parts = _IS_THAT.split(text[verb.end() :].strip(" ."), maxsplit=1)
    if len(parts) != 3:  # noqa: PLR2004  what, the joint, why
        return None
    read = pieces(parts[0])
    read.rationale.append(parts[2])
    read.because = f"because {parts[2]}"
    return _whole(Told(who=who.name, place=reason.start(), verb=verb[0], pieces=read, against=bool(_AGAINST.search(verb[0]))))


def _whole(told: Told) -> Told | None:
    """None when nothing is left that was decided."""
    return told if told.pieces.what else None


def _settled(who: _Who, verb: str, kind: str) -> tuple[bool, str]:  # noqa: PLR0911  one form of the verb after the other
    """Whether the verb says by itself that something was settled, and the verb as it follows a name; "" when it cannot be meant."""
    low = verb.casefold()
    will = bool(who.zone & {"will", "'ll", "gonna"}) or {"going", "to"} <= who.zone or who.name == "let's"
    if kind == "decided":
        return True, "" if will else verb
    if kind == "choose":
        if not will:
            return False, ""
        sure = bool(_PLAIN.match(low)) or who.name in ("let's", "we")
        return sure, f"will {verb}"
    if low.split()[0].endswith("ing"):
        be = who.zone & {"'m", "'re", "'s", "am", "are", "is", "were", "was", "be", "been", "end", "ended", "wound"}
        if not be and who.zone | {who.name} != {""}:
            return False, ""
        return bool(_PLAIN.match(low)), f"is {verb}" if who.name not in ("we", "they") else f"are {verb}"
    if will:
        return False, ""
    return bool(_PLAIN.match(low)) or "ended" in who.zone, verb


def _named(text: str, verb: re.Match[str], kind: str) -> Told | None:
    """A decision told by a noun or without anybody who decides."""
    front = text[: verb.start()]
    if kind == "noun" and (
        re.search(
            r"\b(?:no|any|every|without|if|whether|before|until|pending|make|need|needs|a|which|what|last)\s*$",
            front[-12:],
            re.IGNORECASE,
        )
    ):
        return None
    if _unreal(front):
        return None
    tail = text[verb.end() :].strip()
    if re.match(
        r"(?:not |in[:,] |back[:,] |yet |still |up to|pending|yours|hard|difficult|easy|made|final\b|tough|between|mine\b)",
        tail,
        re.IGNORECASE,
    ):
        return None
    read = pieces(tail)
    before_who(front, read)
    join = verb[0].rstrip(": ").rsplit(" ", 1)[-1].casefold()
    join = ":" if re.search(r" (?:went|goes) to$", verb[0].casefold()) else join
    joined = join if kind != "label" and join in ("to", "that", "on", "for", "against", "upon") else ":"
    phrase = f"decided{' not' if ' not to' in verb[0].casefold() else ''}{joined if joined == ':' else ' ' + joined}"
    return _whole(Told(who="", place=verb.start(), verb=phrase, pieces=read, against=joined == "against"))


def _passive(text: str, verb: re.Match[str]) -> Told | None:
    """In "X was chosen over Y" what was chosen stands in front."""
    front = re.split(r"[,;:.]|\b(?:and|but|so|because|since|that|which|who)\b", text[: verb.start()])[-1].strip()
    if (
        not front
        or len(front.split()) > _LONGEST_NAME
        or _unreal(text[: verb.start()].rstrip())
        or re.search(r"\b(?:not|never|if)\b", front, re.IGNORECASE)
    ):
        return None
    read = pieces(text[verb.end() :])
    after, read.what = read.what, front
    if _NO_WINNER.match(front) or _GAMES.search(text):
        return None
    if _BEATS.search(verb[0]):
        read.alternatives = [*listed(_BY_FAR.sub("", after)), *read.alternatives]
    against = bool(_AGAINST.search(verb[0]))
    if after.casefold().startswith("by "):
        return _whole(
            Told(
                who=after[3:], place=verb.end(), verb="rejected" if against else "chose", pieces=read, sure=True, against=against
            )
        )
    return _whole(
        Told(who="", place=verb.start(), verb="decided against" if against else "chose", pieces=read, sure=False, against=against)
    )


def _unreal(front: str) -> bool:
    return bool(_UNREAL.search(front[-40:].rstrip(" ,")))


def _who(text: str, verb: int) -> _Who | None:
    """Who stands before the verb at `verb`, walking back over what may stand between; None when there is doubt."""
    tokens = list(_TOKEN.finditer(text, max(0, verb - _LOOK_BACK), verb))
    zone: set[str] = set()
    at = len(tokens) - 1
    while at >= 0:
        word = tokens[at][0].casefold().replace("’", "'")
        head, mark, ending = word.partition("'")
        if mark and ending in ("s", "ll", "d") and head in GROUPS:
            return _Who(f"the {head}", tokens[at].start(), frozenset({*zone, f"'{ending}"}))
        if mark and (head in _PRONOUNS or word == "let's"):
            return _Who("let's" if word == "let's" else head, tokens[at].start(), frozenset({*zone, f"'{ending}"}))
        if word in words.UNSURE or word.endswith("n't"):
            return None
        if word not in words.AUXILIARY and not (word.endswith("ly") and len(word) > 4) and not (word == "," and at > 0 and zone):  # noqa: PLR2004  "fly" is no adverb
            break
        zone.add(word)
        at -= 1
    if at < 0:
        plain = not zone & {"will", "gonna", "be"}
        return _Who("", tokens[0].start() if tokens else verb, frozenset(zone - {","})) if plain and verb <= _LOOK_BACK else None
    return _person(text, tokens, at, frozenset(zone))


def _person(text: str, tokens: list[re.Match[str]], at: int, zone: frozenset[str]) -> _Who | None:  # noqa: C901, PLR0911  one way of naming after the other
    word = tokens[at][0]
    low = word.casefold()
    if low in _PRONOUNS:
        if low in ("i", "me") and at >= 2 and tokens[at - 1][0].casefold() == "and" and tokens[at - 2][0][0].isupper():  # noqa: PLR2004  "Ben and I"
            return _Who("we", tokens[at - 2].start(), zone)
        return _Who(low, tokens[at].start(), zone)
    if low == "us" and at and tokens[at - 1][0].casefold() == "let":
        return _Who("let's", tokens[at - 1].start(), zone)
    if low in GROUPS and (not at or tokens[at - 1][0].casefold() not in _DETERMINERS) and not word[0].isupper():
        return _Who(f"the {low}", tokens[at].start(), zone)
    if low in _JOINS or not word[0].isalnum():
        return _carried(text, tokens[at], zone)
    if word[0].isupper() and low not in _NO_NAME:
        first = at
        while first and at - first < 3 and (tokens[first - 1][0][0].isupper() or tokens[first - 1][0].casefold() in ("and", "&")):  # noqa: PLR2004  names are short
            first -= 1
        while tokens[first][0].casefold() in {"and", "&", *_NO_NAME}:
            first += 1
        place = tokens[min(first, at)].start()
        return _Who(text[place : tokens[at].end()], place, zone)
    for back in range(at - 1, max(-1, at - 5), -1):
        if tokens[back][0].casefold() in _DETERMINERS:
            return _Who(text[tokens[back].start() : tokens[at].end()], tokens[back].start(), zone)
        if not tokens[back][0][0].isalnum():
            break
    return None


def _carried(text: str, join: re.Match[str], zone: frozenset[str]) -> _Who | None:
    """Whoever the clause before "and decided …" is about."""
    front = text[: join.start()]
    found = re.findall(r"\b(I|we|We|he|He|she|She|they|They)\b", front[-160:])
    if found:
        return _Who(found[-1].casefold(), join.start(), zone)
    named = re.match(r"([A-Z][\w'’-]{1,20})(?: [A-Z][\w'’-]{1,20})? [a-z]", front)
    if named and named[1].casefold() not in _NO_NAME:
        return _Who(named[1], join.start(), zone)
    return _Who("", join.start(), zone) if not join[0][0].isalnum() and "let" not in zone else None
