"""The labelled parts of minutes and decision records: what was decided, why, instead of what, on what condition.

Rule of this file: pure and linear. A label with words behind it holds these; a heading holds what follows, up to the next one.
"""

# ruff: noqa: RUF001, E501  typographic signs; a pattern reads best unbroken

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from muniment.text.sentences import sentences

LONGEST: Final = 12_000
"""Characters of a record that are read for labels."""
_NAMES: Final = (
    ("decided", r"decisions?(?: outcome| taken| made| reached)?|decided|resolution|resolved|verdict|chosen(?: option| solution| approach)?|(?:our |the )?choice|agreed|final (?:call|answer|decision|pick|choice)|selected(?: option| solution)?|ruling|the call|outcome of the vote"),
    ("why", r"why(?: (?:this|that|it|so|not the others?))?\??|(?:(?:the|our|main|key|primary|biggest|deciding) )*(?:reasons?|rationale|reasoning|justification|motivation|drivers?|deciding factors?|grounds|basis|argument|logic|thinking)(?: (?:for|behind) (?:it|this|that|the (?:choice|decision)))?|because"),
    ("others", r"alternatives?(?: (?:considered|rejected|evaluated|discussed))?|(?:other |considered |rejected |discarded |remaining |further )?options(?: (?:considered|on the table|reviewed|weighed|evaluated|discussed|rejected))?|(?:also |we also |we )?considered(?: (?:options|alternatives))?|rejected|(?:other|rejected) alternatives|ruled out|not chosen|runners?-up|discarded|declined|candidates|shortlist|passed over|unsuccessful(?: (?:bidders|candidates|bids|tenders))?|instead of|dropped|out"),
    ("depends", r"depends on|conditions?|subject to|contingent on|dependenc(?:y|ies)|prerequisites?|assumptions?|caveats?"),
    ("by", r"decided by|deciders?|decision[- ]makers?|approved by|made by"),
    ("outcome", r"outcome"),
    ("good", r"benefits?|advantages?|pros|consequences|upside"),
    ("none", r"status|context|background|problem(?: statement)?|next steps?|actions?(?: items?)?|todo|to-do|owner|date|attendees|present|agenda|discussion|topic|cons|downsides?|references?|links?|notes?|scope|q|title|subject"),
)  # fmt: skip
_LABEL: Final = re.compile(
    r"(?P<marks>[ \t]*(?:[#>*•–—_-]+[ \t]*|\d{1,2}[.)][ \t]*)*)(?:"
    + "|".join(f"(?P<{kind}>{names})" for kind, names in _NAMES)
    + r")(?P<close>\*\*|__|\*)?(?: \([^)\n]{1,40}\))?[ \t]*(?:(?P<colon>[:：]|[ \t][–—-](?=[ \t])|\.?$)[*_]*[ \t]*)",
    re.IGNORECASE,
)
_GATE: Final = re.compile(r"decision|decided|resol|verdict|chosen|choice|agreed|final |selected|ruling|the call|outcome")
_HEADING: Final = re.compile(r"[ \t]*(?:#{1,6}[ \t]|\*\*[^*\n]{1,60}\*\*[ \t]*$)")
_BULLET: Final = re.compile(r"[ \t]*(?:[-*+•‣◦–—]|\d{1,2}[.)]|[a-zA-Z][.)])[ \t]+")
_NAME_ENDS: Final = re.compile(r" \(|: | [–—-] |, (?:but|which|because|too)|;| because | since |\.\s")
_EDGES: Final = ' \t\n*_"“”`.;:'


@dataclass(frozen=True, slots=True)
class Part:
    """One labelled part of a text: its kind, where its words stand, and the words."""

    kind: str
    start: int
    end: int
    text: str
    listed: bool


@lru_cache(maxsize=32)
def parts_of(text: str) -> tuple[Part, ...]:
    """The labelled parts of `text`; none where none is labelled as what was decided."""
    text = text[:LONGEST]
    if not _GATE.search(text.lower()):
        return ()
    found = tuple(_parts(text))
    if any(part.kind in ("why", "others") for part in found):
        found = tuple(replace(part, kind="decided") if part.kind == "outcome" else part for part in found)
    return found if any(part.kind == "decided" for part in found) else ()


def _parts(text: str) -> Iterator[Part]:
    open_kind, headed = "", False
    last = 0
    for start, end in sentences(text):
        said = text[start:end]
        line_start = "\n" in text[last:start] or start == 0
        last = end
        label = _LABEL.match(said)
        if label is not None and _labels(label, said):
            kind = label.lastgroup if label.lastgroup in _KINDS else next(k for k in _KINDS if label[k])
            rest = said[label.end() :].strip()
            open_kind, headed = ("", False) if rest else (kind, bool(_HEADING.match(said)))
            if rest:
                yield Part(kind, start + label.end(), end, rest, listed=False)
        elif line_start and _HEADING.match(said):
            open_kind = ""
        elif open_kind:
            bullet = _BULLET.match(said)
            yield Part(open_kind, start, end, said[bullet.end() :] if bullet else said, listed=bool(bullet))
            if not (bullet or headed):
                open_kind = ""


_KINDS: Final = tuple(kind for kind, _ in _NAMES)


def _labels(label: re.Match[str], said: str) -> bool:
    """Whether the words are a label: a colon follows, or they are a heading of their own."""
    if label["colon"] and label["colon"] not in (".", ""):
        return True
    return label.end() >= len(said.rstrip()) and bool(_HEADING.match(said) or label["close"])


def texts(parts: tuple[Part, ...], kind: str) -> list[str]:
    """The words of every part of one kind, in order, each without signs around it."""
    return [bare for part in parts if part.kind == kind and (bare := part.text.strip(_EDGES))]


def named(parts: tuple[Part, ...]) -> list[str]:
    """What the parts of what was not taken name: list items by what stands before their comment."""
    out: list[str] = []
    for part in parts:
        if part.kind != "others":
            continue
        out.append(_NAME_ENDS.split(part.text, maxsplit=1)[0].strip(_EDGES) if part.listed else part.text.strip(_EDGES))
    return [one for one in out if one]
