"""Blocks as flat text, in registry order. This text is what the budget is counted on and the prompt hash is taken of.

Rules of this file: trusted instructions stand as they are; a turn stands under a heading that no text can imitate; data stands
inside a frame. Nothing here reads a block's id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

from muniment.compile.partners import Rank
from muniment.text.fence import fence, frame, item
from muniment.types import Band, Block, Compilation, Role, ToolCall, Trust

GAP: Final = "\n\n"
_HEADING: Final = re.compile(r"^(?=[ \t]*\[(?:user|assistant|call|result)\b)", re.MULTILINE)
_NOT_IN_HEADING: Final = re.compile(r"[\s\[\]]+")


def to_text(compilation: Compilation) -> str:
    """The prompt as one text: instructions, turns under headings such as `[user]` and `[result …]`, data in frames."""
    return compilation.text


def spoken(block: Block, salt: str) -> str:
    """The words of a turn; in a frame when they are not trusted."""
    return fence(block.text, mark(block.text, salt)) if block.trust is Trust.UNTRUSTED else block.text


def framed(items: Sequence[str], salt: str) -> str:
    """One frame around entries made by `item`."""
    body = "\n".join(items)
    return frame(body, mark(body, salt))


def mark(text: str, salt: str) -> str:
    """The marker of a frame: it follows from the text and the salt, so that an unchanged text keeps an unchanged frame."""
    return blake2b(
        text.encode("utf-8", "surrogatepass"), key=salt.encode("utf-8", "surrogatepass")[:64], digest_size=4
    ).hexdigest()


def pieces(blocks: Sequence[Block], ranks: Sequence[Rank], answered: dict[int, tuple[ToolCall, ...]], salt: str) -> list[str]:
    """Each block's part of the text: an entry of a frame for data, all of it for the others."""
    return [
        block.text
        if rank is Rank.INSTRUCTION
        else item(block.text)
        if rank is Rank.DATA
        else _turn(block, answered.get(place, ()), salt)
        for place, (block, rank) in enumerate(zip(blocks, ranks, strict=True))
    ]


def joined(parts: Iterable[tuple[Band, Rank, str]], salt: str) -> str:
    """The whole text. Data of one band that stands together shares a frame."""
    out: list[str] = []
    run: list[str] = []
    run_band = Band.PINNED
    for band, rank, piece in parts:
        if run and (rank is not Rank.DATA or band is not run_band):
            out.append(framed(run, salt))
            run = []
        if rank is Rank.DATA:
            run.append(piece)
            run_band = band
        else:
            out.append(piece)
    if run:
        out.append(framed(run, salt))
    return GAP.join(out)


def _turn(block: Block, calls: tuple[ToolCall, ...], salt: str) -> str:
    if block.trust is Trust.UNTRUSTED:
        words = spoken(block, salt)
    else:
        words = _HEADING.sub("> ", block.text) if "[" in block.text else block.text
    heading = f"result {_word(block.tool_call_id or '')}" if block.role is Role.TOOL else str(block.role)
    asked = (f"[call {_word(call.id)} {' '.join(f'{call.name} {call.arguments}'.splitlines())}]" for call in calls)
    return "\n".join((f"[{heading}]", *([words] if words.strip() else []), *asked))


def _word(call_id: str) -> str:
    return _NOT_IN_HEADING.sub("_", call_id)
