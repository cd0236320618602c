"""Made-up personal data and secrets with right check digits, made by the numbers' own definitions.

Rule of this file: seeded, and it imports nothing of the product; check digits are found here by trying all of them.
"""

# ruff: noqa: E501  # formats stay whole
from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence
from datetime import date, timedelta

FIRST = ("Ana", "Ben", "Chen", "Dora", "Emil", "Fatima", "Goran", "Hana", "Ivo", "Jun", "Karim", "Lena", "Mateo", "Nadia", "Omar")
LAST = ("Keller", "Nakamura", "Okafor", "Silva", "Novak", "Haddad", "Lindgren", "Moreau", "Rossi", "Iyer", "Kovacs", "Brandt")
WORDS = (
    "harbour",
    "copper",
    "lantern",
    "marble",
    "willow",
    "saffron",
    "glacier",
    "thunder",
    "meadow",
    "falcon",
    "pepper",
    "violet",
)
DOMAINS = ("example.org", "mail.example.com", "firma.de", "correo.es", "courrier.fr", "inbox.co.uk", "post.nl", "empresa.com.br")
ALNUM = string.ascii_letters + string.digits
Make = Callable[[random.Random], str]


def digits(rng: random.Random, count: int) -> str:
    return "".join(rng.choice(string.digits) for _ in range(count))


def chars(rng: random.Random, count: int, alphabet: str = ALNUM) -> str:
    """Random characters with at least one digit, as any key of that length has but for bad luck."""
    made = [rng.choice(alphabet) for _ in range(count)]
    made[rng.randrange(count)] = rng.choice(string.digits)
    return "".join(made)


def luhn_sum(number: str) -> int:
    total = 0
    for i, c in enumerate(reversed(number)):
        n = int(c) * 2 if i % 2 else int(c)
        total += n // 10 + n % 10
    return total


def with_luhn(body: str, *, right: bool = True) -> str:
    good = next(body + d for d in string.digits if luhn_sum(body + d) % 10 == 0)
    return good if right else body + str((int(good[-1]) + 1 + int(body[-1]) % 8) % 10)


def card(rng: random.Random, *, right: bool = True) -> str:
    start, size, shape = rng.choice(
        (("4", 16, (4, 4, 4, 4)), ("5" + rng.choice("12345"), 16, (4, 4, 4, 4)), ("37", 15, (4, 6, 5)), ("6011", 16, (4, 4, 4, 4)),
         ("2221", 16, (4, 4, 4, 4)), ("3530", 16, (4, 4, 4, 4)), ("36", 14, (4, 6, 4)))
    )  # fmt: skip
    number = with_luhn(start + digits(rng, size - len(start) - 1), right=right)
    return grouped(number, shape, rng.choice(("", " ", " ", "-")))


def grouped(number: str, shape: Sequence[int], mark: str) -> str:
    parts, at = [], 0
    for size in shape:
        parts.append(number[at : at + size])
        at += size
    return mark.join(parts)


_BANKS = {"DE": (18, ""), "FR": (23, ""), "ES": (20, ""), "NL": (14, "INGB"), "GB": (18, "NWBK"), "IT": (23, "X"), "PL": (24, ""),
          "CH": (17, ""), "BE": (12, ""), "AT": (16, ""), "SE": (20, ""), "PT": (21, "")}  # fmt: skip


def iban(rng: random.Random, *, right: bool = True) -> str:
    country = rng.choice(sorted(_BANKS))
    size, letters = _BANKS[country]
    body = letters + digits(rng, size - len(letters))
    check = 98 - int("".join(str(int(c, 36)) for c in body + country + "00")) % 97
    number = f"{country}{check if right else 2 + (check + 5) % 90:02d}{body}"
    return grouped(number, [4] * 9, " ").strip() if rng.random() < 0.6 else number


def day(rng: random.Random) -> date:
    return date(1940, 1, 1) + timedelta(days=rng.randrange(25000))


def ssn(rng: random.Random) -> str:
    area = rng.choice([n for n in range(1, 900) if n != 666])
    return f"{area:03d}-{rng.randrange(1, 100):02d}-{rng.randrange(1, 10000):04d}"


def nino(rng: random.Random) -> str:
    body = grouped(digits(rng, 6), (2, 2, 2), mark := rng.choice(("", " ")))
    return f"{rng.choice(('AB', 'CE', 'JK', 'PX', 'SR', 'WM'))}{mark}{body}{mark}{rng.choice('ABCD')}"


def dni(rng: random.Random) -> str:
    number = rng.randrange(10_000_000, 100_000_000)
    return f"{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def nie(rng: random.Random) -> str:
    first, number = rng.randrange(3), rng.randrange(10_000_000)
    return f"{'XYZ'[first]}{number:07d}{'TRWAGMYFPDXBNJZSQVHLCKE'[(first * 10_000_000 + number) % 23]}"


def steuer_id(rng: random.Random) -> str:
    picked = rng.sample(string.digits, 9)
    body = [*picked, rng.choice(picked)]
    rng.shuffle(body)
    if body[0] == "0":
        body[0], body[1] = body[1], body[0]
    if body[0] == "0":
        return steuer_id(rng)
    rest = 10
    for c in body:
        rest = (((rest + int(c)) % 10) or 10) * 2 % 11
    number = "".join(body) + str((11 - rest) % 10)
    return grouped(number, (2, 3, 3, 3), rng.choice(("", " ")))


def nir(rng: random.Random) -> str:
    body = f"{rng.choice('12')}{rng.randrange(40, 100):02d}{rng.randrange(1, 13):02d}{rng.randrange(1, 96):02d}{digits(rng, 6)}"
    number = body + f"{97 - int(body) % 97:02d}"
    return grouped(number, (1, 2, 2, 2, 3, 3, 2), rng.choice(("", " ")))


def bsn(rng: random.Random) -> str:
    while True:
        number = digits(rng, 9)
        if number[0] != "0" and (sum(int(c) * (9 - i) for i, c in enumerate(number[:8])) - int(number[8])) % 11 == 0:
            return number


def cpf(rng: random.Random) -> str:
    body = digits(rng, 9)
    for top in (10, 11):
        rest = sum(int(c) * (top - i) for i, c in enumerate(body)) % 11
        body += str(0 if rest < 2 else 11 - rest)
    return f"{body[:3]}.{body[3:6]}.{body[6:9]}-{body[9:]}" if rng.random() < 0.7 else "CPF " + body


def aadhaar(rng: random.Random) -> str:
    """The dihedral group's own multiplication, its permutation applied once for each place."""

    def times(a: int, b: int) -> int:
        turn, turn_b = a % 5, b % 5
        if a < 5:
            return (turn + turn_b) % 5 + (5 if b >= 5 else 0)
        return (turn - turn_b) % 5 + (0 if b >= 5 else 5)

    def moved(digit: int, place: int) -> int:
        for _ in range(place % 8):
            digit = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)[digit]
        return digit

    def state(number: str) -> int:
        total = 0
        for place, c in enumerate(reversed(number)):
            total = times(total, moved(int(c), place))
        return total

    body = rng.choice("23456789") + digits(rng, 10)
    return grouped(next(body + d for d in string.digits if state(body + d) == 0), (4, 4, 4), " ")


def pesel(rng: random.Random) -> str:
    body = f"{day(rng):%y%m%d}{digits(rng, 4)}"
    return body + str(-sum(int(c) * w for c, w in zip(body, (1, 3, 7, 9) * 3, strict=False)) % 10)


def personnummer(rng: random.Random) -> str:
    number = with_luhn(f"{day(rng):%y%m%d}{digits(rng, 3)}")
    return f"{number[:6]}-{number[6:]}"


_ID_MAKERS: tuple[tuple[Make, tuple[str, ...]], ...] = (
    (ssn, ("My SSN is {}.", "social security: {}", "{} is on the W-2 form.")),
    (nino, ("National Insurance number {} for payroll.", "NINO: {}")),
    (dni, ("Mi DNI es {}.", "DNI {}, titular del contrato", "Con el documento {} firmo la solicitud.")),
    (nie, ("NIE {} renovado en mayo", "Mi NIE: {}")),
    (steuer_id, ("Meine Steuer-ID lautet {}.", "Steueridentifikationsnummer {}", "tax id {} (Germany)")),
    (nir, ("Numéro de sécurité sociale : {}", "mon NIR est le {}", "{} figure sur ma carte Vitale")),
    (bsn, ("Mijn BSN is {}.", "burgerservicenummer: {}")),
    (cpf, ("Meu documento é {}.", "Cadastro {} do titular")),
    (aadhaar, ("My Aadhaar number is {}.", "KYC done with {} yesterday", "aadhaar {}")),
    (pesel, ("Mój PESEL to {}.", "PESEL: {}")),
    (personnummer, ("Mitt personnummer är {}.", "pnr {}")),
)


def national_id(rng: random.Random) -> tuple[str, str]:
    make, templates = rng.choice(_ID_MAKERS)
    value, template = make(rng), rng.choice(templates)
    if value.startswith("CPF "):
        return value[4:], template.replace("{}", "CPF {}")
    return value, template


def password(rng: random.Random) -> str:
    word, other = rng.sample(WORDS, 2)
    return rng.choice((
        f"{word}{rng.randrange(10, 9999)}", f"{word.title()}-{other.title()}-{rng.randrange(10, 99)}", f"{word.title()}{rng.choice('!#$%&*')}",
        chars(rng, 10), f"{word[:3]}!{other[:3]}{rng.randrange(100, 999)}", word.replace("e", "3").replace("a", "4") + str(rng.randrange(10)), word,
    ))  # fmt: skip


def api_key(rng: random.Random) -> str:
    hexa = "0123456789abcdef"
    return rng.choice((
        f"sk-{chars(rng, 48)}", f"sk-proj-{chars(rng, 64)}", f"sk-ant-api03-{chars(rng, 90)}", f"ghp_{chars(rng, 36)}",
        f"github_pat_{chars(rng, 22)}_{chars(rng, 59)}", f"glpat-{chars(rng, 20)}", f"xoxb-{digits(rng, 12)}-{digits(rng, 12)}-{chars(rng, 24)}",
        f"AKIA{chars(rng, 16, string.ascii_uppercase + string.digits)}", f"AIza{chars(rng, 35)}", f"sk_live_{chars(rng, 24)}",
        f"SG.{chars(rng, 22)}.{chars(rng, 43)}", f"npm_{chars(rng, 36)}", f"hf_{chars(rng, 34)}", f"dapi{chars(rng, 32, hexa)}",
        f"eyJ{chars(rng, 33)}.eyJ{chars(rng, 60)}.{chars(rng, 43)}", f"{digits(rng, 10)}:AA{chars(rng, 33)}", f"hvs.{chars(rng, 24)}",
    ))  # fmt: skip


def plain_key(rng: random.Random) -> str:
    return rng.choice((chars(rng, 32, "0123456789abcdef"), chars(rng, 40), chars(rng, 24), chars(rng, 43) + "="))


def private_key(rng: random.Random) -> str:
    kind = rng.choice(("RSA ", "", "EC ", "OPENSSH "))
    lines = "\n".join(chars(rng, 64) for _ in range(rng.randrange(3, 8)))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----"


def email(rng: random.Random) -> str:
    first, last = rng.choice(FIRST).lower(), rng.choice(LAST).lower()
    return f"{first}{rng.choice(('.', '_', '', '+news.'))}{last}{rng.choice(('', str(rng.randrange(99))))}@{rng.choice(DOMAINS)}"


def phone(rng: random.Random) -> str:
    d = lambda n: digits(rng, n)  # noqa: E731  # read inside the formats below
    return rng.choice((
        f"+1 {rng.choice('2345')}{d(2)} {rng.choice('2345')}{d(2)} {d(4)}", f"({rng.choice('2345')}{d(2)}) {rng.choice('2345')}{d(2)}-{d(4)}",
        f"{rng.choice('2345')}{d(2)}-{rng.choice('2345')}{d(2)}-{d(4)}", f"+44 20 7{d(3)} {d(4)}", f"07{d(3)} {d(6)}", f"+49 30 {d(7)}",
        f"0{rng.choice('1679')} {d(2)} {d(2)} {d(2)} {d(2)}", f"+33 6 {d(2)} {d(2)} {d(2)} {d(2)}", f"+34 6{d(2)} {d(3)} {d(3)}",
        f"+81 90-{d(4)}-{d(4)}", f"+55 11 9{d(4)}-{d(4)}", f"+91 9{d(4)} {d(5)}", f"030 / {rng.choice('123')}{d(6)}",
    ))  # fmt: skip


def address(rng: random.Random) -> str:
    name, n = rng.choice(WORDS).title(), rng.randrange(1, 240)
    return rng.choice((
        f"{n} {name} Street", f"{n} {name} Avenue, Apt {rng.randrange(1, 40)}", f"{n} Old {name} Road", f"{name}straße {n}",
        f"{n} rue de la {name}", f"Calle {name} {n}", f"Via {name} {n}", f"{name}straat {n}", f"{n} {name} Lane, Springfield, IL {digits(rng, 5)}",
        f"{name}weg {n}, {rng.randrange(10000, 99999)} Berlin", f"PO Box {rng.randrange(10, 9999)}",
    ))  # fmt: skip


def ip(rng: random.Random) -> str:
    if rng.random() < 0.3:
        return "2001:db8:" + ":".join(f"{rng.randrange(1, 65536):x}" for _ in range(6))
    return ".".join(
        str(rng.choice((rng.randrange(11, 126), rng.randrange(128, 223))) if i == 0 else rng.randrange(256)) for i in range(4)
    )


def birth_date(rng: random.Random) -> str:
    born = day(rng)
    return rng.choice(
        (
            f"{born:%Y-%m-%d}",
            f"{born:%d/%m/%Y}",
            f"{born.day} {born:%B %Y}",
            f"{born:%B} {born.day}, {born.year}",
            f"{born:%d.%m.%Y}",
        )
    )
