"""Numbers of persons and accounts: payment cards, IBANs and national ids.

Rule of this file: pure. A number must pass its issuer's check; a common form must also be announced before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from muniment.ingest.pii import rules_checks as checks
from muniment.ingest.pii.rules_values import CARD, IBAN, NATIONAL_ID, Find, spelled
from muniment.ingest.pii.rules_words import CARD_WORDS, IBAN_LENGTHS, ORDER_WORDS

BEFORE = 40
"""Characters before a number in which a word can announce it."""

_RUN = re.compile(r"(?<![\w.])(?:\d(?: {1,2}|[-.])?){11,40}\d(?!\w)")
_GROUPINGS = frozenset(
    {
        (4, 4, 4, 4),
        (4, 6, 5),
        (4, 6, 4),
        (4, 4, 4, 4, 3),
        (4, 4, 4, 4, 2),
        (4, 4, 4, 1),
        (4, 4, 5),
        (8, 8),
        (6, 13),
        (4, 4, 4, 3),
        (4, 4, 4, 2),
    }
)
_CARD_WORDS = re.compile(rf"(?i)(?:{spelled(CARD_WORDS)})")
_ORDER_WORDS = re.compile(rf"(?i)(?:{spelled(ORDER_WORDS)})[^\n]{{0,12}}$")
_LEAST_CARD, _MOST_CARD, _COMMON_CARD, _GROUP = 13, 19, 16, 4
_GROUPS = re.compile(r"\d+")
_ACCOUNT = re.compile(r"[A-Za-z]{2}\d{2} $")
_CLUSTER = re.compile(r"\d{6}|\d(?:[ ./+-]{0,2}[A-Za-z]{0,3}\d){5}|[A-Za-z]{3}\d{4}")
_DAY = re.compile(
    r"(?<![\w-])\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?(?![\w-])|(?<![\w./])\d{1,2}([/.])\d{1,2}\1\d{4}(?![\w./])"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9]{3})")


@dataclass(frozen=True, slots=True)
class _Number:
    """One country's number: its form, its check, and the words that must come before it (none needed when empty)."""

    rule: str
    form: re.Pattern[str]
    check: Callable[[str], bool]
    words: re.Pattern[str] | None


def _number(rule: str, form: str, check: Callable[[str], bool], *words: str) -> _Number:
    pattern = re.compile(rf"(?<![\w.])(?<!\d[-/])(?<!\d{{4}} )(?:{form})(?!\w|[-/.]\d| \d{{4}}(?!\d))")
    return _Number(rule, pattern, check, re.compile(rf"(?i)(?:{spelled(words)})") if words else None)


_SSN = ("ssn", "social security", "social security number", "itin", "tin", "social")
_NUMBERS = (
    _number("us_ssn", r"\d{3}-\d{2}-\d{4}", checks.us_ssn),
    _number("us_ssn", r"\d{3} ?\d{2} ?\d{4}", checks.us_ssn, *_SSN),
    _number("uk_nino", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]", checks.uk_nino),
    _number("uk_nhs", r"\d{3}[ -]?\d{3}[ -]?\d{4}", checks.uk_nhs, "nhs"),
    _number("es_dni", r"(?:\d{8}|[XYZ][ -]?\d{7})[ -]?[A-Z]", checks.es_dni),
    _number(
        "de_tax_id",
        r"\d{2} \d{3} \d{3} \d{3}|\d{11}",
        checks.de_tax,
        "steuer",
        "steuer-id",
        "steuerid",
        "idnr",
        "steuernummer",
        "steueridentifikationsnummer",
        "identifikationsnummer",
        "tax id",
        "tin",
        "tax number",
    ),
    _number("fr_nir", r"[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}", checks.fr_nir),
    _number("it_codice_fiscale", r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]", checks.it_codice),
    _number(
        "nl_bsn",
        r"\d{9}|\d{3}[. ]\d{3}[. ]\d{3}|\d{4}[. ]\d{2}[. ]\d{3}",
        checks.nl_bsn,
        "bsn",
        "burgerservicenummer",
        "sofinummer",
    ),
    _number("be_national", r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", checks.be_national),
    _number(
        "be_national", r"\d{11}", checks.be_national, "rijksregister", "rijksregisternummer", "registre national", "niss", "insz"
    ),
    _number("br_cpf", r"\d{3}\.\d{3}\.\d{3}-\d{2}", checks.br_cpf),
    _number("br_cpf", r"\d{11}", checks.br_cpf, "cpf"),
    _number("br_cnpj", r"\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}", checks.br_cnpj),
    _number("br_cnpj", r"\d{14}", checks.br_cnpj, "cnpj"),
    _number("in_aadhaar", r"[2-9]\d{3}[ -]\d{4}[ -]\d{4}", checks.verhoeff),
    _number("in_aadhaar", r"[2-9]\d{11}", checks.verhoeff, "aadhaar", "aadhar", "uidai", "uid", "आधार"),
    _number("in_pan", r"[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]", checks.anything, "pan", "permanent account number", "pan card"),
    _number("pl_pesel", r"\d{11}", checks.pl_pesel, "pesel"),
    _number("se_personnummer", r"\d{6}[-+]\d{4}", checks.se_person),
    _number("fi_hetu", r"\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]", checks.fi_hetu),
    _number(
        "no_fodselsnummer", r"\d{6} ?\d{5}", checks.no_person, "fødselsnummer", "fodselsnummer", "personnummer", "national id"
    ),
    _number("dk_cpr", r"\d{6}-?\d{4}", checks.dk_person, "cpr", "cpr-nummer", "personnummer"),
    _number("ch_ahv", r"756\.\d{4}\.\d{4}\.\d{2}|756\d{10}", checks.ch_ahv),
    _number("pt_nif", r"\d{9}|\d{3} \d{3} \d{3}", checks.pt_nif, "nif", "contribuinte", "número de contribuinte"),
    _number("tr_kimlik", r"\d{11}", checks.tr_identity, "kimlik", "tckn", "tc kimlik", "tc"),
    _number("cn_identity", r"[1-9]\d{16}[\dX]", checks.cn_identity),
    _number("za_id", r"\d{6} ?\d{4} ?\d{3}", checks.za_identity, "id number", "identity number", "sa id", "id"),
    _number("ca_sin", r"\d{3}[ -]?\d{3}[ -]?\d{3}", checks.luhn, "sin", "social insurance", "social insurance number", "nas"),
    _number("au_tfn", r"\d{3} ?\d{3} ?\d{3}", checks.au_tax, "tfn", "tax file", "tax file number"),
    _number("mx_curp", r"[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d", checks.mx_curp),
    _number("kr_rrn", r"\d{6}-[1-8]\d{6}", checks.kr_resident),
    _number("jp_my_number", r"\d{4}[ -]?\d{4}[ -]?\d{4}", checks.jp_my_number, "my number", "マイナンバー", "個人番号"),
    _number("sg_nric", r"[STFG]\d{7}[A-Z]", checks.sg_nric),
    _number(
        "passport",
        r"[A-Z]{0,2}\d{6,9}|[A-Z]{1,2}\d{2}[A-Z]{1,2}\d{4,5}|[CFGHJKLMNPRTVWXYZ0-9]{9}",
        checks.anything,
        "passport",
        "passport no",
        "passport number",
        "reisepass",
        "passeport",
        "pasaporte",
        "passaporto",
        "паспорт",
        "护照",
    ),
    _number(
        "licence",
        r"[A-Z]{1,5}[ -]?\d{5,12}[A-Z0-9]{0,3}|\d{7,9}",
        checks.anything,
        "driver's license",
        "drivers license",
        "driving licence",
        "driver license",
        "driver's licence",
        "führerschein",
    ),
)
_LETTERED = frozenset({"uk_nino", "es_dni", "it_codice_fiscale", "mx_curp", "sg_nric", "cn_identity", "fi_hetu", "in_pan"})


def numbers(text: str, _low: str) -> Iterator[Find]:
    """Cards, IBANs and national ids in `text`."""
    if not _CLUSTER.search(_DAY.sub("", text)):
        return
    yield from _cards(text)
    yield from _ibans(text)
    upper = text.upper()
    same = len(upper) == len(text)
    for number in _NUMBERS:
        source = upper if same and number.rule in _LETTERED else text
        for match in number.form.finditer(source):
            if (number.words is None or _announced(text, match.start(), number.words)) and number.check(_plain(match[0])):
                yield Find(kind=NATIONAL_ID, start=match.start(), end=match.end(), rule=number.rule)


def _announced(text: str, start: int, words: re.Pattern[str]) -> bool:
    return words.search(text, max(0, start - BEFORE), start) is not None


def _plain(number: str) -> str:
    return re.sub(r"[^0-9A-Z]", "", number)


def _cards(text: str) -> Iterator[Find]:
    for run in _RUN.finditer(text):
        groups = [match.span() for match in _GROUPS.finditer(text, *run.span())]
        at = 0
        while at < len(groups):
            taken = _card_at(text, groups, at)
            if taken:
                yield Find(kind=CARD, start=groups[at][0], end=groups[at + taken - 1][1], rule="luhn")
            at += taken or 1


def _card_at(text: str, groups: list[tuple[int, int]], first: int) -> int:
    """How many groups from `first` on make a card number; 0 for none."""
    start = groups[first][0]
    for last in range(min(first + 5, len(groups)), first, -1):
        if groups[last - 1][1] - start < _LEAST_CARD:
            break
        if _in_decimal(text, start, groups[last - 1][1]):
            continue
        sizes = tuple(end - begin for begin, end in groups[first:last])
        digits = re.sub(r"\D", "", text[start : groups[last - 1][1]])
        if (
            not _LEAST_CARD <= len(digits) <= _MOST_CARD
            or (len(sizes) > 1 and sizes not in _GROUPINGS)
            or not checks.card(digits)
        ):
            continue
        alone = _stands_alone(text, groups, first, last) if len(sizes) > 1 else _is_no_order(text, start, len(digits))
        if alone or _announced(text, start, _CARD_WORDS):
            return last - first
    return 0


def _in_decimal(text: str, start: int, end: int) -> bool:
    """Whether a point before or after makes these digits a piece of another number."""
    return text[start - 1 : start] == "." or (text[end : end + 1] == "." and text[end + 1 : end + 2].isdigit())


def _stands_alone(text: str, groups: list[tuple[int, int]], first: int, last: int) -> bool:
    """Whether groups of four around a number do not say that it is a piece of a longer one."""
    around = [*groups[first - 1 : first], *groups[last : last + 1]]
    return all(end - start != _GROUP for start, end in around) and not _ACCOUNT.search(
        text, max(0, groups[first][0] - 5), groups[first][0]
    )


def _is_no_order(text: str, start: int, size: int) -> bool:
    return _LEAST_CARD < size <= _COMMON_CARD and not _ORDER_WORDS.search(text, max(0, start - 24), start)


def _ibans(text: str) -> Iterator[Find]:
    for match in _IBAN.finditer(text):
        length = IBAN_LENGTHS.get(match[0][:2].upper(), 0)
        end = _end_of(text, match.start(), length)
        if length and end and checks.iban(_plain(text[match.start() : end].upper())):
            yield Find(kind=IBAN, start=match.start(), end=end, rule="mod97")


def _end_of(text: str, start: int, length: int) -> int:
    """Where `length` letters and digits end, single blanks or dashes between them; 0 when they do not end there."""
    at, count = start, 0
    while at < len(text) and count < length:
        char = text[at]
        if char.isascii() and char.isalnum():
            count += 1
        elif char not in " -" or text[at - 1] in " -":
            return 0
        at += 1
    ends = at >= len(text) or not (text[at].isascii() and text[at].isalnum())
    return at if count == length and ends else 0
