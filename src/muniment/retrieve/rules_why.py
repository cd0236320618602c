"""Why a record is among the hits of a question, or is not.

Rule of this file: pure. It compares two answers to one question, the one that was given and the one without limits; it ranks
nothing anew.
"""

from __future__ import annotations

from muniment.bundle import Bundle, Hit, Why
from muniment.text.filters import passes
from muniment.types import Filter, Record, Role

_SHARES = 3


def why(record: Record, given: Bundle, whole: Bundle, *, where: Filter, limit: int, threshold: float) -> Why:
    """What became of `record`. `given` is the answer as asked for, `whole` the longest there is."""
    rank = next((rank for rank, hit in enumerate(whole, 1) if hit.record.id == record.id), None)
    hit = None if rank is None else whole.hits[rank - 1]
    last = given.hits[-1].score if given.hits else 0.0
    if any(one.record.id == record.id for one in given):
        code, lines = "found", [_place(hit, rank, whole)]
    elif not passes(record, where):
        code, lines = "filtered", ["The filter leaves it out.", _place(hit, rank, whole)]
    elif hit is None or rank is None:
        code, lines = _unmatched(record, whole)
    elif hit.relevance < threshold:
        code, lines = "below_threshold", [f"Its relevance is {hit.relevance:.2f}; {threshold:g} was asked for."]
    elif len(given) < limit:
        code, lines = "over_budget", [f"Its {hit.tokens} tokens did not fit into what was left of the budget."]
    else:
        code = "below_limit"
        lines = [_place(hit, rank, whole), f"The last hit given scores {last:.2f}. It is among them from limit={rank} on."]
    told = tuple(line for line in lines if line)
    return Why(record=record, code=code, rank=rank, hit=hit, last=last, explanation=told, now=given.now)


def _place(hit: Hit | None, rank: int | None, whole: Bundle) -> str:
    if hit is None:
        return ""
    shares = sorted(hit.channels.items(), key=lambda share: -share[1])[:_SHARES]
    told = ", ".join(f"{name} {value:.2f}" for name, value in shares)
    words = f"; it holds {', '.join(hit.terms)}" if hit.terms else "; it holds no word of the question"
    return f"Rank {rank} of {len(whole)} with a score of {hit.score:.2f} ({told}){words}."


def _unmatched(record: Record, whole: Bundle) -> tuple[str, list[str]]:
    if record.role is Role.SYSTEM:
        return "not_searched", ["System prompts are kept and never searched."]
    missing = "" if whole.health.embedder else " No embedder was asked, so meaning played no part."
    return "no_match", [f"Neither it nor what stands next to it holds a word of the question or comes near its meaning.{missing}"]
