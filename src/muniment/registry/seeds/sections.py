"""A Markdown file without heads as blocks: one per heading, and one for what stands before the first.

Rule of this file: put together in order, the blocks are the file again, but for blank lines between them and hints in headings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from muniment.errors import SeedError
from muniment.registry.seeds.head import read_priority, read_words
from muniment.registry.seeds.lines import Line, Scanner, is_blank, trimmed
from muniment.registry.seeds.values import Notice, SeedFile
from muniment.types import Trust

MOST_SECTIONS: Final = 10_000
MOST_WORDS: Final = 60
"""Characters of a heading that its block's name keeps."""

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_NOT_A_PARAGRAPH = re.compile(r" {4}|\t| {0,3}(?:[>|<]|(?:[-+*]|\d{1,9}[.)])(?:[ \t\r\n]|$)|(?:[-*_][ \t]*){3,}$)", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_HINT = re.compile(r"[ \t]*\[([^\[\]]*)\][ \t]*(?:#+[ \t]*)?$")
_KEYS: Final = frozenset({"priority", "tags"})
_MOST_HEADING = 1000


class Heading(NamedTuple):
    """A heading: its level, its words, and its first line."""

    level: int
    words: str
    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One block of a split file. `name` is empty for what stands before the first heading."""

    name: str
    text: str
    line: int
    priority: float | None = None
    tags: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


def sections(text: str, first_line: int, file: SeedFile) -> list[Section]:
    """The sections of `text` in order; one without a name when there is no heading to split at.

    Every heading begins a section, except a level-1 heading that is the only one and comes first: that is the title.
    """
    found = list(_headings(text, first_line))
    if len(found) > MOST_SECTIONS:
        what = f"this file has {len(found):,} headings; at most {MOST_SECTIONS:,} are read as blocks."
        raise file.error(0, what, "too_many_blocks", "Split it into several files.")
    titles = [heading for heading in found if heading.level == 1]
    if len(titles) == 1 and found[0] is titles[0]:
        found = found[1:]
    if not found:
        body, line = trimmed(text, first_line)
        return [Section(name="", text=body, line=line)]
    starts = [heading.line.start for heading in found]
    before, line = trimmed(text[: starts[0]], first_line)
    out = [Section(name="", text=before, line=line)] if before else []
    for heading, end in zip(found, [*starts[1:], len(text)], strict=True):
        out.append(_section(heading, text[heading.line.start : end], file))
    return out


def block_name(words: str) -> str:
    """A heading's words as the name of a block: small letters and digits of any script, joined by `_`."""
    plain = _LINK.sub(r"\1", unicodedata.normalize("NFC", words[:_MOST_HEADING]))
    kept = " "
    for sign in plain.lower():
        mark_of_a_letter = unicodedata.category(sign).startswith("M") and not kept[-1].isspace()
        kept += sign if sign.isalnum() or mark_of_a_letter else " "
    return "_".join(kept.split())[:MOST_WORDS].strip("_")


def _section(heading: Heading, text: str, file: SeedFile) -> Section:
    """One section. A hint that cannot be read stays part of the heading, with a notice."""
    hint = _HINT.search(heading.words[-_MOST_HEADING:])
    try:
        if hint and (said := _said(hint[1].split(), heading.line.number, file)) is not None:
            return _hinted(heading, text, hint, said, file)
        notices: tuple[Notice, ...] = ()
    except SeedError as error:
        told = f"the brackets behind this heading are kept as text: {error.message}"
        notices = (Notice(code="hint_invalid", message=told, line=heading.line.number),)
    body, line = trimmed(text, heading.line.number)
    return Section(name=block_name(heading.words), text=body, line=line, notices=notices)


def _hinted(heading: Heading, text: str, hint: re.Match[str], said: dict[str, str], file: SeedFile) -> Section:
    mark = f"[{hint[1]}]"
    place = text.rindex(mark, 0, len(heading.line.text))
    body, line = trimmed(text[:place].rstrip(" \t") + text[place + len(mark) :], heading.line.number)
    notices: tuple[Notice, ...] = ()
    if "priority" in said and file.trust is not Trust.TRUSTED:
        told = "priority is ignored: an untrusted file does not rank its own blocks."
        notices = (Notice(code="untrusted_rank", message=told, line=line),)
    priority = read_priority(said["priority"], file, line) if "priority" in said and not notices else None
    tags = read_words(said["tags"].split(","), file, line) if "tags" in said else ()
    name = block_name(heading.words.removesuffix(hint[0]))
    return Section(name=name, text=body, line=line, priority=priority, tags=tags, notices=notices)


def _said(words: list[str], line: int, file: SeedFile) -> dict[str, str] | None:
    """What the brackets behind a heading say; None when they are just words of the heading."""
    pairs = [word.partition("=") for word in words]
    if not any(equals and key in _KEYS for key, equals, _ in pairs):
        return None
    said = {key: value for key, equals, value in pairs if equals and key in _KEYS}
    if len(said) != len(words):
        hint = "Write [priority=0.8 tags=a,b], each key once and no spaces inside."
        raise file.error(line, "the brackets behind this heading cannot be read.", "hint_invalid", hint)
    return said


def _headings(text: str, first_line: int) -> Iterator[Heading]:
    """Headings outside code and comments, with # before or a line of = or - below a paragraph of one line."""
    before: Line | None = None  # the line above, if it belongs to a paragraph, a list or the like
    alone = False  # whether it is the first line of a paragraph
    for line in Scanner(text, number=first_line):
        bare = line.text.rstrip("\r\n")
        if line.opaque or is_blank(bare):
            before = None
        elif atx := _ATX.fullmatch(bare):
            yield Heading(len(atx[1]), (atx[2] or "").strip(), line)
            before = None
        elif before and alone and (under := _UNDERLINE.fullmatch(bare)):
            yield Heading(1 if under[1][0] == "=" else 2, before.text.strip(), before)
            before = None
        else:
            alone = before is None and not _NOT_A_PARAGRAPH.match(bare)
            before = line
