"""Find what is personal or secret in a text and do with each kind what the policy says, before anything is written.

Rule of this file: pure. Cleaning what is clean changes nothing, so it may be done at every door; a placeholder is never a find.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from muniment.errors import InputError, shown
from muniment.ingest.pii.rules_contact import contacts
from muniment.ingest.pii.rules_numbers import numbers
from muniment.ingest.pii.rules_secrets import secrets
from muniment.ingest.pii.rules_values import (
    DEFAULT_POLICY,
    KINDS,
    PLACEHOLDER,
    TOKEN,
    Cleaned,
    Find,
    Found,
    Token,
    folded,
)
from muniment.knowledge.architecture import Keep
from muniment.knowledge.values import Sealed

ROUNDS = 8
"""How often a text is looked at again, since what is taken out can lay bare what was hidden beside it."""

_LEAST_DIGITS = 6
_LEAST_LEFT = 3
_FILL = "\0"
_DIGIT = re.compile(r"\d")
_RANK = {kind: place for place, kind in enumerate(KINDS)}


def clean(text: str, *, policy: Mapping[str, Keep], token: Token) -> Cleaned:
    """`text` as it may be written. Kinds that `policy` does not name are treated as in `DEFAULT_POLICY`.

    A masked value becomes "[kind]", a tokenised one "[kind:token]" with its value in `sealed`; a kind to refuse refuses the
    whole text. Raises InputError for a token that is not 1 to 64 letters, digits, - or _.
    """
    desk = _Desk(original=text, text=text, actions={**DEFAULT_POLICY, **policy}, token=token)
    finds: list[Find] = []
    for _ in range(ROUNDS):
        finds = settled(_seen(desk.text), desk.actions)
        fresh = [find for find in finds if desk.actions[find.kind] is not Keep.KEEP]
        if not fresh:
            break
        desk.take(fresh)
    found = desk.found(finds)
    if refused := next((f.kind for f in found if f.action is Keep.REFUSE), ""):
        return Cleaned(text="", found=found, refused=f"pii:{refused}")
    return Cleaned(text=desk.text, found=found, sealed=tuple(desk.sealed.values()))


@dataclass(slots=True, kw_only=True)
class _Desk:
    """One text on its way: as it is by now, and what was taken out of it, by its place in the original."""

    original: str
    text: str
    actions: Mapping[str, Keep]
    token: Token
    taken: list[tuple[Find, int]] = field(default_factory=list)
    sealed: dict[str, Sealed] = field(default_factory=dict)

    def take(self, finds: Sequence[Find]) -> None:
        """Put a placeholder in the place of each of these finds, which are in the text as it is by now."""
        placed = [(moved, self._placeholder(moved)) for moved in self._moved(finds)]
        self.taken = sorted([*self.taken, *((find, len(stands)) for find, stands in placed)], key=lambda one: one[0].start)
        parts, at = [], 0
        for find, (_, stands) in zip(sorted(finds, key=lambda f: f.start), placed, strict=True):
            parts += [self.text[at : find.start], stands]
            at = find.end
        self.text = "".join((*parts, self.text[at:]))

    def found(self, last: Sequence[Find]) -> tuple[Found, ...]:
        """All that was taken out, and of the last finds those that stay, in order."""
        stay = self._moved([find for find in last if self.actions[find.kind] is Keep.KEEP])
        every = sorted((*(find for find, _ in self.taken), *stay), key=lambda f: f.start)
        return tuple(Found(kind=f.kind, start=f.start, end=f.end, action=self.actions[f.kind], rule=f.rule) for f in every)

    def _moved(self, finds: Sequence[Find]) -> list[Find]:
        """The finds, in order, with their places in the original text; none of them touches a placeholder."""
        out, shift, at = [], 0, 0
        for find in sorted(finds, key=lambda f: f.start):
            while at < len(self.taken) and self.taken[at][0].start - shift < find.start:
                gone, size = self.taken[at]
                shift += gone.end - gone.start - size
                at += 1
            out.append(Find(kind=find.kind, start=find.start + shift, end=find.end + shift, rule=find.rule))
        return out

    def _placeholder(self, find: Find) -> str:
        if self.actions[find.kind] is not Keep.TOKENISE:
            return f"[{find.kind}]"
        value = self.original[find.start : find.end]
        stands = f"[{find.kind}:{_checked(self.token(find.kind, value))}]"
        self.sealed[stands] = Sealed(token=stands, kind=find.kind, value=value)
        return stands


def _checked(token: str) -> str:
    if TOKEN.fullmatch(token):
        return token
    hint = "Give 1 to 64 letters, digits, - or _."
    raise InputError(f"{shown(token)} cannot stand for a value.", place="token", code="token_invalid", hint=hint)


def _seen(text: str) -> str:
    """`text` as detectors see it: folded, and the words in placeholders hidden, for they name kinds."""
    seen = folded(text)
    return PLACEHOLDER.sub(lambda match: f"[{_FILL * (len(match[0]) - 2)}]", seen) if "[" in seen else seen


_STANDS = re.compile(rf"\[{_FILL}+\]")


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
