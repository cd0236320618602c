"""How far two mentions may name one thing: exact for what is a number or an address, by its parts for what is a name.

Rule of this file: another digit is another thing, whatever else agrees. Nothing here looks at how similar letters are: what is
spelled almost alike is as often somebody else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b

from muniment.knowledge.entities.given import is_given
from muniment.knowledge.entities.names import NOTHING, Likeness, alike, contradicted, of_parts, person_name
from muniment.knowledge.entities.spelling import KEPT, LONGEST, digits, forms, normal, words
from muniment.knowledge.entities.words import HEADINGS, LEGAL_FORMS, PLACE_WORDS, PLACES_TOO, SMALL_WORDS, STREETS

EXACT = frozenset({"code", "email", "handle", "phone", "url"})
"""Kinds that are compared character by character, after their own normal form."""

_ALIKE_KINDS = frozenset({"organisation", "product", "group", "work"})
_ACRONYM = re.compile(r"(?:[A-Z]\.?){2,7}s?")
_URL_HEAD = re.compile(r"^(?:https?://)?(?:www\.)?", re.IGNORECASE)
_NOT_DIGIT = re.compile(r"[^\d+]")
_HEADING_LIMIT = 4
_PAIR = 2
_DIGEST = 8
_ABBREVIATED = 3


def exact_form(kind: str, text: str) -> str:
    """What a code, e-mail, handle, phone number or URL is compared by."""
    plain = normal(text) if kind != "url" else _URL_HEAD.sub("", text.strip()).rstrip("/.")
    if len(plain) > LONGEST or len(text) > LONGEST:
        whole = plain if kind == "url" else text
        return plain[:LONGEST] + blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).hexdigest()
    if kind == "phone":
        number = _NOT_DIGIT.sub("", plain)
        return "+" + number[2:] if number.startswith("00") else number
    return plain.removeprefix("mailto:") if kind == "email" else plain


def is_heading(text: str) -> bool:
    """True for a numbered part of some document ("Task 5"): it means something only where it stands."""
    parts = words(text)
    return (
        len(parts) == _PAIR
        and parts[0] in HEADINGS
        and (len(parts[1]) == 1 or parts[1].isdigit())
        and len(parts[1]) < _HEADING_LIMIT
    )


def kinds_agree(one: str, other: str) -> bool:
    """True when mentions of these kinds may be one thing's: equal, unknown, or kinds that are often taken for each other."""
    if one == other:
        return True
    if EXACT & {one, other}:
        return {one, other} in ({"email", "person"}, {"email", ""})
    return not one or not other or {one, other} <= _ALIKE_KINDS


def compare(one: str, other: str, kind: str = "", other_kind: str = "") -> Likeness:
    """How far two names of these kinds may be one thing's. Symmetric."""
    if len(one) > LONGEST or len(other) > LONGEST:
        return _compare(one, other, kind, other_kind)
    return _compare_kept(one, other, kind, other_kind)


def _compare(one: str, other: str, kind: str, other_kind: str) -> Likeness:
    if not kinds_agree(kind, other_kind):
        return NOTHING
    if EXACT & {kind, other_kind}:
        if kind != other_kind:
            address, name = (one, other) if kind == "email" else (other, one)
            return _address_alike(address, name)
        return of_parts(exact=1.0) if exact_form(kind, one) == exact_form(kind, other) else contradicted("exact")
    if digits(one) != digits(other):
        return contradicted("digits") if digits(one) and digits(other) else NOTHING
    return _names_alike(one, other, frozenset({kind, other_kind}))


_compare_kept = lru_cache(maxsize=KEPT)(_compare)


def _names_alike(one: str, other: str, kinds: frozenset[str]) -> Likeness:
    spelled = _spelled_alike(one, other)
    if spelled is not None:
        return spelled
    if "person" in kinds or (kinds == {""} and _personal(one) and _personal(other)):
        found = alike(one, other)
        half = {"given_name_missing", "surname_missing"} & set(found.why)
        unsure = "" in kinds and len(kinds) > 1 and ("given_name_missing" in half or (half and _place_too(one, other)))
        return of_parts(**found.why, kind_unknown=0.9) if unsure else found
    return _places_alike(one, other) if "place" in kinds else _things_alike(one, other)


def _place_too(one: str, other: str) -> bool:
    """True when one of them is a single word that is a place's name as well: "Virginia" of "Virginia Woolf"."""
    return any(len(parts) == 1 and parts[0] in PLACES_TOO for parts in (words(one), words(other)))


def _spelled_alike(one: str, other: str) -> Likeness | None:
    """What the letters alone decide: one name in two spellings, or names of nothing but signs; None where they do not."""
    a, b = words(one), words(other)
    if not a or not b:
        return of_parts(same=1.0) if normal(one) == normal(other) != "" else NOTHING
    if _signs(one) != _signs(other):
        return contradicted("signs") if a == b else NOTHING
    if a == b:
        return of_parts(same=1.0)
    return None if set(forms(one)).isdisjoint(forms(other)) else of_parts(spelling=0.96)


def _signs(text: str) -> str:
    """Signs that tell names apart, as in C, C++ and C#, or in a_b and ab."""
    return "".join(c for c in text if c in "+#*_")


def _personal(text: str) -> bool:
    name = person_name(text)
    return bool(name.capitals) or name.titled or is_given(name.given[0] if name.given else name.single)


def _address_alike(address: str, name: str) -> Likeness:
    """An e-mail address that spells a person's whole name."""
    local = words(address.partition("@")[0].replace("_", " "))
    whole = person_name(name)
    if not (whole.given and whole.surname):
        return NOTHING
    spelled = (whole.given[0], whole.surname.split()[-1])
    if local in (spelled, spelled[::-1]):
        return of_parts(address=0.93)
    joined = "".join(local)
    return of_parts(address=0.85) if joined in {"".join(spelled), spelled[0][0] + spelled[1]} else NOTHING


def _places_alike(one: str, other: str) -> Likeness:
    (head, _, tail), (head2, _, tail2) = one.partition(","), other.partition(",")
    if _place(head) != _place(head2):
        return _things_alike(one, other)
    a, b = words(tail), words(tail2)
    if a == b:
        return of_parts(abbreviation=0.95)
    if a and b:
        short = min(len("".join(a)), len("".join(b))) <= _ABBREVIATED
        return of_parts(name=1.0, within=0.8) if short else contradicted("within")
    return of_parts(name=1.0, within_missing=0.8)


def _place(text: str) -> tuple[str, ...]:
    parts = words(text)
    if len(parts) < _PAIR:
        return parts
    first, last = PLACE_WORDS.get(parts[0], parts[0]), PLACE_WORDS.get(parts[-1], parts[-1])
    if last in STREETS:
        return (*parts[:-1], last)
    return ("saint" if first == "street" else first, *parts[1:])


def _things_alike(one: str, other: str) -> Likeness:
    (core, form), (core2, form2) = company(one), company(other)
    if core == core2 and core:
        if form == form2:
            return of_parts(article=0.97)
        return of_parts(name=1.0, legal_form=0.8) if form and form2 else of_parts(name=1.0, legal_form_missing=0.95)
    if form == form2 and len(core) + len(core2) > _PAIR and "".join(core) == "".join(core2):
        return of_parts(joined=0.95)
    for short, long in ((one, core2), (other, core)):
        if _ACRONYM.fullmatch(short) and len(long) > 1:
            found = _acronym(normal(short).replace(".", ""), long)
            if found:
                return of_parts(acronym=found)
    return of_parts(words=1.0, order=0.85) if len(core) > 1 and set(core) == set(core2) else NOTHING


def company(text: str) -> tuple[tuple[str, ...], str]:
    """The words of a name without articles and small words, and its legal form, or ""."""
    return _company(text[:LONGEST])


@lru_cache(maxsize=KEPT)
def _company(text: str) -> tuple[tuple[str, ...], str]:
    parts = [part for part in words(text.replace(".", "")) if part != "and"]
    if len(parts) > 1 and parts[0] == "the":
        parts.pop(0)
    form = ""
    while len(parts) > 1 and parts[-1] in LEGAL_FORMS:
        form = f"{LEGAL_FORMS[parts.pop()]} {form}".strip()
    return tuple(parts), form


def _acronym(letters: str, parts: tuple[str, ...]) -> float:
    large = "".join(part[0] for part in parts if part not in SMALL_WORDS)
    every = "".join(part[0] for part in parts)
    if letters not in {large, every}:
        return 0.0
    return 0.94 if len(letters) > _PAIR else 0.85
