"""Blocks as flat text, in registry order. This text is what the budget is counted on and the prompt hash is taken of.

Rules of this file: trusted instructions stand as they are, and under a heading where turns may come before them; a turn stands
under a heading that no text can imitate, and a tool in one line; data stands inside a frame. Nothing here reads a block's id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

from muniment.compilation import Compilation
from muniment.compile.checks import check_compiled
from muniment.compile.partners import Rank
from muniment.compile.tools import tool_line
from muniment.text.fence import fence, frame, item, mark, unheaded
from muniment.types import Band, Block, Role, ToolCall, Trust

GAP: Final = "\n\n"
_TURN, _DATA, _SESSION = Rank.TURN, Rank.DATA, Band.SESSION  # a member is slow to look up, and every block asks
_NOT_IN_HEADING: Final = re.compile(r"[\s\[\]\x00-\x1f\x7f-\x9f]+")
_MAPPED: Final = re.compile(r".*__x[0-9a-f]{10}", re.DOTALL)


def to_text(compilation: Compilation) -> str:
    """The prompt as one text: instructions, turns under headings such as `[user]` and `[result …]`, tools, data in frames."""
    check_compiled(compilation)
    return compilation.text


def worded(block: Block) -> str:
    """The block's text between its prefix and its suffix; nothing around a text that says nothing."""
    if block.prefix or block.suffix:
        return f"{block.prefix}{block.text}{block.suffix}" if block.text.strip() else block.text
    return block.text


def spoken(block: Block, salt: str) -> str:
    """The words of a turn; in a frame when they are not trusted."""
    words = worded(block)
    return fence(words, mark(words, salt)) if block.trust is Trust.UNTRUSTED else words


def framed(items: Sequence[str], salt: str) -> str:
    """One frame around entries made by `item`."""
    body = "\n".join(items)
    return frame(body, mark(body, salt))


def piece(block: Block, rank: Rank, salt: str, calls: tuple[ToolCall, ...] = ()) -> str:
    """The block's part of the text: an entry of a frame for data, all of it for the others. `calls` are its answered calls."""
    if block.tool is not None:
        return tool_line(block, block.tool, salt)
    if rank is _TURN:
        return _turn(block, calls, salt)
    if rank is _DATA:
        return item(worded(block))
    return worded(block) if block.band < _SESSION else f"[system]\n{worded(block)}"


def pieces(blocks: Sequence[Block], ranks: Sequence[Rank], answered: dict[int, tuple[ToolCall, ...]], salt: str) -> list[str]:
    """The `piece` of every block, in order."""
    return [
        piece(block, rank, salt, answered.get(place, ())) for place, (block, rank) in enumerate(zip(blocks, ranks, strict=True))
    ]


def joined(parts: Iterable[tuple[Band, Rank, str]], salt: str) -> str:
    """The whole text. Data of one band that stands together shares a frame."""
    out: list[str] = []
    run: list[str] = []
    run_band = Band.PINNED
    for band, rank, piece in parts:
        if run and (rank is not _DATA or band is not run_band):
            out.append(framed(run, salt))
            run = []
        if rank is _DATA:
            run.append(piece)
            run_band = band
        else:
            out.append(piece)
    if run:
        out.append(framed(run, salt))
    return GAP.join(out)


def _turn(block: Block, calls: tuple[ToolCall, ...], salt: str) -> str:
    words = spoken(block, salt) if block.trust is Trust.UNTRUSTED else unheaded(worded(block))
    heading = f"result {_word(block.tool_call_id or '')}" if block.role is Role.TOOL else str(block.role)
    asked = (f"[call {_word(call.id)} {' '.join(f'{call.name} {call.arguments}'.splitlines())}]" for call in calls)
    return "\n".join((f"[{heading}]", *([words] if words.strip() else []), *asked))


def _word(call_id: str) -> str:
    """A call id that cannot end a heading; where it has to change, a hash of it keeps different ids different."""
    plain = _NOT_IN_HEADING.sub("_", call_id)
    if plain == call_id and not _MAPPED.fullmatch(call_id):
        return call_id
    return f"{plain}__x{blake2b(call_id.encode('utf-8', 'surrogatepass'), digest_size=5).hexdigest()}"
