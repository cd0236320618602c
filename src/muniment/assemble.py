"""One turn's prompt: the caller's own blocks, the memory found, the conversation so far, and the message.

Rule of this file: pure, and it only arranges; the compiler, handed in as a function, decides what fits. Nothing found is lost
unnamed: a hit that stands in the running conversation is left to it, unless its turn does not fit, and then it is memory again;
memory beyond its share of the budget is in the receipt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count as numbered

from muniment.bundle import Bundle, Hit
from muniment.compilation import Compilation, with_rows
from muniment.knowledge.contradicted import told_by
from muniment.knowledge.digests import History, PastPart
from muniment.knowledge.values import Memory, Status
from muniment.text.ages import age
from muniment.types import Band, Block, BlockId, BlockReceipt, Fate, Kind, Record, RecordId, Role, Trust, words_of

MEMORY_SHARE = 0.4
"""Part of the prompt's room that recalled memory may take while the conversation could use the rest."""

MEMORY_HITS = 50
"""How many hits are offered."""

EXCERPTS = 6
"""How many excerpts of the shortened parts of the conversation are offered."""

QUERY_BYTES = 4096
"""Bytes of a message that memory is searched by: a pasted log or file has its question at an end."""

_PASSES = 3

Compile = Callable[[Sequence[Block]], Compilation]
Count = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnParts:
    """What one turn's prompt is made of; `room` is the tokens it may take.

    `excerpts` are what was found in the parts of the conversation that `history` shortens.
    """

    own: Sequence[Block]
    instructions: str
    history: History
    bundle: Bundle
    message: str
    room: int
    excerpts: Sequence[Hit] = ()


def assemble(parts: TurnParts, *, compile_blocks: Compile, count: Count) -> Compilation:
    """Compile the turn: instructions and the caller's blocks, the conversation, memory, and last, required, the message.

    Raises whatever `compile_blocks` raises, for example BudgetError when the required blocks alone do not fit.
    """
    recent = _without_message(parts.history.records, parts.message)
    fixed = [
        *([_instruction(parts.instructions)] if parts.instructions else []),
        *sorted(parts.own, key=lambda block: block.band),
        *map(_past, parts.history.past),
        *_conversation(recent),
    ]
    asked = Block(id=BlockId("message"), name="message", text=parts.message, band=Band.VOLATILE, role=Role.USER, required=True)
    share = int(parts.room * MEMORY_SHARE)
    allowed = max(share, parts.room - sum(count(block.text) for block in (*fixed, asked)))
    in_sight = {record.id for record in parts.history.records}
    for _ in range(_PASSES):
        for aged in (True, False):
            memory, over = _memory(parts, in_sight, allowed, count=count, aged=aged)
            made = compile_blocks([*sorted([*fixed, *memory], key=lambda block: block.band), asked])
            if not {block.name for block in memory} & {row.name for row in made.left_out}:
                break  # else frames took what ages were given, and a hit is worth more than an age
        left_out = _turns_left_out(recent, made) & in_sight
        squeezed = _past_left_out(parts, made)
        if squeezed and allowed > share:
            allowed = max(share, allowed - squeezed)  # headings and frames took room that memory was given beyond its share
        elif not any(hit.record.id in left_out for hit in (*parts.bundle, *parts.excerpts)):
            break
        in_sight -= left_out
    return with_rows(made, [*over, *_unseen(parts)])


def search_words(message: str) -> str:
    """What to search memory by: the message, or its beginning and end when it is long."""
    most = 2 * QUERY_BYTES - 2
    if len(message.encode("utf-8", "replace")) <= most:
        return message
    raw = message.strip().encode("utf-8", "replace")
    if len(raw) <= most:
        return raw.decode()
    start, end = raw[: QUERY_BYTES - 1], raw[1 - QUERY_BYTES :]
    return f"{start.decode('utf-8', 'ignore')}\n{end.decode('utf-8', 'ignore')}"


def _unseen(parts: TurnParts) -> list[BlockReceipt]:
    """Turns of the conversation that were not even offered."""
    told = parts.history
    rows = [_not_shown(f"turn {seq}", Fate.UNREADABLE) for seq in told.lost]
    first = told.past[0].first if told.past else told.records[0].seq if told.records else None
    return rows if told.complete or first is None else [*rows, _not_shown(f"turns before {first}", Fate.OVER_BUDGET)]


def _not_shown(name: str, fate: Fate) -> BlockReceipt:
    return BlockReceipt(name=name, band=Band.SESSION, fate=fate, tokens=0, required=False)


def _turns_left_out(recent: Sequence[Record], made: Compilation) -> set[RecordId]:
    gone = {row.name for row in made.left_out if row.band is Band.SESSION}
    return {record.id for record in recent if _turn_name(record) in gone}


def _past_left_out(parts: TurnParts, made: Compilation) -> int:
    """Tokens of shortened parts that found no room."""
    names = {_past_name(part) for part in parts.history.past}
    return sum(row.tokens for row in made.left_out if row.name in names)


def _without_message(recent: Sequence[Record], message: str) -> Sequence[Record]:
    """The conversation before this message, when the host has ingested the message already."""
    if recent and recent[-1].role is Role.USER and recent[-1].text == message:
        return recent[:-1]
    return recent


def _instruction(text: str) -> Block:
    return Block(id=BlockId("instructions"), name="instructions", text=text, band=Band.PINNED, role=Role.SYSTEM, required=True)


def _past_name(part: PastPart) -> str:
    return f"turns {part.first} to {part.last}"


def _past(part: PastPart) -> Block:
    name = _past_name(part)
    text = f"[{name} of this conversation, shortened]\n{part.text}"
    return Block(id=BlockId(name), name=name, text=text, band=Band.SESSION, role=Role.DOCUMENT, trust=Trust.UNTRUSTED)


def _conversation(recent: Sequence[Record]) -> list[Block]:
    asked_by: dict[str, RecordId] = {}
    blocks = []
    for record in recent:
        if record.role is Role.SYSTEM:
            continue
        asked_by.update({call.id: record.id for call in record.tool_calls})  # an id may be used again: the latest call counts
        block = Block(
            id=BlockId(_turn_name(record)),
            name=_turn_name(record),
            text=record.text,
            band=Band.SESSION,
            role=record.role,
            trust=record.trust,
            turn_key=record.id if record.tool_calls else asked_by.get(record.tool_call_id or ""),
            tool_calls=record.tool_calls,
            tool_call_id=record.tool_call_id,
        )
        blocks.append(block)
    return blocks


def _turn_name(record: Record) -> str:
    return f"turn {record.seq}"


def _memory(
    parts: TurnParts, in_sight: set[RecordId], allowed: int, *, count: Count, aged: bool
) -> tuple[list[Block], list[BlockReceipt]]:
    """Memory blocks best first while they fit into the allowance, and receipts for those that do not.

    What stands around hits has the room that the hits leave, and stands behind them; ages, if `aged`, have what both leave.
    """
    unseen = [hit for hit in parts.bundle if hit.record.id not in in_sight and hit.record.text != parts.message]
    offered = _named(unseen, [hit for hit in _excerpts(parts) if hit.record.id not in in_sight])
    fitting: list[tuple[int, str, Hit, str]] = []
    over: list[BlockReceipt] = []
    for place, (name, hit) in enumerate(offered, 1):
        line = recalled_line(hit, parts.bundle.now, aged=False)
        cost = count(line)
        if cost > allowed:
            over.append(BlockReceipt(name=name, band=Band.VOLATILE, fate=Fate.OVER_SHARE, tokens=cost, required=False))
            continue
        allowed -= cost
        fitting.append((place, name, hit, line))
    blocks: list[Block] = []
    for place, name, hit, plain in fitting:
        line = plain
        if aged:
            longer = recalled_line(hit, parts.bundle.now)
            more = count(longer) - count(line)
            line, allowed = (longer, allowed - more) if more <= allowed else (line, allowed)
        blocks.append(
            Block(
                id=BlockId(name),
                name=name,
                text=line,
                band=Band.VOLATILE,
                role=Role.DOCUMENT,
                trust=Trust.UNTRUSTED,
                priority=1.0 / place,
            )
        )
    return blocks, over


def _excerpts(parts: TurnParts) -> list[Hit]:
    """What was found in this conversation and does not stand in a shortened part word by word."""
    past = [part.text for part in parts.history.past]
    words = [(hit, words_of(hit.record).strip()) for hit in parts.excerpts if hit.record.text != parts.message]
    return [hit for hit, said in words if not any(said in text for text in past)]


def _named(hits: Sequence[Hit], excerpts: Sequence[Hit]) -> list[tuple[str, Hit]]:
    """What was found with its names, best first: the hits, excerpts beyond them, and what stands around hits."""
    of_talk = {hit.record.id for hit in excerpts}
    known = {hit.record.id for hit in hits}
    found = [*(hit for hit in hits if not hit.attached), *(hit for hit in excerpts if hit.record.id not in known)]
    numbers = {"excerpt": numbered(1), "memory": numbered(1), "context": numbered(1)}
    kinds = [("excerpt" if hit.record.id in of_talk else "memory", hit) for hit in found]
    beside = [("context", hit) for hit in hits if hit.attached]
    return [(f"{kind} {next(numbers[kind])}", hit) for kind, hit in (*kinds, *beside)]


def recalled_line(hit: Hit, now: datetime | None = None, *, aged: bool = True) -> str:
    """How one piece of evidence reads in a prompt: when and how long ago, who, and the words; of a long record its best passage.

    Days are those of the zone of `now`; no age is told without it, unless `aged`, nor where nobody told the time.
    What no longer holds of it is marked: "(superseded on 2026-05-03; it was: Pro)". Where another agent claims something else,
    both sides are told with their authors.
    """
    record = hit.record
    start, end = hit.passage
    words = record.text[start:end] if record.text and end else words_of(record)
    said_at = record.said_at and (record.said_at.astimezone(now.tzinfo) if now else record.said_at)
    when = f"{said_at:%Y-%m-%d}{f', {age(said_at, now)}, ' if now and aged else ' '}" if said_at else ""
    who = record.origin or "document" if record.kind is Kind.PASSAGE else record.speaker
    return f"[{when}{who}] {words.strip()}{_superseded(hit.outdated)}{_contradicted(hit)}"


def _contradicted(hit: Hit) -> str:
    """Who claims what is said here, and who claims what instead; nothing where nobody does."""
    if not hit.against:
        return ""
    own = ", ".join(dict.fromkeys(f"{memory.text} ({told_by(memory)})" for memory in hit.contradicted))
    others = ", ".join(dict.fromkeys(f"{memory.text} ({told_by(memory)})" for memory in hit.against))
    return f" (contradicted, not settled: {own}; against it: {others})"


def _superseded(memories: Sequence[Memory]) -> str:
    """The mark behind what no longer holds, or nothing; nothing too where what took its place was erased, until it is settled."""
    memories = [m for m in memories if m.status is not Status.SUPERSEDED or m.replaced_by or m.valid_to]
    if not memories:
        return ""
    ends = [at for memory in memories if (at := memory.valid_to or memory.retired_at)]
    values = ", ".join(dict.fromkeys(memory.value for memory in memories if memory.value))
    what = memories[0].status.value
    return f" ({what}{f' on {max(ends):%Y-%m-%d}' if ends else ''}{f'; it was: {values}' if values else ''})"
