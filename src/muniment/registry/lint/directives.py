"""What a sentence orders: to do, not to do, to prefer, or to stay within a number.

Rules of this file: English, and precise rather than complete. A sentence that no pattern fits says nothing here. Content words
are compared by their stems; those of a condition are kept apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

from muniment.registry.lint.reading import Lead, Statement, plain
from muniment.text.languages import ENGLISH, stem


class Force(IntEnum):
    """How strongly something is said: it is left free (may, need not), asked for, or holds without exception."""

    FREE = 1
    PLAIN = 2
    STRICT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """One order. `terms` are the stems of its content words in their order, `conditions` those of when it holds."""

    positive: bool
    force: Force
    terms: tuple[str, ...]
    conditions: frozenset[str]
    statement: Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """`better` is to be taken rather than `worse`; both as stems."""

    better: frozenset[str]
    worse: frozenset[str]
    conditions: frozenset[str]
    statement: Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A bound on what `subject` (stems) speaks of. `least` and `most` are the same where one exact number is asked for."""

    subject: frozenset[str]
    unit: str
    least: float | None
    most: float | None
    conditions: frozenset[str]
    statement: Statement


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DROPPED: Final = _words(
    "a an the this that these those it its they them their there here you your yours we us our i me my one ones he she "
    "his her be is are was were been being am do does did done doing have has had having will would to of in on at for "
    "with by as and or also just very really please then so such any all every each some both own same other can may "
    "could might shall should must always claude assistant which who whose what how about up out more most get got let "
    "make sure ensure need needs"
)
NUMBERS: Final = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
}
_SAME: Final = {
    "utilize": "use",
    "utilise": "use",
    "employ": "use",
    "respond": "answer",
    "reply": "answer",
    "delete": "remove",
    "display": "show",
}
_VERBS: Final = _words(
    "add answer apply ask assign assume avoid be begin build call capitalize catch change check choose cite clean close "
    "commit compress convert copy create declare define delete deploy describe display document draft edit employ "
    "enable end escape explain export extract fail favor favour fetch fill follow format generate give handle hide "
    "hardcode import include indent insert install invoke keep leave limit link list load log maintain mark mention "
    "merge mock move omit open output parse pass pick pin place prefer prefix print publish push put quote raise read "
    "rebase reference remove rename render repeat replace reply respond retry return reuse review round run save say "
    "search select send set share show skip sort speak specify split squash start stop store strip submit summarize "
    "test throw track translate trim truncate try update use utilize validate verify wait wrap write"
)

_MARKERS: Final = re.compile(
    r"""
    (?<!\w) (?:
      (?P<skip> (?:do\ not|don't|not)\ (?:just|only|merely|simply|worry)\b | not\ only\b | no\ longer\b | whether\ or\ not\b )
    | (?P<yes> (?:do\ not|don't|never)\ (?:forget|fail|hesitate|neglect)\ to\b )
    | (?P<free> need\ not\b | needn't\b | (?:do\ not|don't)\ (?:need|have)\ to\b | no\ need\ to\b
        | (?:is|are)\ (?:not\ (?:required|necessary|needed)|optional)\b )
    | (?P<never> must\ (?:never|not)\b | mustn't\b | shall\ not\b | should\ never\b | never\b | under\ no\ circumstances\b
        | (?:is|are)\ (?:not\ (?:allowed|permitted)|forbidden|prohibited)\b | may\ not\b | cannot\b | can't\b )
    | (?P<not> do\ not\b | don't\b | should\ not\b | shouldn't\b | avoid\b | refrain\ from\b | ^no\b )
    | (?P<always> always\b | must\b | shall\b | (?:is|are)\ (?:required|mandatory)\b | (?:have|has)\ to\b
        | make\ sure\b | be\ sure\b | ensure\b )
    | (?P<may> (?:is|are)\ (?:allowed|permitted|fine|okay|ok)\b | feel\ free\ to\b | may\b | can\b )
    | (?P<should> should\b )
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MEANING: Final = {
    "yes": (True, Force.STRICT),
    "free": (False, Force.FREE),
    "never": (False, Force.STRICT),
    "not": (False, Force.PLAIN),
    "always": (True, Force.STRICT),
    "may": (True, Force.FREE),
    "should": (True, Force.PLAIN),
}
_SIGNS: Final = " ❌✗✘🚫⛔✅✓✔☑"
_NEGATION: Final = re.compile(r"\b(?:not|never|no|nor|neither|nothing|none|hardly|cannot)\b|n't\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(
    r",?\s+but\s+|(?:,|,?\s+(?:and|or))\s+(?=(?:never|always|do not|don't|must not|avoid)\b)", re.IGNORECASE
)
_WHEN: Final = r"if|when|whenever|unless|except|while|until|once|where|in case|provided|as long as|without|only"
_LEADING: Final = re.compile(rf"\s*(?:(?:{_WHEN}|for|in|on|with|during|at|after|before)\b[^,]*),\s*", re.IGNORECASE)
_TRAILING: Final = re.compile(rf"(?:^|[\s,]+)(?:{_WHEN})\b.*", re.IGNORECASE)
_REASON: Final = re.compile(
    r"[\s,(]+(?:because|since|so that|so|in order to|to avoid|otherwise|even|such as|e\.g|for example|including|"
    r"as (?:it|this|they))\b.*|:\s.*|\([^)]*\)?",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r"\([^)]*\)?")
_PREFERS: Final = re.compile(
    r"\b(?:(?<!you )(?<!they )(?<!we )(?<!i )(?:prefer|favou?r|choose|pick)\s+(?P<a>.{2,60}?)\s+"
    r"(?:over|to|rather than|instead of)\s+(?P<b>.{2,60})"
    r"|(?:use|write|call|choose)\s+(?P<c>.{2,60}?),?\s+(?:instead of|rather than|over|not)\s+(?P<d>.{2,60})"
    r"|(?P<e>[^,]{2,60}?)\s+(?:is|are)\s+(?:preferred|better|preferable)\s+(?:over|to|than)\s+(?P<f>.{2,60}))",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"\s+(?:for|in|on|when|if|unless|because|since|as|so|to|where|and|at|by|with)\b.*|(?:[.,;:!?](?=\s|$)|[()]).*", re.IGNORECASE
)
_WORD: Final = re.compile(r"\.?[^\W_]+(?:[-_'./][^\W_]+)*(?:\+\+|#)?")

_NAMING: Final = ("tier", "step", "phase", "level", "version", "section", "chapter", "stage", "part", "port")
_APART: Final = r"(?<![\w=./:#$-])" + "".join(rf"(?<!{word}\s)" for word in _NAMING)
_NUMBER: Final = rf"(?P<n>\d[\d,]*(?:\.\d+)?|\b(?:{'|'.join(NUMBERS)})\b)(?![\d:/-]|\.\d)(?P<k>\s?k\b)?\s*(?P<unit>%|[^\W\d_]+)?"
_MOST: Final = (
    r"at most|(?:no|not|never) (?:be )?(?:more|longer|larger|greater|higher) than|(?:not|never) exceed|"
    r"max(?:imum)?(?: \w+){0,3}?(?: is| of)?:?|up to|under|below|less than|fewer than|shorter than|within|"
    r"limit(?:ed)?(?: \w+){0,4} to|cap(?:ped)?(?: \w+){0,3} at|≤|<=|<"
)
_LEAST: Final = r"at least|no (?:less|fewer|shorter) than|min(?:imum)?(?: \w+){0,3}?(?: is| of)?:?|more than|longer than|≥|>=|>"
_BOUND: Final = re.compile(rf"(?:(?P<most>\b(?:{_MOST}))|(?P<least>\b(?:{_LEAST})))\s*{_APART}{_NUMBER}", re.IGNORECASE)
_RANGE: Final = re.compile(rf"{_APART}(?P<m>\d[\d,]*)\s*(?:-|\u2013|to|and)\s*{_NUMBER}", re.IGNORECASE)
_EXACT: Final = re.compile(f"{_APART}{_NUMBER}", re.IGNORECASE)
_ORDERS: Final = re.compile(r"\b(?:must|should|always|between)\b", re.IGNORECASE)
_BOUNDING: Final = _words(
    "keep limit exceed value allowed number amount count total maximum max minimum min least most than less fewer longer "
    "shorter higher under below within cap capped should never no not longest greater larger exactly between only strictly "
    "length long"
)


def directives_of(statement: Statement) -> Iterator[Directive]:
    """The orders in one sentence; none when it asks, tells, or shows an example."""
    if statement.lead is Lead.EXAMPLE or statement.text.rstrip().endswith("?"):
        return
    leading = _LEADING.match(statement.text)
    text = statement.text[leading.end() :] if leading else statement.text
    conditions = frozenset(terms_of(f"{statement.label} {leading[0] if leading else ''}"))
    for clause in _CLAUSE.split(text):
        if found := _directive(clause, statement, conditions):
            yield found


def _directive(clause: str, statement: Statement, conditions: frozenset[str]) -> Directive | None:
    clause = clause.strip(_SIGNS)
    marker = _MARKERS.search(clause)
    if marker and marker["skip"]:
        return None
    if marker:
        positive, force = _MEANING[marker.lastgroup or ""]
        before, core = clause[: marker.start()], clause[marker.end() :]
    elif statement.lead in (Lead.DO, Lead.DO_NOT) or is_imperative(clause):
        positive, force = statement.lead is not Lead.DO_NOT, Force.PLAIN
        before, core = "", clause
    else:
        return None
    if _TRAILING.search(before):  # the marker is part of a condition: "returned if it should"
        return None
    before, when_before = _unconditional(before)
    core, when_after = _unconditional(core)
    if _NEGATION.search(before) or _NEGATION.search(core):
        return None
    terms = _without_use(terms_of(f"{_REASON.sub('', before)} {_REASON.sub('', core)}"))
    if not terms:
        return None
    conditions |= when_before | when_after
    return Directive(positive=positive, force=force, terms=terms, conditions=conditions, statement=statement)


def is_imperative(clause: str) -> bool:
    """Whether a sentence begins with a verb that instructions begin with."""
    first, _, rest = clause.lower().removeprefix("please ").removeprefix("then ").partition(" ")
    return first in _VERBS and bool(rest)


def is_order(text: str) -> bool:
    """Whether a sentence begins as an order: with a verb, "always", "never", "you must" or the like."""
    marker = _MARKERS.match(text.strip(_SIGNS).removeprefix("You ").removeprefix("you "))
    return is_imperative(text) or (marker is not None and marker.lastgroup in {"never", "not", "always"})


def preferences_of(statement: Statement) -> Iterator[Preference]:
    """What a sentence puts above something else."""
    if statement.lead is not Lead.NONE or statement.text.rstrip().endswith("?"):
        return
    for found in _PREFERS.finditer(statement.text):
        first, second = (side for side in found.groups() if side)
        rest = _END.search(second)
        better, worse = frozenset(terms_of(first)), frozenset(terms_of(second[: rest.start()] if rest else second))
        if better and worse and not better & worse:
            conditions = frozenset(terms_of(rest[0])) if rest else frozenset()
            yield Preference(better=better, worse=worse, conditions=conditions, statement=statement)


def limits_of(statement: Statement) -> Iterator[Limit]:
    """The bounds a sentence sets, and the exact number of an order that holds one."""
    if statement.lead in (Lead.EXAMPLE, Lead.DO_NOT) or statement.text.rstrip().endswith("?"):
        return
    text, conditions = _unconditional(_ASIDE.sub("", statement.text))
    found = _numbers(text)
    if found is None or found["unit"] in _DROPPED:
        return
    number = _value(found["n"], found["k"])
    named = found.groupdict()
    exact = not named.get("most") and not named.get("least")
    least = _value(named["m"], None) if named.get("m") else number if named.get("least") or exact else None
    rest = text[: found.start("n")] + " " + text[found.end() :]
    unit = _stem((found["unit"] or "").lower())
    subject = frozenset(terms_of(f"{statement.label} {rest}")) - _BOUND_STEMS - {unit, "use"}
    subject = frozenset(term for term in subject if not term[0].isdigit())
    if unit in _OF_TEXT and subject & _REPLY:  # "max 3 sentences per reply" and "replies have at most 3 sentences"
        subject = subject - _REPLY - _GIVEN | {"answer"}
    if subject:
        yield Limit(
            subject=subject,
            unit=unit,
            least=least,
            most=None if named.get("least") else number,
            conditions=conditions,
            statement=statement,
        )


def _numbers(text: str) -> re.Match[str] | None:
    """The one number of a sentence, or its one range, as a bound or in an order."""
    orders = bool(_ORDERS.search(text)) or is_imperative(text)
    if bound := _BOUND.search(text):
        return bound if len(_EXACT.findall(text)) == 1 else None
    if orders and (span := _RANGE.search(text)):
        return span
    exact = list(_EXACT.finditer(text)) if orders else []
    return exact[0] if len(exact) == 1 and exact[0]["unit"] else None


def _value(digits: str, thousands: str | None) -> float:
    number = NUMBERS.get(digits.lower()) or float(digits.replace(",", ""))
    return number * 1000 if thousands else number


def _unconditional(text: str) -> tuple[str, frozenset[str]]:
    """A sentence without the part that says when it holds, and the terms of that part."""
    conditions: set[str] = set()
    if leading := _LEADING.match(text):
        conditions.update(terms_of(leading[0]))
        text = text[leading.end() :]
    if trailing := _TRAILING.search(text):
        conditions.update(terms_of(trailing[0]))
        text = text[: trailing.start()]
    return text, frozenset(conditions)


@lru_cache(maxsize=65536)
def terms_of(text: str) -> tuple[str, ...]:
    """The stems of the content words of a piece of a sentence, in order."""
    words = (word.removesuffix("'s") for word in _WORD.findall(plain(text).lower()))
    return tuple(_stem(word) for word in words if word not in _DROPPED)


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return stem(_SAME.get(word, word), ENGLISH)


_OF_TEXT: Final = frozenset(map(_stem, _words("word words sentence sentences paragraph paragraphs bullet bullets")))
_REPLY: Final = frozenset(map(_stem, _words("answer answers reply replies response responses")))
_GIVEN: Final = frozenset(map(_stem, _words("per write give keep")))
_BOUND_STEMS: Final = frozenset(_stem(word) for word in _BOUNDING)
ORDERED: Final = frozenset({"befor", "after", "over", "than", "from", "into", "onto", "between"})
"""Stems that make the order of the others matter."""


def _without_use(terms: Sequence[str]) -> tuple[str, ...]:
    """To use a thing and the thing itself are one rule."""
    return tuple(term for term in terms if term != "use") or tuple(terms)
