"""Changes: a verb that puts a new value in a slot's place, whatever it is called ("went vegan", "swapped our plan for Pro").

Rule of this file: the noun behind "my", or the shape of the value, decides the slot; a change of something else fills nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.ingest.extract.rules_facts_verbs import Predicate
from muniment.ingest.extract.rules_slots import AS_TIER, MOST_WORDS, Slot, is_job, solid, value_of
from muniment.ingest.extract.rules_slots_owned import kin_named, owned_slot
from muniment.ingest.extract.rules_slots_renamed import renamed
from muniment.ingest.extract.words_facts import OF_ONE
from muniment.ingest.extract.words_slots import LANGUAGES
from muniment.ingest.extract.words_slots_changed import BY_OTHERS, CHANGING, FOR, FRAMES, MINE, TO_PLAN
from muniment.ingest.extract.words_slots_kinds import TOOLS
from muniment.knowledge.values import Modality

_FRAMES: Final = {
    verb: tuple((re.compile(pattern, 0 if "[A-Z]" in pattern else re.IGNORECASE), attribute) for pattern, attribute in rows)
    for verb, rows in FRAMES.items()
}
_BY_OTHERS: Final = {verb: tuple((re.compile(p), attribute) for p, attribute in rows) for verb, rows in BY_OTHERS.items()}
_MINE: Final = re.compile(MINE, re.IGNORECASE)
_FOR: Final = re.compile(FOR, re.IGNORECASE)
_TO_PLAN: Final = re.compile(TO_PLAN, re.IGNORECASE)
_LANGUAGE: Final = re.compile(rf"(?:{LANGUAGES})\b", re.IGNORECASE)
_SCHOOL: Final = re.compile(r"\bat (?:the )?(?P<v>[A-Z][^,;.!?()]{1,40})")
_IN: Final = re.compile(r" (?:at|in|for|with|so|to|and then)\b.*", re.IGNORECASE)


def changed_slots(predicate: Predicate, times: Sequence[str] = ()) -> tuple[Slot, ...]:
    """The slots a verb of change or state fills for its subject; empty where another rule has to tell."""
    verb, rest = predicate.verb, predicate.rest
    if verb == "rename" and not (predicate.negated or predicate.passive):
        slot = renamed(rest)
        return (slot,) if slot else ()
    if verb in CHANGING and not predicate.negated and (slot := _changing(rest, times)):
        return (slot,)
    for pattern, attribute in _FRAMES.get(verb, ()):
        found = pattern.match(rest)
        if found is not None and (slots := tuple(_filled(attribute, found["v"] or "", predicate, times))):
            return slots
    return ()


def _changing(rest: str, times: Sequence[str]) -> Slot | None:
    """What "my X to Y", "plan X for plan Y" and "us to plan Y" put in place."""
    found = _MINE.match(rest)
    if found is not None and (slot := owned_slot(found["what"].strip(), found["v"], times)):
        return replace(slot, old=value_of(found["old"]) if found["old"] else "")
    if found := _FOR.match(rest):
        return Slot(attribute="plan", value=AS_TIER.sub("", found["v"]), old=AS_TIER.sub("", found["old"]))
    if found := _TO_PLAN.match(rest):
        return Slot(attribute="plan", value=AS_TIER.sub("", found["v"]))
    return None


def _filled(attribute: str, value: str, predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    ends = attribute.endswith("!")
    attribute = attribute.rstrip("!")
    value = value_of(value, times=times)
    over = predicate.ends or predicate.habit
    if ends:
        yield Slot(attribute=attribute, value="" if attribute == "diet" else AS_TIER.sub("", value), ends=True)
        if attribute == "plan":
            yield Slot(attribute="subscription_status", value="cancelled")
    elif attribute in ("gave_up", "no_liking"):
        if not predicate.negated:
            yield Slot(attribute=f"likes:{value.lower()[:60]}", value="gave up" if attribute == "gave_up" else "no longer likes")
    elif attribute == "tool":
        yield from _tool(value, predicate)
    elif attribute == "left_off":
        if over:
            yield Slot(attribute="works_at", value=value, ends=True)
    elif attribute == "studies":
        yield from _studies(value, predicate, times)
    elif solid(value) and len(value.split()) <= MOST_WORDS and not (attribute == "job" and not is_job(value)):
        value = AS_TIER.sub("", value) if attribute == "plan" else value.lower() if attribute == "diet" else value
        one = True if attribute == "team" else None
        negated = predicate.negated and not over
        yield Slot(attribute=attribute, value=value, ends=over, negated=negated, functional=one)


def _tool(value: str, predicate: Predicate) -> Iterator[Slot]:
    if value.partition(" ")[0].casefold() in TOOLS and not predicate.negated:
        yield Slot(attribute="uses", value=value)


def _studies(value: str, predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    if predicate.past and not (predicate.perfect or predicate.habit):
        return
    school = _SCHOOL.search(predicate.rest)
    value = _IN.sub("", value)
    if solid(value):
        language = _LANGUAGE.match(value) is not None
        over = predicate.ends or predicate.habit
        yield Slot(
            attribute="studies",
            value=value,
            functional=None if language else True,
            ends=over,
            negated=predicate.negated and not over,
        )
    if school is not None:
        yield Slot(attribute="studies_at", value=value_of(school["v"], times=times))


def by_others(subject: str, predicate: Predicate) -> tuple[Slot, ...]:
    """What another's deed tells of the speaker: "Acme hired me", "Kim replaced Lee as my manager", "spiders scare me"."""
    if predicate.negated or predicate.modality is not Modality.ASSERTED:
        return ()
    for pattern, attribute in _BY_OTHERS.get(predicate.verb, ()):
        found = pattern.match(predicate.rest)
        if found is None:
            continue
        if attribute == "plan":
            return (Slot(attribute="plan", value=AS_TIER.sub("", value_of(found["v"]))),)
        if not solid(subject) or (attribute == "works_at" and not subject[:1].isupper()):
            return ()
        if attribute == "kin":
            return (replace(kin_named(found["noun"], subject), old=found["old"]),) if found["noun"] in OF_ONE else ()
        job = found.groupdict().get("job")
        more = (Slot(attribute="job", value=value_of(job)),) if job else ()
        return (Slot(attribute=attribute, value=subject.lower() if attribute == "fears" else subject), *more)
    return ()
