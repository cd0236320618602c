"""A compilation as alternating sides, the form both chat shapes are made from.

Rules of this file: only trusted instructions reach the system part, and tools no message; everything else stands where the
registry has it, on the user's or the assistant's side; results come before the other words of their side, since every chat API
wants them there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from muniment.compilation import Compilation
from muniment.compile.partners import Rank, pair, rank
from muniment.compile.render import framed, spoken, worded
from muniment.text.fence import item
from muniment.types import Band, Block, Role, ToolCall


@dataclass(slots=True)
class Words:
    """Text on one side: what a turn says (TURN), a frame of data (DATA), or an instruction at its place (NOTE)."""

    text: str
    rank: Rank
    band: Band


@dataclass(slots=True)
class Side:
    """All that one side says before the other does. `results` are call id, text and band; a user's side has no calls."""

    who: Literal["user", "assistant"]
    words: list[Words] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[tuple[str, str, Band]] = field(default_factory=list)


class CallIds:
    """Call ids as an API takes them: none empty or used twice, and `_` for every sign that is `forbidden`.

    Ask in the order of the conversation; a result has the id that the latest call of its id got.
    """

    def __init__(self, forbidden: re.Pattern[str] | None = None) -> None:
        self._forbidden = forbidden
        self._used: set[str] = set()
        self._now: dict[str, str] = {}

    def of_call(self, call_id: str) -> str:
        """The id for a call."""
        plain = (self._forbidden.sub("_", call_id) if self._forbidden else call_id) or "call"
        name, n = plain, 1
        while name in self._used:
            n += 1
            name = f"{plain}_{n}"
        self._used.add(name)
        self._now[call_id] = name
        return name

    def of_result(self, call_id: str) -> str:
        """The id for the result of a call."""
        return self._now.get(call_id, call_id)


def instructions(compilation: Compilation) -> list[tuple[Band, str]]:
    """The trusted instructions, one text per band that has any, in order."""
    texts: dict[Band, list[str]] = {}
    for block in compilation.blocks:
        if rank(block) is Rank.INSTRUCTION:
            texts.setdefault(block.band, []).append(worded(block))
    return [(band, "\n\n".join(parts)) for band, parts in texts.items()]


def sides(compilation: Compilation) -> list[Side]:
    """Everything but the instructions and tools, in order. Sides alternate; calls without a result are left out."""
    blocks, salt = compilation.blocks, compilation.salt
    ranks = [rank(block) for block in blocks]
    answered = pair(blocks, ranks).answered
    out: list[Side] = []
    for place, end in _stretches(blocks, ranks):
        block = blocks[place]
        if ranks[place] is Rank.DATA:
            text = framed([item(worded(b)) for b in blocks[place:end]], salt)
            _last(out, "user").words.append(Words(text, Rank.DATA, block.band))
        elif ranks[place] is Rank.NOTE:
            _last(out, "user").words.append(Words(worded(block), Rank.NOTE, block.band))
        elif block.role is Role.TOOL:
            _last(out, "user").results.append((block.tool_call_id or "", spoken(block, salt), block.band))
        else:
            side = _last(out, "assistant" if block.role is Role.ASSISTANT else "user")
            if block.text.strip():
                side.words.append(Words(spoken(block, salt), Rank.TURN, block.band))
            side.calls += answered.get(place, ())
    return out


def _stretches(blocks: Sequence[Block], ranks: Sequence[Rank]) -> list[tuple[int, int]]:
    """Spans of one turn, one note, or neighbouring data of one band; instructions and tools are skipped."""
    spans: list[tuple[int, int]] = []
    for place, block in enumerate(blocks):
        if ranks[place] in (Rank.INSTRUCTION, Rank.TOOL):
            continue
        start, end = spans[-1] if spans else (-1, -1)
        goes_on = end == place and ranks[place] is Rank.DATA is ranks[start] and block.band is blocks[start].band
        if goes_on:
            spans[-1] = (start, place + 1)
        else:
            spans.append((place, place + 1))
    return spans


def _last(out: list[Side], who: Literal["user", "assistant"]) -> Side:
    if not out or out[-1].who != who:
        out.append(Side(who))
    return out[-1]
