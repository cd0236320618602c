"""Markdown as lint reads it: prose in sentences, code apart, and for every piece the line it stands on.

Rules of this file: nothing is rendered, only told apart, in one pass. What stands in a code fence, a comment, a quotation or
under "for example" is mentioned and not said, so that no rule takes it for an instruction.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

_FENCE: Final = re.compile(r"[ \t>]*(`{3,}|~{3,})(.*)$")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_ITEM: Final = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_TABLE: Final = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_UNDER_HEAD: Final = re.compile(r"[ \t]*\|[ \t:|-]*-[ \t:|-]*$")
_RULE: Final = re.compile(r"[ \t]*([-*_=])[ \t]*(?:\1[ \t]*){2,}$")
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINK: Final = re.compile(r"!?\[([^\]\n]{0,300})\]\([^)\n]{0,500}\)")
_EMPHASIS: Final = re.compile(r"\*+|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)|~~|`+")
_QUOTED: Final = re.compile(r'"[^"\n]{8,500}"|\u201c[^\u201d\n]{8,500}\u201d|\u00ab[^\u00bb\n]{8,500}\u00bb')
_DASH: Final = r"[-\u2013\u2014]"
_LABEL: Final = re.compile(
    rf"[^\w*]*\*\*([^*\n]{{1,60}}?)(?::\*\*|\*\*(?=\s?(?::|\s{_DASH}\s|\())(?:\s?\([^)\n]{{0,80}}\))?\s?(?::|{_DASH}))\s*"
)
_BREAK: Final = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)[.!?]{1,3}[\"')\u201d\]*_]{0,4}\s(?![a-z])"
    r"|;\s|\s[\u2013\u2014]\s|\s--?\s(?=\w)"
)

MOST_SAID: Final = 800
"""Characters of a sentence that can still be an order; a longer one is a list or a table."""
MOST_SHOWN: Final = 160
"""Characters of a sentence that a message repeats at most."""


class Lead(StrEnum):
    """What the words above a list make of its entries."""

    NONE = ""
    DO = "do"
    DO_NOT = "do_not"
    EXAMPLE = "example"


_LEADS: Final = (
    (Lead.DO_NOT, re.compile(r"(?:things to )?(?:avoid|never|do not|don'?t'?s?|must not|forbidden|prohibited)(?: \w+)?$")),
    (Lead.DO, re.compile(r"(?:always|do|dos|do's|must|required)$")),
    (
        Lead.EXAMPLE,
        re.compile(
            r"(?:bad|good|wrong|right|correct|incorrect|before|after|input|output|e\.g\.?|for example|examples?)\b(?:.{0,40})$"
        ),
    ),
)
_SIGNS: Final = {sign: lead for lead, signs in ((Lead.DO_NOT, "❌✗✘🚫⛔"), (Lead.DO, "✅✓✔☑")) for sign in signs}
_SIGN: Final = re.compile(rf"[^\w\s]*([{''.join(_SIGNS)}])")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text; `number` counts from 0. `code` is true inside a fence and for the fence itself."""

    number: int
    text: str
    code: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence without its markup. `label` is the bold word in front of it, `section` the headings above it."""

    text: str
    line: int
    label: str = ""
    section: tuple[str, ...] = ()
    lead: Lead = Lead.NONE


def lines_of(text: str) -> list[Line]:
    """Every line, and whether it is code. A fence that is never closed runs to the end."""
    out: list[Line] = []
    opened = ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n")):
        mark = _FENCE.match(line)
        if opened:
            out.append(Line(number, line, code=True))
            if mark and mark[1].startswith(opened) and not mark[2].strip():
                opened = ""
            continue
        if mark and not (mark[1][0] == "`" and "`" in mark[2]):
            opened = mark[1]
        out.append(Line(number, line, code=bool(opened)))
    return out


def prose_of(text: str) -> str:
    """`text` with every line of code left empty, so that lines keep their numbers."""
    return "\n".join("" if line.code else line.text for line in lines_of(text))


def passages_of(text: str) -> Iterator[tuple[int, str]]:
    """Lines with no empty line between them, and every fence as one, each with the line it begins on."""
    held: list[Line] = []
    for line in [*lines_of(text), Line(0, "", code=False)]:
        if held and (line.code is not held[0].code or not (line.code or line.text.strip())):
            yield held[0].number, "\n".join(one.text for one in held)
            held = []
        if line.code or line.text.strip():
            held.append(line)


def plain(text: str) -> str:
    """`text` without emphasis, code marks and the targets of links; apostrophes of one kind."""
    return _EMPHASIS.sub("", _LINK.sub(r"\1", text)).replace("\u2019", "'").strip()


def line_at(text: str, offset: int) -> int:
    """The line, counted from 0, that the character at `offset` stands on."""
    return bisect_left(_breaks(text), offset)


@lru_cache(maxsize=8)
def _breaks(text: str) -> tuple[int, ...]:
    """Where the lines of a text end; kept, as many places of one text are asked for."""
    return tuple(at for at, char in enumerate(text) if char == "\n")


def shortened(text: str) -> str:
    """A sentence as a message may repeat it."""
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1].rstrip()}…"


def statements(text: str) -> list[Statement]:
    """Every sentence of the prose of `text`, in order."""
    return list(_Reader().read(_COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)))


@dataclass(slots=True)
class _Paragraph:
    """Lines that belong together, and where each of them begins. `indent` is that of a list entry, -1 for any other."""

    text: str = ""
    indent: int = -1
    starts: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def add(self, text: str, number: int) -> None:
        text = " ".join(text.split())
        self.text = f"{self.text} {text}" if self.text else text
        self.starts.append(len(self.text) - len(text))
        self.numbers.append(number)

    def line_at(self, offset: int) -> int:
        return self.numbers[bisect_right(self.starts, offset) - 1]


class _Reader:
    """Goes through the lines once, knowing the headings above and the lines that lead into the list it is in."""

    def __init__(self) -> None:
        self.section: list[tuple[int, str]] = []
        self.leads: list[tuple[int, Lead]] = []
        self.held = _Paragraph()

    def read(self, text: str) -> Iterator[Statement]:
        lines = lines_of(text)
        heads = {line.number - 1 for line in lines if not line.code and _UNDER_HEAD.match(line.text)}  # of tables
        for line in lines:
            if line.code or line.number in heads or not line.text.strip() or _RULE.match(line.text):
                yield from self._flush()
            elif heading := _HEADING.match(line.text):
                yield from self._flush()
                self._enter(len(heading[1]), plain(heading[2].rstrip("# \t")))
            elif _TABLE.match(line.text):
                yield from self._flush()
                for cell in line.text.strip().strip("|").split("|"):
                    self.held.add(cell, line.number)
                    yield from self._flush()
            elif item := _ITEM.match(line.text):
                yield from self._flush()
                self.held.indent = len(item[1].expandtabs())
                self.held.add(line.text[item.end() :], line.number)
            else:
                self.held.add(line.text.lstrip("> \t"), line.number)
        yield from self._flush()

    def _enter(self, level: int, heading: str) -> None:
        self.section = [*((depth, name) for depth, name in self.section if depth < level), (level, heading)]
        self.leads = [(-1, _lead_of(heading))]

    def _flush(self) -> Iterator[Statement]:
        held, self.held = self.held, _Paragraph()
        if not held.text:
            return
        self.leads = [(indent, lead) for indent, lead in self.leads if indent < held.indent or (indent == held.indent == -1)]
        lead = self.leads[-1][1] if self.leads and held.indent >= 0 else Lead.NONE
        opening = plain(held.text)
        if opening.endswith(":"):
            introduced = _lead_of(opening[:-1].rpartition(". ")[2])
            self.leads = [one for one in self.leads if one[0] < held.indent]
            self.leads.append((held.indent, introduced or lead))
            if introduced:
                return
        elif held.indent < 0:
            self.leads = self.leads[:1] if self.section else []
        yield from self._sentences(held, lead)

    def _sentences(self, held: _Paragraph, lead: Lead) -> Iterator[Statement]:
        section = tuple(name for _, name in self.section)
        text = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), held.text)
        label, start = "", 0
        if (bold := _LABEL.match(text)) and not _lead_of(bold[1]):
            label, start = plain(bold[1]), bold.end()
        elif bold and _lead_of(bold[1]) is Lead.EXAMPLE:
            lead = Lead.EXAMPLE
        if sign := _SIGN.match(text):
            lead = _SIGNS[sign[1]] if lead is Lead.NONE else lead
        for begin, end in _spans(text, start):
            words = plain(text[begin:end])
            if len(words) <= MOST_SAID and any(letter.isalpha() for letter in words):
                at = begin + len(text[begin:end]) - len(text[begin:end].lstrip())
                yield Statement(text=words, line=held.line_at(at), label=label, section=section, lead=lead)


def _spans(text: str, start: int) -> Iterator[tuple[int, int]]:
    for mark in _BREAK.finditer(text, start):
        end = mark.start() + len(mark[0].rstrip())
        if start < end:
            yield start, end
        start = mark.end()
    if start < len(text):
        yield start, len(text)


def _lead_of(words: str) -> Lead:
    bare = words.replace("\u2019", "'").strip(f" \t*_:{''.join(_SIGNS)}").lower()
    return next((lead for lead, pattern in _LEADS if pattern.match(bare)), Lead.NONE)
