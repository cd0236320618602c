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
        **compilation_document(compilation),
        "gate": _gate_document(made.gate),
        "progressive": made.progressive,
        "placement": list(made.proposal.lines()) if made.proposal else None,
        "steady": steady(compilation),
        "price": price_document(compilation.price, made.again),
        "remarks": made.noticed,
    }


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
    if made.gate:
        screen.line((f"gated {_gated(made.gate)}", SOFT))
    if made.noticed:
        screen.line((f"{count(made.noticed, 'remark')} on these files: see muniment lint", SOFT))


def show_explained(screen: Screen, made: Made) -> None:
    """Every block in order: its place in the prompt, its band, tokens and score, its fate and why; then the whole."""
    rows = made.compilation.receipt
    if not screen.wraps:
        _print_rows(screen, rows)
    else:
        _show_rows(screen, rows)
    screen.gap()
    show_sum(screen, made.compilation)
    show_facts(screen, _facts(made))


def _print_rows(screen: Screen, rows: Sequence[BlockReceipt]) -> None:
    """Fields separated by tabs: place, band, fate, tokens, score, name, reason."""
    for place, row in zip(_places(rows), rows, strict=True):
        fields = (place, row.band.name.lower(), row.fate.value, str(row.tokens), _score(row), one_line(row.name), _reason(row))
        screen.line("\t".join(fields))


def _show_rows(screen: Screen, rows: Sequence[BlockReceipt]) -> None:
    names = min(max((cells(one_line(row.name)) for row in rows), default=4), _WIDEST_NAME)
    scored = any(row.score is not None for row in rows)
    heads = f"{'#':>4}  {'BLOCK':<{names}}  {'BAND':<8}  {'TOKENS':>7}  {'SCORE  ' if scored else ''}FATE"
    screen.clipped((heads, SOFT))
    for place, row in zip(_places(rows), rows, strict=True):
        inside = row.fate is Fate.INCLUDED
        pieces: list[Piece] = [
            (f"{place:>4}  ", SOFT),
            Text.of((one_line(row.name), STRONG if inside else SOFT)).fitted(names, pad=True),
            (f"  {row.band.name.lower():<8}", BAND_STYLES[row.band]),
            (f"  {row.tokens:>7,}", "" if inside else SOFT),
            (f"  {_score(row):>5}" if scored else "", SOFT),
            (f"  {_reason(row)}", SOFT if inside else WARN),
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


def _reason(row: BlockReceipt) -> str:
    if row.fate is not Fate.INCLUDED:
        return f"left out: {REASONS[row.fate]}"
    told = ["required"] if row.required else []
    return ", ".join([*told, *([SHORT] if row.short else [])]) or "in"


def _gated(chosen: ChosenGate) -> str:
    return f"{chosen.by}{f' ({model_name(chosen.embedder)})' if chosen.embedder else ''}, {chosen.bounds}"


def _facts(made: Made) -> list[tuple[str, str]]:
    compilation = made.compilation
    facts = [
        ("gate", _gated(made.gate) if made.gate else "none: every block that fits is in"),
        ("skills", "as cards, their text through the gate" if made.progressive else "whole"),
        ("placement", "; ".join(made.proposal.lines()) if made.proposal else "as the files have it"),
        ("in front", f"{count(steady(compilation), 'token')} before anything volatile stay the same from turn to turn"),
        ("counter", f"{compilation.counter}{', exact' if compilation.exact else ''}"),
        ("hash", compilation.prompt_hash),
    ]
    if compilation.price and made.again:
        facts.append(("price", f"{compilation.price.now:.6g} when sent first, {made.again.now:.6g} when sent again"))
    if made.noticed:
        facts.append(("remarks", f"{made.noticed} on these files: see muniment lint"))
    return facts
