"""Check digits of cards, accounts and national numbers, as their issuers define them.

Rule of this file: pure arithmetic over ASCII digits and letters without separators; each answers whether the number can be real.
"""

# ruff: noqa: PLR2004  # every number here is an issuer's

from __future__ import annotations

from datetime import date

_VERHOEFF_TIMES = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
_VERHOEFF_PLACES = (
    "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip
_BASE36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CODICE = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_CODICE_ODD = dict(zip(_BASE36, (*_CODICE[:10], *_CODICE), strict=True))


def luhn(number: str) -> bool:
    """ISO/IEC 7812: every second digit from the right doubled."""
    total = 0
    for place, digit in enumerate(reversed(number)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0 and len(set(number)) > 1


def card(number: str) -> bool:
    """A brand's first digits with a length of that brand, and Luhn."""
    size, first2, first3, first4 = len(number), int(number[:2]), int(number[:3]), int(number[:4])
    known = (
        (number[0] == "4" and size in {13, 16, 19})
        or (size == 16 and (51 <= first2 <= 55 or 2221 <= first4 <= 2720))
        or (size == 15 and first2 in {34, 37})
        or (size in {16, 19} and (first4 == 6011 or first2 == 65 or 644 <= first3 <= 649))
        or (size == 14 and (300 <= first3 <= 305 or first2 in {36, 38, 39}))
        or (size == 16 and 3528 <= first4 <= 3589)
        or (16 <= size <= 19 and first2 == 62)
        or (size == 16 and (2200 <= first4 <= 2204 or first2 in {50, 56, 57, 58, 60, 63, 67, 81, 82}))
    )
    return known and luhn(number)


def iban(number: str) -> bool:
    """ISO 13616: the first four characters moved to the end, letters as numbers, 1 modulo 97."""
    return int("".join(str(_BASE36.index(c)) for c in number[4:] + number[:4])) % 97 == 1


def verhoeff(number: str) -> bool:
    """Verhoeff's dihedral check, as in an Aadhaar number."""
    state = 0
    for place, digit in enumerate(reversed(number)):
        state = int(_VERHOEFF_TIMES[state][int(_VERHOEFF_PLACES[place % 8][int(digit)])])
    return state == 0


def weighted(number: str, weights: tuple[int, ...], modulus: int) -> int:
    """The sum of digits times weights, modulo `modulus`; digits past the last weight do not count."""
    return sum(int(d) * w for d, w in zip(number, weights, strict=False)) % modulus


def dated(number: str, order: str = "ymd") -> bool:
    """The first six digits are a day, in the order given, of some century."""
    parts = {key: int(number[2 * i : 2 * i + 2]) for i, key in enumerate(order)}
    return any(_is_day(century + parts["y"], parts["m"], parts["d"]) for century in (1900, 2000))


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        return bool(date(year, month, day))
    except ValueError:
        return False


def us_ssn(n: str) -> bool:
    """Areas, groups and serials that were never issued are out; 9xx is a taxpayer's number only with its groups."""
    if n[:3] in {"000", "666"} or n[3:5] == "00" or n[5:] == "0000":
        return False
    return n[0] != "9" or 50 <= int(n[3:5]) <= 99


def uk_nino(n: str) -> bool:
    """Prefixes that are never given are out."""
    return n[:2] not in {"BG", "GB", "NK", "KN", "TN", "NT", "ZZ"}


def uk_nhs(n: str) -> bool:
    """Modulo 11 over weights 10 to 2."""
    return (11 - weighted(n, (10, 9, 8, 7, 6, 5, 4, 3, 2), 11)) % 11 == int(n[9])


def es_dni(n: str) -> bool:
    """The letter is the number modulo 23; X, Y, Z of a foreigner's stand for 0, 1, 2."""
    digits = n[:-1].translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == n[-1]


def de_tax(n: str) -> bool:
    """ISO 7064 modulo 11, 10; of the first ten digits one is there two or three times."""
    if n[0] == "0" or max(n[:10].count(d) for d in n[:10]) not in {2, 3}:
        return False
    return iso_11_10(n)


def iso_11_10(n: str) -> bool:
    """ISO 7064 modulo 11, 10."""
    product = 10
    for digit in n[:-1]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(n[-1])


def fr_nir(n: str) -> bool:
    """97 less the number modulo 97; Corsica's 2A and 2B count as 19 and 18."""
    return 97 - int(n[:13].replace("2A", "19").replace("2B", "18")) % 97 == int(n[13:])


def it_codice(n: str) -> bool:
    """Odd places by table, even ones by rank, modulo 26."""
    ranks = [_BASE36.index(c) - 10 if c.isalpha() else int(c) for c in n[1:15:2]]
    return (sum(_CODICE_ODD[c] for c in n[0:15:2]) + sum(ranks)) % 26 == ord(n[15]) - 65


def nl_bsn(n: str) -> bool:
    """The eleven-test."""
    return n != "000000000" and (weighted(n, (9, 8, 7, 6, 5, 4, 3, 2), 11) - int(n[8])) % 11 == 0


def be_national(n: str) -> bool:
    """97 less the number modulo 97, with a 2 in front for those born from 2000."""
    return int(n[9:]) in {97 - int(n[:9]) % 97, 97 - int("2" + n[:9]) % 97} and int(n[2:4]) <= 12


def br_cpf(n: str) -> bool:
    """Two digits modulo 11."""
    if len(set(n)) == 1:
        return False
    first = weighted(n, tuple(range(10, 1, -1)), 11)
    second = weighted(n, tuple(range(11, 1, -1)), 11)
    return int(n[9]) == (0 if first < 2 else 11 - first) and int(n[10]) == (0 if second < 2 else 11 - second)


def br_cnpj(n: str) -> bool:
    """Two digits modulo 11 over weights 5…2, 9…2."""
    if len(set(n)) == 1:
        return False
    weights = (5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
    first, second = weighted(n, weights, 11), weighted(n, (6, *weights), 11)
    return int(n[12]) == (0 if first < 2 else 11 - first) and int(n[13]) == (0 if second < 2 else 11 - second)


def pl_pesel(n: str) -> bool:
    """Weights 1, 3, 7, 9 modulo 10."""
    return (10 - weighted(n, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3), 10)) % 10 == int(n[10])


def se_person(n: str) -> bool:
    """A day, and Luhn."""
    return dated(n) and luhn(n)


def fi_hetu(n: str) -> bool:
    """A day, and a letter for the number modulo 31."""
    return dated(n, "dmy") and "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(n[:6] + n[-4:-1]) % 31] == n[-1]


def no_person(n: str) -> bool:
    """A day, and two digits modulo 11."""
    first = weighted(n, (3, 7, 6, 1, 8, 9, 4, 5, 2, 1), 11)
    second = weighted(n, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1), 11)
    return dated(n, "dmy") and first == 0 and second == 0


def dk_person(n: str) -> bool:
    """A day; the check digit was given up in 2007."""
    return dated(n, "dmy")


def ch_ahv(n: str) -> bool:
    """756, and the check digit of an EAN."""
    return n.startswith("756") and (10 - weighted(n, (1, 3) * 6, 10)) % 10 == int(n[12])


def pt_nif(n: str) -> bool:
    """Modulo 11 over weights 9 to 2."""
    rest = weighted(n, (9, 8, 7, 6, 5, 4, 3, 2), 11)
    return n[0] != "0" and int(n[8]) == (0 if rest < 2 else 11 - rest)


def tr_identity(n: str) -> bool:
    """The tenth digit from odd and even places, the eleventh from the sum."""
    d = [int(c) for c in n]
    return d[0] != 0 and (sum(d[0:9:2]) * 7 - sum(d[1:8:2])) % 10 == d[9] and sum(d[:10]) % 10 == d[10]


def cn_identity(n: str) -> bool:
    """A day, and ISO 7064 modulo 11, 2."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return dated(n[8:14]) and "10X98765432"[weighted(n[:17], weights, 11)] == n[17]


def za_identity(n: str) -> bool:
    """A day, and Luhn."""
    return dated(n) and luhn(n)


def mx_curp(n: str) -> bool:
    """Ranks in the alphabet with Ñ, weights 18 to 2, modulo 10."""
    alphabet = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
    total = sum(alphabet.index(c) * (18 - i) for i, c in enumerate(n[:17]))
    return (10 - total % 10) % 10 == int(n[17])


def kr_resident(n: str) -> bool:
    """A day; the check digit, which those issued since late 2020 no longer have, is not asked for."""
    return dated(n) and n[6] in "12345678"


def jp_my_number(n: str) -> bool:
    """Weights 6…2, 7…2, modulo 11."""
    rest = weighted(n, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2), 11)
    return int(n[11]) == (0 if rest <= 1 else 11 - rest)


def sg_nric(n: str) -> bool:
    """Weights 2, 7…2; the table of letters depends on the first one."""
    total = weighted(n[1:8], (2, 7, 6, 5, 4, 3, 2), 11)
    shift = {"S": 0, "T": 4, "F": 0, "G": 4}[n[0]]
    letters = "JZIHGFEDCBA" if n[0] in "ST" else "XWUTRQPNMLK"
    return letters[(total + shift) % 11] == n[8]


def au_tax(n: str) -> bool:
    """Weights 1, 4, 3, 7, 5, 8, 6, 9, 10, modulo 11."""
    return weighted(n, (1, 4, 3, 7, 5, 8, 6, 9, 10), 11) == 0


def anything(n: str) -> bool:
    """A number without a check digit; the words before it must vouch for it."""
    return bool(n)
