"""What "my X is Y" and "X is my Y" say: the slot they fill for whoever "my" is, and who a relative is.

Rule of this file: the noun decides the slot; a value that cannot be one of that slot fills nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
    r"(?= (?:of|to|in|for|because|but|and|so|right|at|when|now|these|nowadays|ever)\b|\s*$|[,.;!])",
    re.IGNORECASE,
)
_OWNED: Final = tuple((re.compile(rf"(?:{pattern})", re.IGNORECASE), attribute) for pattern, attribute in OWNED)
_EMAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+|\[email:[\w-]{1,64}\]")  # or what stands for one
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


_TURNING: Final = frozenset({"change", "move", "switch", "upgrade", "downgrade", "go", "update", "turn", "become", "shift"})


def owned_slots(subject: str, predicate: Predicate, times: Sequence[str] = ()) -> Owned:
    """Slots that "my X is Y" fills for whoever "my" is: favourite things, name, e-mail, plan, and who a relative is."""
    noun = _OWNER.sub("", subject, count=1).strip()
    kin = _last_kin(noun)
    told = None
    if predicate.verb == "be" and not predicate.passive:
        told = _is(noun, kin, predicate, times)
    elif predicate.verb in _TURNING:
        told = _changed(noun, predicate)
    elif predicate.passive and predicate.verb in ("name", "call") and kin and (name := _TITLED.match(predicate.rest)):
        slot = owned_slot(noun, name[0]) or kin_named(kin, name[0])
        told = Owned(slots=(slot,), noun=kin, name=name[0])
    return told or Owned(slots=(), noun=kin, name=_name_in(noun, kin))


def _is(noun: str, kin: str, predicate: Predicate, times: Sequence[str]) -> Owned | None:
    """What "my X is Y" fills."""
    rest = _NOW.sub("", predicate.rest, count=1)
    if found := _FAVOURITE.match(noun):
        value = value_of(rest, times=times)
        return Owned(
            slots=(Slot(attribute=f"favourite:{_singular(found['what'].lower())}", value=value, negated=predicate.negated),)
            if solid(value)
            else ()
        )
    if kin and _TRAILING.sub("", noun) != noun and (name := _TITLED.match(rest)):
        return Owned(slots=(kin_named(kin, name[0]),), noun=kin, name=name[0])
    if kin and _NEW.sub("", noun.lower()) == kin:
        named = _NAMED.match(rest)
        whole = _TITLED.fullmatch(value_of(rest, times=times)) if rest[:1].isupper() else None
        if said := named["name"] if named else whole[0] if whole else "":
            return Owned(slots=(kin_named(kin, said),), noun=kin, name=said)
    if _HOME.fullmatch(noun) and (place := _IN_PLACE.match(rest) or (noun.lower().endswith(_HOMES) and _BARE_PLACE.match(rest))):
        value = value_of(place["v"], times=times)
        return Owned(slots=(Slot(attribute="lives_in", value=value),) if len(value.split()) <= MOST_WORDS else ())
    attribute = owned_attribute(noun)
    return Owned(slots=_owned_value(attribute, rest, times, negated=predicate.negated)) if attribute else None


def _changed(noun: str, predicate: Predicate) -> Owned | None:
    """What "my X changed from A to B" fills."""
    found = _CHANGED.match(predicate.rest)
    if found is None or (slot := owned_slot(noun, found["v"])) is None:
        return None
    return Owned(slots=(replace(slot, old=AS_TIER.sub("", found["old"] or "")),))


def owned_attribute(noun: str) -> str:
    """The attribute "my X" names; "" for none."""
    return next((attribute for pattern, attribute in _OWNED if pattern.fullmatch(noun)), "")


def owned_slot(noun: str, value: str, times: Sequence[str] = ()) -> Slot | None:
    """The slot "my X" stands for, filled with `value`: what it names, a favourite thing, or someone of whom one has one."""
    if found := _FAVOURITE.match(noun):
        value = value_of(value, times=times)
        return Slot(attribute=f"favourite:{_singular(found['what'].lower())}", value=value) if solid(value) else None
    if attribute := owned_attribute(noun):
        return next(iter(_owned_value(attribute, value, times, negated=False)), None)
    word = _NEW.sub("", noun.lower())
    if word in OF_ONE and (name := _TITLED.match(value)):
        return kin_named(word, name[0])
    return None


_CHANGED: Final = re.compile(
    r"(?:from (?:the )?(?P<old>[^,;!?()]{1,60}?) )?to (?:the )?(?P<v>[^\s,;!?()]+(?: [^\s,;!?()]+){0,2})"
)
_CAPITAL: Final = re.compile(r"[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,3}")
_TITLED: Final = re.compile(r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\. )?[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,3}")
_NOW: Final = re.compile(r"(?:now|currently|these days|actually|still) ", re.IGNORECASE)
_NEW: Final = re.compile(r"(?:new |current |present |old |latest )+")
_HOME: Final = re.compile(
    r"(?:(?:new |current |main |permanent |own )*(?:home|house|flat|apartment|place|residence|base))(?: now| base)?"
    r"(?: (?:for me|these days|now))?",
    re.IGNORECASE,
)
_HOMES: Final = ("home", "base", "residence", "for me", "these days", "now")
_IN_PLACE: Final = re.compile(r"(?:(?:down|up|over|out|back|right) )?(?:in|near|outside) (?:the )?(?P<v>[A-Z][^,;.!?()]{1,40})")
_BARE_PLACE: Final = re.compile(r"(?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})")
_IS_MINE: Final = re.compile(
    r"(?:now |currently )?(?:my|our) (?P<noun>(?:new |current )?[a-z][a-z -]{1,25}?)"
    r"(?: (?:now|these days|nowadays|at the moment))?\s*(?:$|[,.;!])",
    re.IGNORECASE,
)
_WHERE: Final = re.compile(r"where (?:i|we) (?:(?:now|currently|mostly) )*(?P<verb>live|work|study|stay)\b(?!\w)", re.IGNORECASE)
_WHERE_I: Final = {"live": "lives_in", "stay": "lives_in", "work": "works_at", "study": "studies_at"}


def _owned_value(attribute: str, rest: str, times: Sequence[str], *, negated: bool) -> tuple[Slot, ...]:
    if attribute == "email":
        found = _EMAIL.search(rest)
        value = found[0] if found else ""
    elif attribute == "birthday":
        value = re.sub(r"^(?:on|in) (?:the )?", "", rest).strip(" .!")
    elif attribute == "name":
        found_name = _CAPITAL.match(rest)
        value = found_name[0] if found_name else value_of(rest) if len(rest.split()) == 1 else ""
    else:
        named = _NAMED.match(rest) if attribute == "works_at" else None
        rest = rest[len("in ") :] if attribute in ("studies", "lives_in") and rest.lower().startswith("in ") else rest
        value = named["name"] if named else value_of(rest, times=times)
    value = AS_TIER.sub("", value) if attribute == "plan" else value
    if attribute == "works_at" and not value[:1].isupper():
        return ()
    if (
        not value
        or (len(value.split()) > MOST_WORDS and attribute != "birthday")
        or not (solid(value) or attribute in ("age", "phone", "birthday"))
    ):
        return ()
    return (Slot(attribute=attribute, value=value, negated=negated, functional=True if attribute == "studies" else None),)


def favourite_said(subject: str, predicate: Predicate) -> tuple[Slot, ...]:
    """The slot of "X is my favourite (Y)"; without Y it is a liking."""
    if predicate.verb != "be" or predicate.negated or not solid(subject):
        return ()
    if subject[:1].isupper() and (slot := _is_mine(subject, predicate.rest)):
        return (slot,)
    aim = _IS_AIM.match(predicate.rest)
    if aim and aim["goal"]:
        return (Slot(attribute="wants", value=subject),)
    found = _IS_FAVOURITE.match(predicate.rest)
    if not aim and not found:
        return ()
    subject = ARTICLE.sub("", subject, count=1) if not subject[:1].isupper() else subject
    if found and found["what"]:
        return (Slot(attribute=f"favourite:{_singular(found['what'].lower())}", value=subject),)
    return (Slot(attribute=f"likes:{subject.lower()[:60]}", value="likes" if aim else "favourite"),)


def _is_mine(subject: str, rest: str) -> Slot | None:
    """The slot of "X is my sister", "X is my new employer" and "X is where I live now"."""
    if kin := _IS_KIN.match(rest):
        return kin_named(kin["noun"].lower(), subject)
    if where := _WHERE.match(rest):
        return Slot(attribute=_WHERE_I[where["verb"].lower()], value=subject)
    found = _IS_MINE.match(rest)
    if found is None:
        return None
    if _HOME.fullmatch(found["noun"]):
        return Slot(attribute="lives_in", value=subject)
    return owned_slot(found["noun"], subject) if owned_attribute(found["noun"]) else None


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


def kin_named(kin: str, name: str) -> Slot:
    """The slot of someone's name, by the word for them ("sister", "dog")."""
    attribute = KIN_OF[kin]
    if attribute in ("has_pet", "has_child"):
        return Slot(attribute=attribute, value=f"{kin} named {name}")
    return Slot(attribute=kin, value=name, functional=kin in OF_ONE)


_SPELT: Final = {"color": "colour", "flavor": "flavour", "theater": "theatre"}


def _singular(word: str) -> str:
    word = _SPELT.get(word.rstrip("s"), word)
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is", "series")) else word
