"""How much of a prompt a provider's cache still holds from the prompt before, and what that saves or costs.

Rules of this file: a cache holds a beginning, byte for byte. Chat APIs put tools first, then the system part, then messages in
the order of the registry, so a change of tools costs the whole prompt there. What the API adds around each message is not
counted; a change inside a token counts as a change after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from muniment.compilation import Compilation, Prefix, Price, Terms
from muniment.compile.partners import Rank, pair, rank
from muniment.compile.render import GAP, joined, pieces
from muniment.types import Band, Block, Prices

_MILLION: Final = 1_000_000


def prefix(now: Compilation, before: Compilation | None, terms: Terms) -> Prefix:
    """Compare a compilation made under `terms` with the one before it; without one, nothing is as it was."""

    def tokens(text: str, *, whole: str) -> int:
        return now.tokens if text == whole else min(terms.count(text), now.tokens) if text else 0

    parts, steady, tools = _wire(now)
    old, _, old_tools = _wire(before) if before else ([], 0, 0)
    same_tools = before is not None and parts[:tools] == old[:old_tools]
    line = GAP.join(parts)
    chat = tokens(_beginning(line, GAP.join(old)), whole=line)
    text = tokens(_beginning(now.text, before.text if before else ""), whole=now.text)
    if (prices := terms.prices) is None:
        return Prefix(text=text, chat=chat, same_tools=same_tools)
    cacheable = tokens(GAP.join(parts[:steady]), whole=line)
    kept = max(chat, tokens(GAP.join(_still_there(old, parts)), whole=line))
    price = Price(
        now=_price(now.tokens, cached=chat, cacheable=cacheable, prices=prices),
        kept=_price(now.tokens, cached=kept, cacheable=cacheable, prices=prices),
    )
    return Prefix(text=text, chat=chat, same_tools=same_tools, price=price)


def _wire(made: Compilation) -> tuple[list[str], int, int]:
    """The pieces in the order of a chat request, how many of them stand before anything volatile, and how many are tools."""
    blocks = made.blocks
    ranks = [rank(block) for block in blocks]
    texts = pieces(blocks, ranks, pair(blocks, ranks).answered, made.salt)
    tools = [place for place, what in enumerate(ranks) if what is Rank.TOOL]
    instructions = [place for place, what in enumerate(ranks) if what is Rank.INSTRUCTION]
    bands = dict.fromkeys(blocks[place].band for place in instructions)
    system = [place for band in bands for place in instructions if blocks[place].band is band]
    spoken = _stretches(blocks, ranks)
    order = [*([place] for place in (*tools, *system)), *spoken]
    parts = [joined(((blocks[p].band, ranks[p], texts[p]) for p in stretch), made.salt) for stretch in order]
    steady = next((n for n, stretch in enumerate(order) if blocks[stretch[0]].band is Band.VOLATILE), len(order))
    return parts, steady, len(tools)


def _stretches(blocks: Sequence[Block], ranks: Sequence[Rank]) -> list[list[int]]:
    """The places of messages, in order; neighbouring data of one band shares a frame and so one stretch."""
    out: list[list[int]] = []
    for place, what in enumerate(ranks):
        if what in (Rank.TOOL, Rank.INSTRUCTION):
            continue
        last = out[-1][-1] if out else -1
        goes_on = last >= 0 and what is Rank.DATA is ranks[last] and blocks[last].band is blocks[place].band
        if goes_on:
            out[-1].append(place)
        else:
            out.append([place])
    return out


def _still_there(old: Sequence[str], now: Sequence[str]) -> list[str]:
    """The beginning of the old pieces that is still in the prompt, wherever it stands now."""
    there = Counter(now)
    out: list[str] = []
    for part in old:
        if not there[part]:
            break
        there[part] -= 1
        out.append(part)
    return out


def _beginning(text: str, old: str) -> str:
    """What two texts begin with."""
    low, high = 0, min(len(text), len(old))
    while low < high:
        middle = (low + high + 1) // 2
        if text[low:middle] == old[low:middle]:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def _price(tokens: int, *, cached: int, cacheable: int, prices: Prices) -> float:
    """What `tokens` cost when the first `cached` are read from the cache and those up to `cacheable` are written to it."""
    written = max(cacheable - cached, 0)
    fresh = tokens - cached - written
    return (prices.cached * cached + prices.written * written + prices.fresh * fresh) / _MILLION
