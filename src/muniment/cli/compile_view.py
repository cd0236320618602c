"""How a compiled prompt looks: in the form asked for, explained block by block, and as JSON.

Rule of this file: everything is read from the compilation's receipt, so it can show nothing the compiler did not do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from muniment.cli.compile_made import ChosenGate, Made
from muniment.cli.documents import REASONS, Document, compilation_document
from muniment.cli.output import SOFT, STRONG, WARN, Screen
from muniment.cli.paint import Piece, Text, cells
from muniment.cli.prompt_view import BAND_STYLES, show_budget, show_sum
from muniment.cli.views import count, model_name, show_facts
from muniment.cli.visible import one_line
from muniment.compilation import Compilation, Price
from muniment.compile import openai_tools, to_anthropic, to_openai, to_text
from muniment.types import Band, BlockReceipt, Fate

_WIDEST_NAME: Final = 40
_HANG: Final = 6
_OUT: Final = "-"
_FOR_OTHERS: Final = frozenset({Fate.PARTNER_LEFT_OUT, Fate.REQUIREMENT_MISSING})
SHORT: Final = "its short form stands in"


def prompt_of(compilation: Compilation, form: str) -> object:
    """The prompt as text, or as the messages and tools of a chat API."""
    if form == "openai":
        return {"messages": to_openai(compilation), "tools": openai_tools(compilation)}
    return to_anthropic(compilation) if form == "anthropic" else to_text(compilation)


def made_document(made: Made, *, form: str, prompt: object) -> Document:
    """What `compile` prints with --json."""
    compilation = made.compilation
    return {
        "format": form,
        "prompt": prompt,
        **_compilation_document(made),
        "gate": _gate_document(made.gate),
        "progressive": made.progressive,
        "placement": list(made.proposal.lines()) if made.proposal else None,
        "steady": steady(compilation),
        "price": price_document(compilation.price, made.again),
        "remarks": made.noticed,
    }


def _compilation_document(made: Made) -> Document:
    document = compilation_document(made.compilation)
    rows = document["blocks"]
    assert isinstance(rows, list)  # as `compilation_document` makes it
    reasons = [None if row.fate is Fate.INCLUDED else why for row, why in _explained(made)]
    return {**document, "blocks": [{**row, "reason": why} for row, why in zip(rows, reasons, strict=True)]}


def _explained(made: Made) -> list[tuple[BlockReceipt, str]]:
    """Every row with what became of it, in words."""
    names = {block.name for block in made.blocks}
    rows = zip(made.compilation.receipt, made.blocks, strict=True)
    return [(row, _reason(row, [name for name in block.requires if name not in names])) for row, block in rows]


def _reason(row: BlockReceipt, missing: Sequence[str]) -> str:
    if row.fate in _FOR_OTHERS and missing:
        return " and ".join(f'requires "{one_line(name)}", which nothing here is called' for name in missing)
    if row.fate is not Fate.INCLUDED:
        return REASONS[row.fate]
    told = ["required"] if row.required else []
    return ", ".join([*told, *([SHORT] if row.short else [])]) or "in"


def _gate_document(chosen: ChosenGate | None) -> Document | None:
    return (
        {"by": chosen.by, "embedder": chosen.embedder, "top": chosen.gate.top, "threshold": chosen.gate.threshold}
        if chosen
        else None
    )


def price_document(first: Price | None, again: Price | None) -> Document | None:
    """What sending the prompt costs, and sending it once more while the provider's cache holds it."""
    return {"first": round(first.now, 9), "again": round(again.now, 9)} if first and again else None


def steady(compilation: Compilation) -> int:
    """Tokens in front of everything volatile, which stay the same from turn to turn."""
    rows = (row for row in compilation.receipt if row.fate is Fate.INCLUDED and row.band is not Band.VOLATILE)
    return min(sum(row.tokens for row in rows), compilation.tokens)


def show_receipt(screen: Screen, made: Made) -> None:
    """Beside a prompt: the budget, what is not in it, and how blocks were chosen."""
    screen.gap()
    show_budget(screen, made.compilation)
    for row, why in _explained(made):
        if row.fate in _FOR_OTHERS and why != REASONS[row.fate]:
            screen.line((f"{one_line(row.name)} {why}", SOFT))
    if made.gate:
        screen.line((f"gated {_gated(made.gate)}", SOFT))
    if made.noticed:
        screen.line((f"{count(made.noticed, 'remark')} on these files: see muniment lint", SOFT))


def show_explained(screen: Screen, made: Made) -> None:
    """Every block in order: its place in the prompt, its band, tokens and score, its fate and why; then the whole."""
    rows, told = zip(*_explained(made), strict=True) if made.blocks else ((), ())
    reasons = [why if row.fate is Fate.INCLUDED else f"left out: {why}" for row, why in zip(rows, told, strict=True)]
    if not screen.wraps:
        _print_rows(screen, rows, reasons)
    else:
        _show_rows(screen, rows, reasons)
    screen.gap()
    show_sum(screen, made.compilation)
    show_facts(screen, _facts(made))


def _print_rows(screen: Screen, rows: Sequence[BlockReceipt], reasons: Sequence[str]) -> None:
    """Fields separated by tabs: place, band, fate, tokens, score, name, reason."""
    for place, row, reason in zip(_places(rows), rows, reasons, strict=True):
        fields = (place, row.band.name.lower(), row.fate.value, str(row.tokens), _score(row), one_line(row.name), reason)
        screen.line("\t".join(fields))


def _show_rows(screen: Screen, rows: Sequence[BlockReceipt], reasons: Sequence[str]) -> None:
    names = min(max((cells(one_line(row.name)) for row in rows), default=4), _WIDEST_NAME)
    scored = any(row.score is not None for row in rows)
    heads = f"{'#':>4}  {'BLOCK':<{names}}  {'BAND':<8}  {'TOKENS':>7}  {'SCORE  ' if scored else ''}FATE"
    screen.clipped((heads, SOFT))
    for place, row, reason in zip(_places(rows), rows, reasons, strict=True):
        inside = row.fate is Fate.INCLUDED
        pieces: list[Piece] = [
            (f"{place:>4}  ", SOFT),
            Text.of((one_line(row.name), STRONG if inside else SOFT)).fitted(names, pad=True),
            (f"  {row.band.name.lower():<8}", BAND_STYLES[row.band]),
            (f"  {row.tokens:>7,}", "" if inside else SOFT),
            (f"  {_score(row):>5}" if scored else "", SOFT),
            (f"  {reason}", SOFT if inside else WARN),
        ]
        screen.line(*pieces, hang=_HANG)


def _places(rows: Sequence[BlockReceipt]) -> list[str]:
    out, number = [], 0
    for row in rows:
        number += row.fate is Fate.INCLUDED
        out.append(str(number) if row.fate is Fate.INCLUDED else _OUT)
    return out


def _score(row: BlockReceipt) -> str:
    return "" if row.score is None else f"{row.score:.2f}"


def _gated(chosen: ChosenGate) -> str:
    return f"{chosen.by}{f' ({model_name(chosen.embedder)})' if chosen.embedder else ''}, {chosen.bounds}"


def _between(compilation: Compilation) -> str:
    """What the rows and the whole differ by, so that the parts add up."""
    more = compilation.tokens - sum(row.tokens for row in compilation.receipt if row.fate is Fate.INCLUDED)
    if more < 0:
        return f"the whole has {count(-more, 'token')} less than its rows, as words are counted across them"
    return f"{count(more, 'token')} of gaps between blocks, which no row counts" if more else ""


def _facts(made: Made) -> list[tuple[str, str]]:
    compilation = made.compilation
    facts = [
        ("gate", _gated(made.gate) if made.gate else "none: every block that fits is in"),
        ("skills", "as cards, their text through the gate" if made.progressive else "whole"),
        ("placement", "; ".join(made.proposal.lines()) if made.proposal else "as the files have it"),
        ("in front", f"{count(steady(compilation), 'token')} before anything volatile stay the same from turn to turn"),
        *([("between", between)] if (between := _between(compilation)) else []),
        ("counter", f"{compilation.counter}{', exact' if compilation.exact else ''}"),
        ("hash", compilation.prompt_hash),
    ]
    if compilation.price and made.again:
        facts.append(("price", f"{compilation.price.now:.6g} when sent first, {made.again.now:.6g} when sent again"))
    if made.noticed:
        facts.append(("remarks", f"{made.noticed} on these files: see muniment lint"))
    return facts
