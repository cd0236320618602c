"""One turn's blocks: the caller's own, the memory found, the conversation so far, and the message.

Rule of this file: pure, and it only arranges. What fits is the compiler's decision, and its receipt names every block made here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from muniment.types import Band, Block, BlockId, Bundle, Hit, Kind, Record, Role, Trust

MEMORY_SHARE = 0.4
"""Part of the budget (after the caller's required blocks are thought of) that recalled memory may take at most."""

RECENT_TURNS = 200
"""How many turns of the running conversation are offered to the compiler."""


def turn_blocks(
    own: Sequence[Block], *, bundle: Bundle, recent: Sequence[Record], message: str, instructions: str, new_id: Callable[[], str]
) -> tuple[Block, ...]:
    """Every block this turn could show, in prompt order (bands first, then the order given).

    `recent` is the running conversation, oldest first; a hit that stands in it is left to it. The message is last and required.
    """
    shown = _without_message(recent, message)
    seen = {record.id for record in recent}
    hits = [hit for hit in bundle if hit.record.id not in seen and hit.record.text != message]
    made = [
        *([_instruction(instructions, new_id)] if instructions else []),
        *_conversation(shown, new_id),
        *(_memory(hit, place, new_id) for place, hit in enumerate(hits, 1)),
    ]
    asked = Block(
        id=BlockId(new_id()), name="message", text=message, band=Band.VOLATILE, role=Role.USER, required=True, trust=Trust.TRUSTED
    )
    return (*sorted([*own, *made], key=lambda block: block.band), asked)


def _without_message(recent: Sequence[Record], message: str) -> Sequence[Record]:
    """The conversation before this message, when the host has ingested the message already."""
    if recent and recent[-1].role is Role.USER and recent[-1].text == message:
        return recent[:-1]
    return recent


def _instruction(text: str, new_id: Callable[[], str]) -> Block:
    return Block(id=BlockId(new_id()), name="instructions", text=text, band=Band.PINNED, role=Role.SYSTEM, required=True)


def _conversation(recent: Sequence[Record], new_id: Callable[[], str]) -> list[Block]:
    asked_by = {call.id: record.id for record in recent for call in record.tool_calls}
    return [
        Block(
            id=BlockId(new_id()),
            name=f"turn {record.seq}",
            text=record.text,
            band=Band.SESSION,
            role=record.role,
            trust=record.trust,
            turn_key=record.id if record.tool_calls else asked_by.get(record.tool_call_id or ""),
            tool_calls=record.tool_calls,
            tool_call_id=record.tool_call_id,
        )
        for record in recent
        if record.role is not Role.SYSTEM
    ]


def _memory(hit: Hit, place: int, new_id: Callable[[], str]) -> Block:
    return Block(
        id=BlockId(new_id()),
        name=f"memory {place}",
        text=recalled_line(hit),
        band=Band.VOLATILE,
        role=Role.DOCUMENT,
        trust=Trust.UNTRUSTED,
        priority=1.0 / place,
    )


def recalled_line(hit: Hit) -> str:
    """How one piece of evidence reads in a prompt: when, who, and the words; a long record gives its best passage."""
    record = hit.record
    start, end = hit.passage
    words = record.text[start:end] if end else record.text
    when = f"{record.said_at:%Y-%m-%d} " if record.said_at else ""
    who = record.origin or "document" if record.kind is Kind.PASSAGE else record.speaker
    return f"[{when}{who}] {words.strip()}"
