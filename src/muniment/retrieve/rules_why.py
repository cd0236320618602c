"""Why a record is among the hits of a question, or is not.

Rule of this file: pure. It compares two answers to one question, the one that was given and the one without limits; it ranks
nothing anew.
"""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime

from muniment.bundle import Bundle, Hit, Why
from muniment.knowledge.values import Memory, Status
from muniment.retrieve.asking import Asked
from muniment.retrieve.rules_succession import since
from muniment.retrieve.rules_told import told_as_of
from muniment.text.filters import passes
from muniment.types import Filter, Record, Role

_SHARES = 3
_SHOWN = 0.005


def why(record: Record, given: Bundle, whole: Bundle, *, asked: Asked, wall: datetime, memory: Memory | None = None) -> Why:
    """What became of `record`. `given` is the answer as asked for, `whole` the longest there is, `wall` the moment it is now.

    `memory` is what was asked about, where the record is asked about as what proves it.
    """
    where, limit, threshold = asked.where, asked.limit, asked.threshold
    rank = next((rank for rank, hit in enumerate(whole, 1) if hit.record.id == record.id), None)
    hit = None if rank is None else whole.hits[rank - 1]
    last = given.hits[-1].score if given.hits else 0.0
    if any(one.record.id == record.id for one in given):
        code, lines = "found", [_place(hit, rank, whole)]
    elif not passes(record, where):
        code = "filtered"
        lines = [f"The filter leaves it out: {', '.join(_against(record, where))}.", _place(hit, rank, whole)]
        lines += _unmatched(record, whole)[1] if hit is None else []
    elif hit is None or rank is None:
        code, lines = _unmatched(record, whole)
    elif hit.relevance < threshold:
        code, lines = "below_threshold", [f"Its relevance is {hit.relevance:.2f}; {threshold:g} was asked for."]
    elif len(given) < limit:
        code, lines = "over_budget", [f"Its {hit.tokens} tokens did not fit into what was left of the budget."]
    else:
        code = "below_limit"
        lines = [_place(hit, rank, whole), f"The last hit given scores {last:.2f}. It is among them from limit={rank} on."]
    lines += [
        *_further(hit, rank, whole, asked, code),
        _found_by(hit, whole),
        f"It was said {hit.window} of the time asked about." if hit and hit.window else "",
        _higher(whole, rank),
        *([_became(memory, record, given.now)] if memory else map(_gone, _over(hit))),
    ]
    told = tuple(line for line in (*lines, *told_as_of(where, wall=wall)) if line)
    return Why(record=record, code=code, rank=rank, hit=hit, last=last, explanation=told, now=given.now)


def _against(record: Record, where: Filter) -> list[str]:
    """The keys of a filter that each leave the record out."""
    keys = [one.name for one in fields(Filter) if getattr(where, one.name) != getattr(Filter(), one.name)]
    return [key for key in keys if not passes(record, replace(Filter(), **{key: getattr(where, key)}))]


def _further(hit: Hit | None, rank: int | None, whole: Bundle, asked: Asked, code: str) -> list[str]:
    """What would keep it out as well, were it not for the first reason."""
    if hit is None or rank is None or code == "found":
        return []
    lines = []
    if code == "filtered" and hit.relevance < asked.threshold:
        lines.append(f"Its relevance is {hit.relevance:.2f}, too; {asked.threshold:g} was asked for.")
    before = sum(passes(one.record, asked.where) and one.relevance >= asked.threshold for one in whole.hits[: rank - 1])
    if code in ("filtered", "below_threshold") and before >= asked.limit:
        lines.append(f"It would be behind the limit as well: {before} that are let through stand before it.")
    if code != "over_budget" and asked.budget is not None and hit.tokens > asked.budget:
        lines.append(f"Its {hit.tokens} tokens are more than the whole budget of {asked.budget}, too.")
    return lines


def _found_by(hit: Hit | None, whole: Bundle) -> str:
    """Which of several queries found it."""
    if hit is None or len(whole.queries) == 1:
        return ""
    return f"Found by {' and '.join(f'query[{number}] ({whole.queries[number].query!r})' for number in hit.queries)}."


def _place(hit: Hit | None, rank: int | None, whole: Bundle) -> str:
    if hit is None:
        return ""
    shares = sorted(hit.channels.items(), key=lambda share: -share[1])[:_SHARES]
    told = ", ".join(f"{name} {value:.2f}" for name, value in shares)
    words = f"; it holds {', '.join(hit.terms)}" if hit.terms else "; it holds no word of the question"
    way = f"; reached by way of {', then '.join(hit.path)}" if hit.path else ""
    return f"Rank {rank} of {len(whole)} with a score of {hit.score:.2f} ({told}){words}{way}."


def _higher(whole: Bundle, rank: int | None) -> str:
    """What the record one place above has that this one has not."""
    if rank is None or rank == 1:
        return ""
    hit, above = whole.hits[rank - 1], whole.hits[rank - 2]
    names = dict.fromkeys((*above.channels, *hit.channels))
    more = {name: above.channels.get(name, 0.0) - hit.channels.get(name, 0.0) for name in names}
    ranked = sorted(more.items(), key=lambda share: -abs(share[1]))[:_SHARES]
    shares = ", ".join(f"{name} {share:+.2f}" for name, share in ranked if abs(share) >= _SHOWN)
    words = [term for term in above.terms if term not in hit.terms]
    held = f"; it holds {', '.join(words)}, which this one does not" if words else ""
    made_of = f" ({shares})" if shares else ""
    return f"Record {above.record.id} stands before it with {above.score - hit.score:+.2f}{made_of}{held}."


def _over(hit: Hit | None) -> tuple[Memory, ...]:
    return (*hit.outdated, *(one for one in hit.memories if one.status is Status.NOT_YET)) if hit else ()


def _became(memory: Memory, record: Record, now: datetime | None) -> str:
    """What became of a memory, and where it is proved."""
    proof = f"The memory {memory.text!r} is proved by record {record.id}"
    if memory.status is not Status.CURRENT:
        return f"{proof}. {_gone(memory)}"
    if memory.expires_at and now and memory.expires_at <= now and not memory.held:
        return f"{proof}. It expired on {memory.expires_at:%Y-%m-%d}."
    return f"{proof} and holds."


def _gone(memory: Memory) -> str:
    """When and by what a memory that no longer holds was ended, or from when on it holds."""
    if memory.status is Status.NOT_YET:
        began = since(memory)
        return f"Did not hold yet: {memory.text!r}{f' holds from {began:%Y-%m-%d} on' if began else ''}."
    at = memory.valid_to or memory.retired_at
    on = f" on {at:%Y-%m-%d}" if at else ""
    by = f" by {memory.replaced_by}" if memory.replaced_by else ""
    return f"No longer holds: {memory.text!r} was {memory.status.value}{on}{by}."


def _unmatched(record: Record, whole: Bundle) -> tuple[str, list[str]]:
    if record.role is Role.SYSTEM:
        return "not_searched", ["System prompts are kept and never searched."]
    missing = "" if whole.health.embedder else " No embedder was asked, so meaning played no part."
    return "no_match", [f"Neither it nor what stands next to it holds a word of the question or comes near its meaning.{missing}"]
