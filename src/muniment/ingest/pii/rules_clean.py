"""Find what is personal or secret in a text and do with each kind what the policy says, before anything is written.

Rule of this file: pure. Cleaning what is clean changes nothing, so it may be done at every door; a placeholder is never a find.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile

from muniment.errors import InputError, shown
from muniment.ingest.pii.rules_contact import contacts
from muniment.ingest.pii.rules_numbers import numbers
from muniment.ingest.pii.rules_secrets import secrets
from muniment.ingest.pii.rules_values import DEFAULT_POLICY, KINDS, PLACEHOLDER, TOKEN, Cleaned, Find, Found, folded
from muniment.knowledge.architecture import Keep
from muniment.knowledge.values import Sealed

Token = Callable[[str, str], str]
"""A kind and a value to a short name, always the same for the same value in one scope: letters, digits, - and _."""

ROUNDS = 8
"""How often a text is looked at again, since what is taken out can lay bare what was hidden beside it."""

_LEAST_DIGITS = 7
_LEAST_LEFT = 3
_FILL = "\0"
_DIGIT = re.compile(r"\d")
_RANK = {kind: place for place, kind in enumerate(KINDS)}


def clean(text: str, *, policy: Mapping[str, Keep], token: Token) -> Cleaned:
    """`text` as it may be written. Kinds that `policy` does not name are treated as in `DEFAULT_POLICY`.

    A masked value becomes "[kind]", a tokenised one "[kind:token]" with its value in `sealed`; a kind to refuse refuses the
    whole text. Raises InputError for a token that is not 1 to 64 letters, digits, - or _.
    """
    actions = {**DEFAULT_POLICY, **policy}
    taken, kept = _all_finds(text, actions)
    found = tuple(
        Found(kind=f.kind, start=f.start, end=f.end, action=actions[f.kind], rule=f.rule)
        for f in sorted((*taken, *kept), key=lambda f: f.start)
    )
    if refused := next((f.kind for f in found if f.action is Keep.REFUSE), ""):
        return Cleaned(text="", found=found, refused=f"pii:{refused}")
    parts, sealed, at = [], {}, 0
    for find in sorted(taken, key=lambda f: f.start):
        value = text[find.start : find.end]
        stands = f"[{find.kind}]"
        if actions[find.kind] is Keep.TOKENISE:
            stands = f"[{find.kind}:{_checked(token(find.kind, value))}]"
            sealed[stands] = Sealed(token=stands, kind=find.kind, value=value)
        parts += [text[at : find.start], stands]
        at = find.end
    return Cleaned(text="".join((*parts, text[at:])) if parts else text, found=found, sealed=tuple(sealed.values()))


def _checked(token: str) -> str:
    if TOKEN.fullmatch(token):
        return token
    hint = "Give 1 to 64 letters, digits, - or _."
    raise InputError(f"{shown(token)} cannot stand for a value.", place="token", code="token_invalid", hint=hint)


def _all_finds(text: str, actions: Mapping[str, Keep]) -> tuple[list[Find], list[Find]]:
    """What is to be taken out, and what stays. Looked for until nothing new turns up; what was taken is blanked in its place."""
    seen = folded(text)
    taken: list[Find] = []
    finds: list[Find] = []
    for _ in range(ROUNDS):
        finds = settled(seen, actions)
        fresh = [find for find in finds if actions[find.kind] is not Keep.KEEP]
        if not fresh:
            break
        taken += fresh
        seen = _blanked(seen, fresh)
    return taken, [find for find in finds if actions[find.kind] is Keep.KEEP]


def _blanked(text: str, finds: list[Find]) -> str:
    """`text` with each find as brackets filled up to its length, which detectors take for what a placeholder is."""
    parts, at = [], 0
    for find in sorted(finds, key=lambda f: f.start):
        size = find.end - find.start
        parts += [text[at : find.start], "[" + _FILL * (size - 2) + "]" if size > 1 else _FILL]
        at = find.end
    return "".join((*parts, text[at:]))


_STANDS = re.compile(rf"{PLACEHOLDER.pattern}|\[\0*\]|\0")


def detect(text: str) -> Iterator[Find]:
    """Every find in `text` as folded, overlapping ones included."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    yield from secrets(text, low)
    if len(_DIGIT.findall(text)) >= _LEAST_DIGITS:
        yield from numbers(text, low)
    yield from contacts(text, low)


def settled(text: str, actions: Mapping[str, Keep]) -> list[Find]:
    """Finds that do not overlap: what is taken out before what stays, then the more specific kind, then the longer."""
    stands = [match.span() for match in _STANDS.finditer(text)] if "[" in text else []
    finds = [piece for find in detect(text) for piece in _outside(find, stands, text)] if stands else list(detect(text))
    finds.sort(key=lambda f: (actions[f.kind] is Keep.KEEP, _RANK[f.kind], f.start - f.end, f.start))
    chosen: list[Find] = []
    for find in finds:
        at = bisect_left(chosen, find.start, key=lambda f: f.start)
        before, after = chosen[at - 1 : at], chosen[at : at + 1]
        if (not before or before[0].end <= find.start) and (not after or after[0].start >= find.end):
            chosen.insert(at, find)
    return chosen


def _outside(find: Find, stands: list[tuple[int, int]], text: str) -> Iterator[Find]:
    """The parts of a find that are no placeholders; what is only signs, left over between them, is no find."""
    at, pieces = find.start, []
    first = max(0, bisect_left(stands, (find.start, 0)) - 1)
    for start, end in takewhile(lambda span: span[0] < find.end, stands[first:]):
        if end > find.start:
            pieces.append((at, max(at, start)))
            at = end
    pieces.append((at, find.end))
    if len(pieces) == 1:
        yield find
        return
    for start, end in pieces:
        if sum(c.isalnum() for c in text[start:end]) >= _LEAST_LEFT:
            yield Find(kind=find.kind, start=start, end=end, rule=find.rule)
