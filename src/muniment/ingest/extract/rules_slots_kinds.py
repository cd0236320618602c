"""Whether a value is of the kind its slot takes: a place to live, an employer, a plan, a name; and what is held beside another.

Rule of this file: pure; a value of another kind leaves the slot unfilled, so that the sentence stays a plain statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.ingest.extract.rules_facts_clauses import Clause
from muniment.ingest.extract.rules_slots import Slot
from muniment.ingest.extract.words_slots import PLANS, TIER
from muniment.ingest.extract.words_slots_kinds import APART, FALSE_NAMES, LIMITED, PLACES, SERVICES, TOOLS

_I: Final = re.IGNORECASE
_UNDONE: Final = re.compile(
    r"(?:'ve |have |has |had |'d |also |just |only |very |)*(?:almost|nearly|narrowly|hardly|barely|scarcely|rarely|seldom)"
    r"(?: ever)? (?!always|never|every|all\b|as\b|only\b|just\b|daily|there|got\b)(?=[a-z])",
    _I,
)
_APART: Final = re.compile(APART, _I)
_LIMITED: Final = re.compile(LIMITED, _I)
_PLAN: Final = re.compile(rf"(?:^|\s)(?:{PLANS})(?!\w)", _I)
_PLANNED: Final = re.compile(rf"\b{TIER}s?\b", _I)
_INTENT: Final = re.compile(r"(?:to|that|for|of|on|\w+ing)\b", _I)
_SERVICE: Final = re.compile(rf"(?P<of>{SERVICES})\b(?:['’]s)?\s*(?P<rest>.*)", _I)  # noqa: RUF001  an apostrophe as people type it
_KEPT: Final = re.compile(r"(?P<who>[A-Z][\w&'.-]*(?: (?:of|the|and|&|de|[A-Z0-9][\w&'.-]*))*)(?P<rest>.*)")
_STATE: Final = re.compile(
    r" (?:open|on|off|running|behind|alone|unattended|unlocked|out|there|here|at|in|with|waiting|a|the|my)\b"
)
_COMPANY: Final = re.compile(
    r" for (?:a |an |the |some |our )?(?:quick |long |short )?(?:breakfast|lunch|dinner|coffee|drinks?|tea|brunch|beers?|meal"
    r"|walk|run|ride|hike|swim|game|call|chat|meeting|party|trip|movie|concert|evening|night|weekend|day)\b",
    _I,
)
_INSTEAD: Final = re.compile(r" for (?P<v>[A-Z][\w&'.-]*(?: [A-Z][\w&'.-]*)*)$")
_ACCOUNT: Final = re.compile(r"\b(?P<of>work|office|school|university|billing|business|backup|secondary|old|home|mobile)\b", _I)
_LETTER_I: Final = re.compile(r"\bi\b")
_NO: Final = re.compile(r"no (?=\w)", _I)
_BEHIND: Final = re.compile(r"\s+(?:during|half|as an?|on weekends?|part[- ]time)\b.*", _I)
_LIKED: Final = {"dislikes": "likes", "does not love": "loves", "does not enjoy": "enjoys"}
_FEW: Final = 3
_HELD: Final = ("has", "has_pet", "has_child", "owns", "allergic_to", "knows", "uses", "plays", "speaks", "wants")
_BESIDE: Final = frozenset({"works_at", "lives_in", "job", "employer_role"})


def undone(clause: Clause) -> bool:
    """True for what almost was or hardly is: "I nearly bought a car" fills nothing."""
    return _UNDONE.match(clause.after.lstrip()) is not None


def fitting(slots: Sequence[Slot], clause: Clause, *, said: str, planned: bool) -> tuple[Slot, ...]:
    """Those of `slots` whose values are of their kind, told apart from others where the words do.

    `said` is the whole sentence; `planned` tells whether a plan was spoken of in it or before.
    """
    if not slots:
        return ()
    if undone(clause):
        return ()
    if clause.predicate.negated and not clause.predicate.ends and _LIMITED.search(clause.predicate.rest):
        return ()
    ended = any(slot.attribute == "plan" and slot.ends for slot in slots)
    return tuple(one for slot in slots for one in _kept(slot, clause, said, planned=planned, ended=ended))


def _kept(slot: Slot, clause: Clause, said: str, *, planned: bool, ended: bool) -> Iterator[Slot]:
    attribute = slot.attribute
    if attribute in ("lives_in", "works_at"):
        slot = replace(slot, value=_BEHIND.sub("", slot.value))
    if attribute in _BESIDE and slot.functional is None and not slot.ends and _APART.search(said):
        slot = replace(slot, functional=False)
    if attribute == "lives_in":
        yield from _place(slot, clause, said)
    elif attribute == "works_at":
        yield from _employer(slot, clause)
    elif attribute == "plan":
        yield from _plan(slot, clause, said, planned=planned)
    elif not (attribute == "subscription_status" and ended and _service(clause.predicate.rest)):
        yield from _told_apart(slot, clause)


def _told_apart(slot: Slot, clause: Clause) -> Iterator[Slot]:
    """Names nobody has are left out; an account of its own, what one has no more of and likes no longer is told as such."""
    attribute, value = slot.attribute, slot.value
    if attribute.startswith("likes:") and slot.ends:
        yield replace(slot, value=f"no longer {_LIKED.get(value, value)}", ends=False)
    elif attribute in ("email", "phone") and (account := _ACCOUNT.search(clause.subject)):
        yield replace(slot, attribute=f"{attribute}:{account['of'].lower()}", functional=True)
    elif attribute in _HELD and (no := _NO.match(value)) and not slot.negated:
        yield replace(slot, value=value[no.end() :], negated=True)
    elif attribute != "name" or value.casefold() not in FALSE_NAMES:
        yield slot


def _place(slot: Slot, clause: Clause, said: str) -> Iterator[Slot]:
    words = slot.value.split()
    if not words:
        yield slot
    elif words[0].casefold() in TOOLS and len(words) <= _FEW:
        yield Slot(attribute="uses", value=slot.value, old=slot.old)
    elif (
        words[0][:1].isupper()
        or not words[0][:1].isascii()
        or any(word[:1].isupper() for word in words[1:])
        or words[-1].lower() in PLACES
        or words[0].lower() in PLACES
        or _typed_small(slot, clause, said)
    ):
        yield slot


def _typed_small(slot: Slot, clause: Clause, said: str) -> bool:
    """Whether somebody who writes no capitals may mean a place: few words behind "live in", one or two behind "move to"."""
    if said != said.lower() and not _LETTER_I.search(said):
        return False
    place = clause.predicate.rest.lower()
    if clause.predicate.verb in ("live", "reside", "be"):
        return not place.startswith("near ") and len(slot.value.split()) <= _FEW
    head = slot.value.split()[-1].lower()
    return len(slot.value.split()) < _FEW and not head.endswith(("ment", "ing", "ion", "ases", "team", "role", "work"))


def _employer(slot: Slot, clause: Clause) -> Iterator[Slot]:
    verb, value = clause.predicate.verb, slot.value
    if verb == "join" and _COMPANY.search(clause.predicate.rest):
        return
    if verb == "join" and value.casefold() in TOOLS and " as " not in clause.predicate.rest:
        yield Slot(attribute="uses", value=value)
    elif verb == "leave" and slot.ends and (named := _KEPT.fullmatch(value)):
        if found := _INSTEAD.fullmatch(named["rest"]):
            yield Slot(attribute="works_at", value=found["v"], old=named["who"])
        elif not _STATE.match(named["rest"] + " "):
            yield slot
    else:
        yield slot


def _plan(slot: Slot, clause: Clause, said: str, *, planned: bool) -> Iterator[Slot]:
    value = slot.value
    owned = _PLANNED.search(clause.subject) is not None
    if owned and clause.predicate.verb == "be" and _INTENT.match(clause.predicate.rest):
        return
    if found := _service(value) or _service(clause.subject.partition(" ")[2]):
        rest = _SERVICE.match(value)
        kept = rest["rest"] if rest and rest["rest"] else value
        yield replace(slot, attribute=f"plan:{found}", value=kept, functional=True)
        return
    bare = re.sub(r" by (?:mistake|accident).*", "", value)
    tool = bare.split(" ")[0].casefold() in TOOLS or any(c.isdigit() for c in bare)
    if not value or owned or _PLAN.search(bare) or _PLANNED.search(said) or (planned and not tool and bare[:1].isupper()):
        yield replace(slot, value=bare)


def _service(value: str) -> str:
    """Whose plan it is when another's than the one talked about: "netflix", "gym"; "" for none."""
    found = re.match(r"(?:my|our|the|a|an) ", value, _I)
    of = _SERVICE.match(value, found.end() if found else 0)
    return of["of"].lower() if of and (of["rest"] == "" or _PLAN.match(of["rest"]) or _PLANNED.match(of["rest"])) else ""
