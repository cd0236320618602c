"""What fills a memory's slot after its words were changed by hand.

Rule of this file: pure. A value follows from the old and the new words, where all around it stayed as it was, or the slot is
emptied: a slot never keeps what its own sentence no longer says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from muniment.knowledge.values import Memory

MOST_WORDS = 8
"""Words of a new value; more are a sentence."""
_TURNS = frozenset({"not", "no", "never", "longer", "anymore", "but", "except", "instead", "nor"})
_ENDS = ".!?…。 \t\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A slot and what fills it; both empty when the new words do not say. `negated` is whether it is denied."""

    attribute: str = ""
    value: str = ""
    negated: bool = False


def changed_slot(old: Memory, text: str, value: str | None = None) -> Slot:
    """The slot of `old` once it says `text`; a given `value` fills it as it stands.

    For a slot with an object (`likes:tea`) the object may be what changed.
    """
    name, colon, thing = old.attribute.partition(":")
    other = _middle(old.text, text, thing.replace("_", " ")) if colon else ""
    attribute = f"{name}:{other.casefold()}" if other else old.attribute
    if value is not None:
        return Slot(attribute=attribute, value=value, negated=old.negated and bool(_kept(old, text)))
    if not old.attribute or not old.value:
        return Slot(attribute=old.attribute, value=old.value, negated=old.negated and bool(_kept(old, text)))
    if fresh := _middle(old.text, text, old.value):
        return Slot(attribute=old.attribute, value=fresh, negated=old.negated)
    if other:
        return Slot(attribute=attribute, value=old.value, negated=old.negated)
    return Slot()


def _kept(old: Memory, text: str) -> str:
    return _middle(old.text, text, old.value) if old.value else ""


def _middle(old: str, new: str, value: str) -> str:
    """What stands in `new` where `value` stood in `old`, when all around it is the same; "" where it is not."""
    old, new, value = _plain(old), _plain(new), _plain(value)
    for start in _places(old.casefold(), value.casefold()):
        before, after = old[:start], old[start + len(value) :]
        end = len(new) - len(after)
        if start < end and _same(new[:start], before) and _same(new[end:], after):
            found = new[start:end].strip()
            words = found.casefold().split()
            if found and new[start:end] == found and len(words) <= MOST_WORDS and _TURNS.isdisjoint(words):
                return found
    return ""


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(_ENDS)


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _places(text: str, value: str) -> Iterator[int]:
    """Where `value` stands as whole words, the last first."""
    at = text.rfind(value) if value else -1
    while at >= 0:
        if not (text[at - 1 : at].isalnum() or text[at + len(value) : at + len(value) + 1].isalnum()):
            yield at
        at = text.rfind(value, 0, at + len(value) - 1)
