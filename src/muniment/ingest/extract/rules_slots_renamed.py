"""New names: "I renamed my boat to Perseverance", "our team was renamed to Core", "my laptop is called Hal".

Rule of this file: what is one's own, or of a kind that one has a name for, has one name at a time; of a new name the old one's
place is taken. A name is written with a capital.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from muniment.ingest.extract.rules_facts_verbs import Predicate
from muniment.ingest.extract.rules_slots import KIN_OF, Slot
from muniment.ingest.extract.rules_slots_owned import kin_named

_NAME: Final = r"[\"'\u201c]?(?P<v>[A-Z][\w'-]*(?: (?:of |the |and )?[A-Z0-9][\w'-]*)*)"
_RENAMED: Final = re.compile(
    r"(?P<whose>my|our|the) (?P<noun>[a-z][a-z -]{1,30}?)(?:,? (?P<old>[A-Z][\w'-]*(?: [A-Z][\w'-]*)*),?)?"
    r"(?: from (?P<once>[A-Z][\w'-]*(?: [A-Z][\w'-]*)*))?(?: to| as| into)? " + _NAME
)
_INTO: Final = re.compile(r"(?:to |as |into )?" + _NAME)
_ANEW: Final = re.compile(r"\b(?:now|instead|from now on)\b", re.IGNORECASE)
_OWNER: Final = re.compile(r"(?:my|our)\s+", re.IGNORECASE)
_WHOLE: Final = re.compile(r"(?:new |old |little |big )+")


def renamed(rest: str) -> Slot | None:
    """The slot that "rename" fills with what stands behind it; None where nothing of the speaker's is given a name."""
    found = _RENAMED.match(rest)
    if found is None or (found["whose"] == "the" and found["noun"] not in KIN_OF):
        return None
    return _named(found["noun"], found["v"], found["old"] or found["once"] or "")


def newly_named(subject: str, predicate: Predicate, said: str) -> Slot | None:
    """The slot of "my X was renamed Y" and "my X is now called Y"; without "now", of what the readers have no word for alone."""
    if not predicate.passive or predicate.negated or predicate.verb not in ("rename", "call"):
        return None
    found, noun = _INTO.match(predicate.rest), _OWNER.sub("", subject, count=1)
    if found is None or not noun.replace(" ", "").isalpha() or not noun.islower():
        return None
    anew = predicate.verb == "rename" or _ANEW.search(said) is not None
    return _named(noun, found["v"], "") if anew or noun.split()[-1] not in KIN_OF else None


def new_name(predicate: Predicate) -> str:
    """The name that "was renamed …" gives to whatever it is said of; "" for none."""
    found = _INTO.match(predicate.rest) if predicate.passive and predicate.verb == "rename" and not predicate.negated else None
    return found["v"] if found else ""


def _named(noun: str, name: str, old: str) -> Slot:
    word = _WHOLE.sub("", noun).strip()
    if KIN_OF.get(word.split()[-1]) in ("has_pet", "has_child"):
        kin = word.split()[-1]
        return replace(kin_named(kin, name), old=old or kin)
    return Slot(attribute=word.replace(" ", "_"), value=name, old=old, functional=True)
