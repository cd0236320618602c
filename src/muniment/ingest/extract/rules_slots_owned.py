"""What "my X is Y" and "X is my Y" say: the slot they fill for whoever "my" is, and who a relative is.

Rule of this file: the noun decides the slot; a value that cannot be one of that slot fills nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.ingest.extract.rules_facts_verbs import Predicate
from muniment.ingest.extract.rules_slots import ARTICLE, AS_TIER, KIN_OF, MOST_WORDS, WORD, Slot, solid, value_of
from muniment.ingest.extract.words_facts import KIN, OF_ONE, PERSONS
from muniment.ingest.extract.words_slots import OWNED

_FAVOURITE: Final = re.compile(
    r"(?:my |our )?(?:new |current )?(?:all[- ]time )?(?:absolute )?fav(?:ou?rite|e|s)?s? "
    r"(?P<what>[\w][\w' -]{0,38}?)(?: (?:of all time|ever|in the world|right now))?$",
    re.IGNORECASE,
)
_IS_FAVOURITE: Final = re.compile(
    r"(?:one of |also |definitely |probably |still )*(?:my|our) (?:all[- ]time |absolute "
    r"|personal )*fav(?:ou?rite|e)?s?(?: (?P<what>[a-z][\w -]{1,30}?))?"
    r"(?= (?:of|to|in|for|because|but|and|so|right|at|when)\b|\s*$|[,.;!])",
    re.IGNORECASE,
)
_OWNED: Final = tuple((re.compile(rf"(?:{pattern})", re.IGNORECASE), attribute) for pattern, attribute in OWNED)
_EMAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_NAMED: Final = re.compile(r"(?:named|called|name is|names? are) (?P<name>[A-Z][\w'-]*(?:(?:,| and|,? &) [A-Z][\w'-]*)*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """What "my …" stands for: the slot it fills for its owner, and if it is someone, the word for them and their name."""

    slots: tuple[Slot, ...]
    noun: str = ""
    name: str = ""


_OWNER: Final = re.compile(
    r"(?:(?:one|some|all|both|two|three|most) of )?(?:my|our|his|her|their|[A-Z][\w-]*'s)\s+", re.IGNORECASE
)
_TRAILING: Final = re.compile(r"'s? (?:first |full )?name$", re.IGNORECASE)


def owned_slots(subject: str, predicate: Predicate, times: Sequence[str] = ()) -> Owned:
    """Slots that "my X is Y" fills for whoever "my" is: favourite things, name, e-mail, plan, and who a relative is."""
    noun = _OWNER.sub("", subject, count=1).strip()
    kin = _last_kin(noun)
    told = None
    if predicate.verb == "be" and not predicate.passive:
        told = _is(noun, kin, predicate, times)
    elif predicate.verb in ("change", "move", "switch"):
        told = _changed(noun, predicate)
    elif predicate.passive and predicate.verb in ("name", "call") and kin and (name := _CAPITAL.match(predicate.rest)):
        told = Owned(slots=(_kin_named(kin, name[0]),), noun=kin, name=name[0])
    return told or Owned(slots=(), noun=kin, name=_name_in(noun, kin))


def _is(noun: str, kin: str, predicate: Predicate, times: Sequence[str]) -> Owned | None:
    """What "my X is Y" fills."""
    if found := _FAVOURITE.match(noun):
        value = value_of(predicate.rest, times=times)
        return Owned(
            slots=(Slot(attribute=f"favourite:{_singular(found['what'].lower())}", value=value),) if solid(value) else ()
        )
    if kin and _TRAILING.sub("", noun) != noun and (name := _CAPITAL.match(predicate.rest)):
        return Owned(slots=(_kin_named(kin, name[0]),), noun=kin, name=name[0])
    if kin and noun.lower() == kin:
        named = _NAMED.match(predicate.rest)
        whole = _CAPITAL.fullmatch(predicate.rest.strip(" .!"))
        if said := named["name"] if named else whole[0] if whole else "":
            return Owned(slots=(_kin_named(kin, said),), noun=kin, name=said)
    attribute = _owned_attribute(noun)
    return Owned(slots=_owned_value(attribute, predicate, times)) if attribute else None


def _changed(noun: str, predicate: Predicate) -> Owned | None:
    """What "my X changed from A to B" fills."""
    found, attribute = _CHANGED.match(predicate.rest), _owned_attribute(noun)
    if found is None or not attribute:
        return None
    return Owned(slots=(Slot(attribute=attribute, value=AS_TIER.sub("", found["v"]), old=AS_TIER.sub("", found["old"] or "")),))


def _owned_attribute(noun: str) -> str:
    return next((attribute for pattern, attribute in _OWNED if pattern.fullmatch(noun)), "")


_CHANGED: Final = re.compile(
    r"(?:from (?:the )?(?P<old>[^,;!?()]{1,60}?) )?to (?:the )?(?P<v>[^\s,;!?()]+(?: [^\s,;!?()]+){0,2})"
)
_CAPITAL: Final = re.compile(r"[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,3}")


def _owned_value(attribute: str, predicate: Predicate, times: Sequence[str]) -> tuple[Slot, ...]:
    rest = predicate.rest
    if attribute == "email":
        found = _EMAIL.search(rest)
        value = found[0] if found else ""
    elif attribute == "birthday":
        value = re.sub(r"^(?:on|in) (?:the )?", "", rest).strip(" .!")
    elif attribute == "name":
        found_name = _CAPITAL.match(rest)
        value = found_name[0] if found_name else value_of(rest) if len(rest.split()) == 1 else ""
    else:
        value = value_of(rest, times=times)
    value = AS_TIER.sub("", value) if attribute == "plan" else value
    if attribute == "works_at" and not value[:1].isupper():
        return ()
    if (
        not value
        or (len(value.split()) > MOST_WORDS and attribute != "birthday")
        or not (solid(value) or attribute in ("age", "phone", "birthday"))
    ):
        return ()
    return (Slot(attribute=attribute, value=value, negated=predicate.negated),)


def favourite_said(subject: str, predicate: Predicate) -> tuple[Slot, ...]:
    """The slot of "X is my favourite (Y)"; without Y it is a liking."""
    if predicate.verb == "be" and subject[:1].isupper() and (kin := _IS_KIN.match(predicate.rest)) and not predicate.negated:
        return (_kin_named(kin["noun"].lower(), subject),)
    if predicate.verb == "be" and (aim := _IS_AIM.match(predicate.rest)) and solid(subject) and not predicate.negated:
        if aim["goal"]:
            return (Slot(attribute="wants", value=subject),)
        return (Slot(attribute=f"likes:{subject.lower()[:60]}", value="likes"),)
    found = _IS_FAVOURITE.match(predicate.rest) if predicate.verb == "be" else None
    if found is None or not solid(subject) or predicate.negated:
        return ()
    subject = ARTICLE.sub("", subject, count=1) if not subject[:1].isupper() else subject
    if found["what"]:
        return (Slot(attribute=f"favourite:{_singular(found['what'].lower())}", value=subject),)
    return (Slot(attribute=f"likes:{subject.lower()[:60]}", value="favourite"),)


def kin_in(text: str) -> Iterator[tuple[str, str, str, int, int]]:
    """People, animals and belongings told of as "my …": attribute, word, name behind it or "", and where it stands."""
    for found in _MY_KIN.finditer(text):
        word = found["noun"].lower()
        attribute = KIN_OF.get(word)
        if attribute is not None and not found[0].lower().startswith(("my dear", "our world")):
            yield attribute, (found["kind"] or "") + found["noun"], found["name"] or "", found.start(), found.end()


_MY_KIN: Final = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) (?P<kind>(?:[a-z]+ ){0,2}?)(?P<noun>"
    + "|".join(sorted(KIN_OF, key=len, reverse=True))
    + r")\b(?:,? (?P<name>(?!I\b)[A-Z][a-z]+))?"
)


_IS_AIM: Final = re.compile(
    r"(?:also |really |definitely |totally |one of )*my (?:[a-z]+ )?(?:(?P<goal>goals?|"
    r"dreams?|aim|ambition)|passions?|hobby|hobbies|thing|obsession)\b(?! \w+ing\b)",
    re.IGNORECASE,
)
_IS_KIN: Final = re.compile(
    r"(?:my|our) (?:[a-z]+ ){0,2}?(?P<noun>"
    + "|".join(sorted(PERSONS | frozenset(KIN["has_pet"]), key=len, reverse=True))
    + r")\b(?!'s)(?! \w+er\b)",
    re.IGNORECASE,
)


def _last_kin(noun: str) -> str:
    words = [word.lower() for word in WORD.findall(noun.replace("'s", " "))]
    return next((word for word in reversed(words) if word in KIN_OF), "")


def _name_in(noun: str, kin: str) -> str:
    if kin not in PERSONS and KIN_OF.get(kin) != "has_pet":
        return ""
    found = re.search(re.escape(kin) + r",? (?P<name>[A-Z][\w'-]*(?: [A-Z][\w'-]*)*)", noun, re.IGNORECASE)
    return found["name"] if found and found["name"][0].isupper() else ""


def _kin_named(kin: str, name: str) -> Slot:
    attribute = KIN_OF[kin]
    if attribute in ("has_pet", "has_child"):
        return Slot(attribute=attribute, value=f"{kin} named {name}")
    return Slot(attribute=kin, value=name, functional=kin in OF_ONE)


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is", "series")) else word
