"""Where a person can be reached: e-mail, phone, network and postal addresses; and the day somebody was born.

Rule of this file: pure and conservative. A form that other things share (digits, dates, dotted numbers) needs a word for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

from muniment.ingest.pii.rules_values import ADDRESS, BIRTH_DATE, EMAIL, IP, PHONE, Find, spelled
from muniment.ingest.pii.rules_words import (
    BIRTH_WORDS,
    MONTHS,
    ORDER_WORDS,
    PHONE_WORDS,
    STREETS,
    STREETS_BEFORE,
    STREETS_WITHIN,
    VERSION_WORDS,
)

_EMAIL = re.compile(
    r"(?:(?<![A-Za-z0-9_.+%-])[A-Za-z0-9_+%-](?:[A-Za-z0-9_.+%-]{0,62}[A-Za-z0-9_+%-])?|(?<![\w.+%-])[^\x00-\x7f\s]{1,32})"
    r"@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}(?:xn--[a-z0-9-]{2,59}|[^\W\d_]{2,24})(?![\w@])"
)
_ABROAD = re.compile(r"(?<![\w+.-])(?<!\d{4} )(?:\+|00(?=[1-9]))\d(?:[ ./-]{0,2}\(?\d\)?){6,14}(?!\w|[.,:]\d)")
_NORTH_AMERICA = re.compile(
    r"(?<!\d{4} )(?<![\w+.-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?[2-9]\d{2}[ .-]|[2-9]\d{2}([ .-])[2-9]\d{2}\1)\d{4}"
    r"(?!\w|[-.]\d| \d{4}(?!\d))"
)
_FRANCE = re.compile(r"(?<!\d{4} )(?<![\w+.-])0[1-9](?:[ .-]\d{2}){4}(?!\w|[-.]\d| \d{4}(?!\d))")
_BRITAIN = re.compile(
    r"(?<!\d{4} )(?<![\w+.-])(?:0\d{4} ?\d{6}|0\d{2,4} \d{3,4} \d{3,4}|\(0\d{2,4}\) ?\d{3,4} ?\d{3,4})(?!\w|[-.]\d| \d{4}(?!\d))"
)
_GERMANY = re.compile(r"(?<!\d{4} )(?<![\w+./-])0[1-9]\d{1,4} ?[/-] ?\d{5,9}(?:[ -]\d{1,5})?(?!\w|[-.]\d| \d{4}(?!\d))")
_ANY_PHONE = re.compile(r"(?<!\d{4} )(?<![\w+.])\(?\d(?:[ ./()-]{0,2}\d){6,14}(?!\w|[.,:]\d)")
_PHONE_WORDS = re.compile(rf"(?i)(?:{spelled(PHONE_WORDS)})(?:[^\n\d]{{0,24}})$")
_ORDER_WORDS = re.compile(rf"(?i)(?:{spelled(word for word in ORDER_WORDS if word not in {'phone', 'tel'})})[^\n\d]{{0,6}}$")
_IPV4 = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
_IPV6 = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:.])")
_INSIDE = re.compile(r"10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|255\.255\.255\.255|[0-9A-Fa-f]{0,2}::|[Ff][Ee]80:")
_VERSION = re.compile(rf"(?i)(?:{spelled(VERSION_WORDS)})[^\n\w]{{0,3}}$")
_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})[a-z]{{0,6}}\.?"
_DATE = re.compile(
    rf"(?i)(?<!\d)(?:(?:19|20)\d{{2}}[-./年]\s?\d{{1,2}}[-./月]\s?\d{{1,2}}日?|\d{{1,2}}[-./]\s?\d{{1,2}}[-./]\s?(?:\d{{4}}|\d{{2}})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.|er|º)?\s(?:of\s|de\s)?{_MONTH},?(?:\s(?:de\s|of\s)?(?:19|20)\d{{2}})?|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s(?:19|20)\d{{2}})?)(?!\w)"
)
_BORN = re.compile(rf"(?i)(?:{spelled(BIRTH_WORDS)})[^\n\d.;!?]{{0,24}}$")
_TOWN = r"(?:,\s(?:[A-Z][\w.'-]*\s?){1,3}(?:,?\s?[A-Z]{2})?(?:,?\s(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}))?)?"
_ENGLISH = re.compile(
    rf"(?<![\w.,$€£/-])\d{{1,5}}[A-Za-z]?\s(?:[NSEW]\.?\s)?(?:[A-Z](?:[^\W\dA-Z_][\w'.-]{{0,20}}|\.)?\s|\d{{1,3}}(?:st|nd|rd|th)\s){{1,4}}(?:{'|'.join(STREETS)})\b\.?(?:,?\s(?:Apt|Apartment|Suite|Ste|Unit|Flat|#)\.?\s?\w{{1,6}})?{_TOWN}"
)
_WITHIN = re.compile(
    rf"(?<!\w)[^\W\d_][\w.-]{{0,30}}?(?:[ -]?(?i:{'|'.join(re.escape(s) for s in STREETS_WITHIN)}))\s\d{{1,4}}\s?[a-z]?(?!\w)"
    r"(?:,\s(?:D-)?\d{4,5}(?:\s[A-Z]{2})?\s[^\W\d_][\w-]{1,30})?"
)
_SHORT_STREET = re.compile(r"\b(?:St|Ave|Rd|Ln|Dr|Blvd|Ct|Pl|Sq|Hwy|Pkwy|Ter)\.$")
_NUMBER_FIRST = "|".join(re.escape(s) for s in STREETS_BEFORE[:8])
_NAME_FIRST = "|".join(re.escape(s.capitalize()) for s in STREETS_BEFORE[8:])
_BEFORE = re.compile(
    rf"(?<![\w.,/-])(?:\d{{1,4}}(?:\s?(?:bis|ter))?,?\s(?i:{_NUMBER_FIRST})\s(?:[^\W\d_][\w'-]{{0,20}}[ ]?){{1,4}}"
    rf"|(?:{_NAME_FIRST}|ul\.|ул\.|улица|ulica)\s(?:[^\W\d_][\w'.-]{{0,20}},?\s){{1,4}}(?:n[.º°]?\s?)?\d{{1,4}}(?!\w))"
    r"(?:,?\s\d{4,5}(?:-\d{3})?\s[A-ZÀ-Þ][\w-]{1,30})?"
)
_NUMBERED = re.compile(rf"(?i)(?:{'|'.join(re.escape(s) for s in STREETS_WITHIN)})\s\d")
_BOX = re.compile(r"(?i)\bP\.?\s?O\.?\sBox\s\d{1,6}\b")
_LEAST_DIGITS, _MOST_DIGITS = 7, 15


def contacts(text: str, low: str) -> Iterator[Find]:
    """E-mail, network addresses, phones, postal addresses and birth dates in `text`."""
    if "@" in text:
        yield from (Find(kind=EMAIL, start=m.start(), end=m.end(), rule="email") for m in _emails(text))
    if not any(c.isdigit() for c in text):
        return
    if "." in text or ":" in text:
        yield from _networks(text)
    yield from _phones(text)
    if any(word in low for word in BIRTH_WORDS):
        yield from _births(text)
    yield from _addresses(text, low)


def _emails(text: str) -> Iterator[re.Match[str]]:
    return (match for match in _EMAIL.finditer(text) if ".." not in match[0])


def _networks(text: str) -> Iterator[Find]:
    for match in (*_IPV4.finditer(text), *(_IPV6.finditer(text) if "::" in text or text.count(":") >= 7 else ())):  # noqa: PLR2004  # colons of a full one
        try:
            address = ip_address(match[0])
        except ValueError:
            continue
        if address.is_loopback or address.is_unspecified or address.is_multicast or _INSIDE.match(match[0]):
            continue
        if not _VERSION.search(text, max(0, match.start() - 20), match.start()):
            yield Find(kind=IP, start=match.start(), end=match.end(), rule="ip")


def _phones(text: str) -> Iterator[Find]:
    for match in _ABROAD.finditer(text):
        if _LEAST_DIGITS <= _digits(match[0]) <= _MOST_DIGITS + 2:
            yield _phone(text, match, "international")
    for pattern in (_NORTH_AMERICA, _FRANCE, _BRITAIN, _GERMANY):
        for match in pattern.finditer(text):
            if not _ORDER_WORDS.search(text, max(0, match.start() - 24), match.start()):
                yield _phone(text, match, "national")
    for match in _ANY_PHONE.finditer(text):
        if _DATE.fullmatch(match[0]) or not _LEAST_DIGITS <= _digits(match[0]) <= _MOST_DIGITS:
            continue
        if _PHONE_WORDS.search(text, max(0, match.start() - 48), match.start()):
            yield _phone(text, match, "announced")


def _phone(text: str, match: re.Match[str], rule: str) -> Find:
    start = match.start()
    end = start + len(match[0].rstrip(" ./(-"))
    if text[start:end].count("(") < text[start:end].count(")"):
        start -= text[start - 1 : start] == "("
    return Find(kind=PHONE, start=start, end=end, rule=rule)


def _digits(value: str) -> int:
    return sum(c.isdigit() for c in value)


def _births(text: str) -> Iterator[Find]:
    for match in _DATE.finditer(text):
        if _BORN.search(text, max(0, match.start() - 48), match.start()):
            yield Find(kind=BIRTH_DATE, start=match.start(), end=match.end(), rule="birth")


def _whole(match: re.Match[str], text: str) -> str:
    """The address without what ends the sentence: a full stop behind a street that is written out, or with nothing after it."""
    found = match[0].rstrip(" ,")
    ends = found.endswith(".") and not text[match.start() + len(found) :].lstrip(" ").startswith((",", "#"))
    return found[:-1] if ends and not _SHORT_STREET.search(found) else found


def _addresses(text: str, low: str) -> Iterator[Find]:
    within = bool(_NUMBERED.search(text))
    before = any(word in low for word in STREETS_BEFORE)
    for pattern in (_ENGLISH, *((_WITHIN,) if within else ()), *((_BEFORE,) if before else ())):
        for match in pattern.finditer(text):
            yield Find(kind=ADDRESS, start=match.start(), end=match.start() + len(_whole(match, text)), rule="address")
    if "box" in low:
        yield from (Find(kind=ADDRESS, start=m.start(), end=m.end(), rule="address") for m in _BOX.finditer(text))
