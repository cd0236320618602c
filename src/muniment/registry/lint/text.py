"""Words that should not stand in a block: what changes by itself, what nobody sees, what ranks itself.

Rules of this file: every pattern is so narrow that it seldom means anything else. Code is left alone where an example of a thing
is no instance of it; what is hidden is looked for everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from muniment.registry.lint.directives import is_order
from muniment.registry.lint.parts import parts_of
from muniment.registry.lint.reading import line_at, prose_of, shortened, statements
from muniment.registry.lint.values import Checked, LintFinding, Place, Severity, Subject
from muniment.types import Band


class _Sign(NamedTuple):
    """What a pattern gives away."""

    what: str
    pattern: re.Pattern[str]


def _sign(what: str, pattern: str) -> _Sign:
    return _Sign(what, re.compile(pattern, re.IGNORECASE | re.VERBOSE))


_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DATE: Final = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}} | \d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}} | {_MONTH}\ \d | \d{{1,2}}(?:st|nd|rd|th)?\ {_MONTH}"
    rf"| {_DAY})"
)
_YEAR: Final = r",?\ \d{4}"
_FULL_DATE: Final = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}} | \d{{1,2}}(?:st|nd|rd|th)?\ {_MONTH}{_YEAR} | {_MONTH}\ \d{{1,2}}(?:st|nd|rd|th)?{_YEAR})"
)
_HEX: Final = r"(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]"
_FRESH: Final = r"(?:date_?time|now|timestamp|today|current_?(?:date|time))"
_VOLATILE: Final = (
    _sign(
        "a date that goes out of date",
        rf"\b(?:(?:today(?:'s\ date)?|current\ (?:date|time)|now)(?:\ is|\ are|:|\ =)+"
        rf"|(?:as\ of|last\ (?:updated|modified|synced)|generated)(?:\ (?:on|at))?:?)\ ?{_DATE}",
    ),
    _sign("a date that goes out of date", rf"\bit(?:\ is|'s)(?:\ now)?\ (?:{_DAY},?\ )?{_FULL_DATE}"),
    _sign(
        "a timestamp", r"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2} | \b(?:timestamp|epoch|unix\ time)\b\W{1,4}1[5-9]\d{8}(?:\d{3})?\b"
    ),
    _sign("a random id", r"\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b"),
    _sign(
        "an id of one run",
        r"\b(?:session|request|trace|run|conversation|thread|correlation)[ _-]?id\b\W{1,4}(?=[a-z_-]{0,40}\d)[\w-]{6,}",
    ),
    _sign("a commit", rf"\b(?:commit|revision|sha|head)\b\W{{1,4}}{_HEX}{{7,40}}\b"),
    _sign("a digest", rf"(?<![\#\w]){_HEX}{{32,64}}(?!\w)"),
    _sign(
        "a temporary path",
        r"/(?:tmp|var/tmp)/(?:tmp[a-z0-9_]{6,}|[a-z_.-]{0,60}\d{5,}) | /var/folders/\w{2}/ | \\Temp\\\w+ | \.tmp\.\w{6,}",
    ),
    _sign(
        "a counter",
        r"\b(?:turn|message|request|attempt|iteration|call)\ (?:\#|no\.\ ?|number\ )?\d+\ ?(?:of|/)\ ?\d+"
        r"| \btokens?\ (?:used|left|remaining)\b\W{1,4}\d | \b\d[\d,]{0,12}\ tokens?\ (?:left|remaining)\b",
    ),
    _sign(
        "a value filled in on every run",
        rf"(?:\{{\{{-?\s{{0,3}}|\$\{{|<%=?\s{{0,3}})[\w.$]{{0,30}}?(?:{_FRESH}|uuid|session_?id|request_?id|run_?id|random|nonce)"
        rf"[\w()]{{0,20}}\s{{0,3}}(?:\}}|%>)"
        r" | \{\{-?\s{0,3}(?:date|time)\s{0,3}-?\}\} | \$\{(?:date|time)\}"
        rf" | (?<!\{{)\{{{_FRESH}(?:\(\))?\}} | \$\((?:date|uuidgen|git\ rev-parse|mktemp)\b",
    ),
)
_NOT_SAID: Final = re.compile(r"(`{1,3})(?!`)[^`\n]{1,200}\1|https?://[^\s)>\"']{1,500}")

_THIS: Final = (
    r"(?:this|these|my)\ (?:\w+\ )?(?:skill|file|block|prompt|document|rule|section|instruction|guideline|memory|tool)s?"
)
_OTHERS: Final = r"(?:any|all|every|the\ other|other|anything|everything)"
_RANKING: Final = (
    _sign(
        "asks to be loaded first",
        rf"\b(?:(?:load|read|use|include|apply|put|place|follow|call|run)\ (?:me|{_THIS})"
        rf"|{_THIS}\ (?:must|should|has\ to|have\ to)\ (?:always\ )?be\ (?:loaded|read|used|placed|applied))"
        rf"\ (?:first\b|(?:before|above|ahead\ of)\ {_OTHERS})",
    ),
    _sign("asks to be always there", rf"\balways\ (?:load|include|keep)\ (?:me\b|{_THIS})"),
    _sign(
        "sets itself above others",
        rf"\b{_THIS}\ (?:must\ |always\ |will\ |shall\ )?(?:takes?\ (?:precedence|priority)|overrides?|supersedes?|outranks?|"
        r"(?:has|have)\ (?:the\ )?(?:highest|top|absolute)\ (?:priority|precedence))",
    ),
    _sign(
        "asks to ignore others",
        r"\b(?:ignore|disregard|forget|override)\ (?:(?:all|any|the|every|your)\ ){0,2}"
        r"(?:other|previous|prior|above|earlier|preceding|system)\ "
        r"(?:instruction|rule|prompt|skill|message|guideline|tool|context)s?\b",
    ),
    _sign(
        "asks not to be removed",
        rf"\b(?:never|do\ not|don't)\ (?:unload|evict|remove|drop|truncate|compress)\ (?:me\b|{_THIS})",
    ),
    _sign("claims a priority", r"\b(?:priority|precedence)\ ?[:=]\ ?(?:\d{2,}|(?:highest|maximum|critical|absolute)\b)"),
)

_TOOL_ORDERS: Final = (
    _sign(
        "asks to keep something from the user",
        r"\b(?:do\ not|don't|never|without)\ (?:tell|inform|notify|alert|mention|reveal|ask)(?:ing)?"
        r"\b[^.\n]{0,40}\buser\b",
    ),
    _sign(
        "sends the reader to keys and settings",
        r"~/\.(?:ssh|aws|config|cursor|claude)\b | \bid_(?:rsa|ed25519)\b | /etc/passwd\b",
    ),
    _sign(
        "gives orders about other tools",
        r"\bbefore\ (?:using|calling|you\ (?:use|call))\ (?:any|another|other|every|this)\ (?:\w+\ )?tools?\b[^.\n]{0,40}"
        r"\b(?:must|always|first|read|send|call)\b",
    ),
)
"""What the texts of a tool have no reason to say; in a skill it may be how the work is done."""

_NO_WIDTH: Final = "characters of no width"
_CONTROLS: Final = "control characters"
_HIDDEN: Final = (
    _sign("characters that reorder the line", "[\u202a-\u202e\u2066-\u2069]"),
    _sign(
        "tag characters, which spell words that nobody sees",
        "(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+ | \U0001f3f4[\U000e0000-\U000e007f]{8,}",
    ),
    _sign("variation selectors in a row, which can carry hidden bytes", "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"),
    _sign(_NO_WIDTH, "[\u200b\u2060-\u2064\u180e\u00ad] | (?<!\\A)\ufeff"),
    _sign(_CONTROLS, "[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]"),
)
_UPKEEP: Final = re.compile(
    r"(?:please )?(?:always |never |do not |don't |must not )?"
    r"(?:keep|update|edit|add|sort|modify|change|move|rename|regenerate|bump|touch)\b.{0,80}"
    r"\b(?:(?:this|these|the)(?: \w+)? (?:file|section|list|page|document|table|line|heading|entr(?:y|ie)|example)s?\b"
    r"|(?:here|below|above)\W*$)",
    re.IGNORECASE,
)
"""An order to whoever keeps the file, not to whoever follows it."""
_COMMENT: Final = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)


def find_volatile_text(checked: Checked) -> Iterator[LintFinding]:
    """What changes from run to run, in a band that should stay the same byte for byte."""
    for subject in checked.subjects:
        if subject.band > Band.STABLE or subject.tool is not None:
            continue
        prose = _NOT_SAID.sub(lambda code: " " * len(code[0]), prose_of(subject.text))
        told = range(0)
        for sign in _VOLATILE:
            if (found := sign.pattern.search(prose)) and found.end() - 1 not in told:
                told = range(*found.span())
                yield LintFinding(
                    rule="volatile-text",
                    severity=Severity.WARNING,
                    place=subject.at(line_at(prose, found.start())),
                    message=f'this holds {sign.what}, "{shortened(found[0].strip())}", and stands where prompts are cached',
                    hint="Move it to a block in the volatile band, behind everything that stays the same.",
                    block=subject.name,
                )


def find_self_ranking(checked: Checked) -> Iterator[LintFinding]:
    """Text that claims a place for itself, which only the order of the registry gives; in a tool, orders beyond its own use."""
    for subject in checked.subjects:
        for part in parts_of(subject):
            text = prose_of(part.text) if part.is_body else part.text
            for sign in (*_RANKING, *(_TOOL_ORDERS if subject.tool else ())):
                if found := sign.pattern.search(text):
                    yield LintFinding(
                        rule="self-ranking",
                        severity=Severity.WARNING,
                        place=part.at(subject, found.start()),
                        message=f'{part.told} {sign.what}: "{shortened(" ".join(found[0].split()))}"',
                        hint="Say what it is for; its place is given by the order, the band and the priority of the block.",
                        block=subject.name,
                    )


def find_hidden_text(checked: Checked) -> Iterator[LintFinding]:
    """What a model reads and a person does not see: characters without a shape, and orders in comments."""
    for subject in checked.subjects:
        for part in parts_of(subject):
            for sign in _HIDDEN:
                if found := sign.pattern.search(part.text):
                    severity = Severity.WARNING if sign.what in (_NO_WIDTH, _CONTROLS) else Severity.ERROR
                    told = f"here are {sign.what} ({_spelled(found[0])})"
                    yield _hidden(subject, part.at(subject, found.start()), told, severity)
            prose = prose_of(part.text)
            for comment in _COMMENT.finditer(prose):
                orders = [one.text for one in statements(comment[1]) if is_order(one.text)]
                if orders:
                    order = next((one for one in orders if not _UPKEEP.match(one)), "")
                    told = f'a comment that no reader of the page sees gives an order: "{shortened(order or orders[0])}"'
                    severity = Severity.WARNING if order else Severity.NOTE
                    yield _hidden(subject, part.at(subject, comment.start()), told, severity)


_SPELLED: Final = 3


def _hidden(subject: Subject, place: Place, message: str, severity: Severity) -> LintFinding:
    hint = "Take it out unless you know why it is there: text that nobody sees is how instructions are smuggled in."
    return LintFinding(rule="hidden-text", severity=severity, place=place, message=message, hint=hint, block=subject.name)


def _spelled(found: str) -> str:
    codes = " ".join(f"U+{ord(char):04X}" for char in found[:_SPELLED])
    return codes + (f" and {len(found) - _SPELLED} more" if len(found) > _SPELLED else "")
