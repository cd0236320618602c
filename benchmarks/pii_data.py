"""Labelled texts with planted personal data and secrets, and texts that only look like them.

Rule of this file: seeded, and it imports nothing of the product. A case is a text and the spans that must be found, by kind.
"""

# ruff: noqa: E501, RUF001  # templates stay whole, in their own script
from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import pii_values as made

LOOK_ALIKES = Path(__file__).with_name("pii_lookalikes.txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Characters `start` to `end` are of this kind."""

    kind: str
    start: int
    end: int


@dataclass(slots=True, kw_only=True)
class Case:
    """A text, what must be found in it, and the slice it belongs to."""

    text: str
    spans: list[Span] = field(default_factory=list)
    slice: str = ""


TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "password": (
        "db password is {}", "remember: the wifi password is {}", "pwd: {}", "my password for the staging box is {}, don't share it",
        'password = "{}"', "PASSWORD={}", "DB_PASSWORD: {}", "The admin password was changed to {} yesterday.", "passphrase: {}",
        "la contraseña es {}", "contraseña: {}", "le mot de passe est {}", "mot de passe : {}", "das Passwort lautet {}", "Passwort: {}",
        "a senha é {}", "la password è {}", "het wachtwoord is {}", "пароль: {}", "密码是{}", "密码：{}", "パスワードは「{}」です",
        "비밀번호: {}", "كلمة المرور: {}", "postgresql://app:{}@db.internal.example.com:5432/prod", "curl -u deploy:{} https://api.example.com/x",
        '{{"user": "root", "password": "{}"}}', "Server=db;User Id=sa;Password={};", "log in as root with password '{}'",
        "just use {} as the password",
    ),
    "key": (
        "here is the key {}", "export OPENAI_KEY={}", "Authorization: Bearer {}", "I pasted {} into the chat by mistake", "token={}",
        'headers = {{"x-api-key": "{}"}}', "use {} for the sandbox", "clé : {}", "mein Schlüssel ist {}", "<td>{}</td>",
    ),
    "plain_key": (
        'api_key = "{}"', "API_KEY={}", "client_secret: {}", '"access_token": "{}"', "secret_key='{}'", "the api key is {}",
        "our auth token: {}", "AWS_SECRET_ACCESS_KEY={}", "https://api.example.com/v1?api_key={}&page=2", "Authorization: Bearer {}",
    ),
    "private_key": ("this is the deploy key:\n{}\nkeep it safe", "{}", "cat id_rsa\n{}"),
    "card": (
        "my card is {}", "Please charge {} exp 04/29", "card number: {}", "Pagué con la tarjeta {}.", "Kreditkarte {} bitte belasten",
        "carte bancaire {}", "{}", "the number on the front says {} and the name is mine", "カード番号は {} です",
    ),
    "iban": ("IBAN {}", "please transfer the rent to {} by Friday", "Mein Konto: {}", "mi cuenta es {}.", "virement sur {} svp"),
    "email": ("write to {}", "{} is my address", "cc {}, please", "Contacto: {}.", "(mailto:{})", "From: Ana <{}>", "邮箱是{}"),
    "phone": ("call me at {}", "my number is {}", "Tel. {}", "WhatsApp {} works best", "Handy: {}", "mon portable {}", "{} is my mobile"),
    "address": ("I live at {}.", "ship it to {}", "Our office: {}", "we moved to {} in May"),
    "ip": ("login from {}", "the server at {} is down", "blocked {} after 5 attempts", "client={} status=200"),
    "birth_date": ("I was born on {}.", "date of birth: {}", "DOB {}", "née le {}", "geboren am {}", "fecha de nacimiento: {}"),
}  # fmt: skip
MAKERS: Mapping[str, tuple[str, made.Make]] = {
    "password": ("secret", made.password),
    "key": ("secret", made.api_key),
    "plain_key": ("secret", made.plain_key),
    "private_key": ("secret", made.private_key),
    "card": ("card", made.card),
    "iban": ("iban", made.iban),
    "email": ("email", made.email),
    "phone": ("phone", made.phone),
    "address": ("address", made.address),
    "ip": ("ip", made.ip),
    "birth_date": ("birth_date", made.birth_date),
}
AROUND = (
    "", "", "", "Hi there! ", "Quick note before the weekend. ", "Order 48213 shipped on 2024-05-06. ", "I prefer tea over coffee. ",
    "Vamos a cenar a las 21:00. ", "Das Treffen ist am 3. Juni. ", "The build took 12 minutes and 40 seconds. ", "Voilà le résumé : ",
    "We moved from Lyon to Porto in 2019. ", "今日は会議があります。", "Version 2.14.3 fixes it. ",
)  # fmt: skip
AFTER = ("", "", "", " Thanks!", " Let me know.", " It cost 24.99.", " Bis morgen.", " Ok?", "\nSee you at 10:30.")
SECRET_SLICES = ("password", "key", "plain_key", "private_key")


def labelled(seed: int, count: int) -> Iterator[Case]:
    """`count` texts, each with one value planted and every third with two."""
    rng = random.Random(seed)
    names = [*TEMPLATES, "national_id", "password", "key", "card", "national_id"]
    for number in range(count):
        case = Case(text="", slice=names[number % len(names)])
        _plant(case, rng, case.slice)
        if number % 3 == 0:
            case.text += "\n"
            _plant(case, rng, rng.choice([name for name in names if name != case.slice]))
        yield case


def _plant(case: Case, rng: random.Random, name: str) -> None:
    if name == "national_id":
        kind, (value, template) = name, made.national_id(rng)
    else:
        kind, make = MAKERS[name]
        value, template = make(rng), rng.choice(TEMPLATES[name])
    before, after = rng.choice(AROUND), rng.choice(AFTER)
    head, tail = template.replace("{{", "\1").replace("}}", "\2").split("{}")
    lead = (case.text + before + head).replace("\1", "{").replace("\2", "}")
    case.text = lead + value + (tail + after).replace("\1", "{").replace("\2", "}")
    case.spans.append(Span(kind=kind, start=len(lead), end=len(lead) + len(value)))


def look_alikes(seed: int) -> list[Case]:
    """Harmless texts: those written down, and made ones of sixteen shapes, 25 of each."""
    written = [line for line in LOOK_ALIKES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    rng = random.Random(seed)
    cases = [Case(text=text.replace("\\n", "\n"), slice="written") for text in written]
    cases += [Case(text=shape(rng), slice=name) for name, shape in SHAPES.items() for _ in range(25)]
    return cases


def _hexa(rng: random.Random, size: int) -> str:
    return made.chars(rng, size, "0123456789abcdef")


SHAPES: Mapping[str, made.Make] = {
    "git hash": lambda r: f"{r.choice(('commit', 'reverted in', 'see', 'HEAD is now at'))} {_hexa(r, r.choice((7, 8, 12, 40)))}",
    "uuid": lambda r: f"{r.choice(('request', 'id:', 'trace', 'session'))} {uuid.UUID(int=r.getrandbits(128), version=4)}",
    "digest": lambda r: f"sha256:{_hexa(r, 64)} matches the file",
    "order": lambda r: f"{r.choice(('order', 'invoice', 'ticket', 'tracking number'))} {made.digits(r, r.choice((6, 8, 10, 12, 16)))} was sent",
    "wrong card": lambda r: f"{made.card(r, right=False)} is not a valid number",
    "wrong iban": lambda r: f"{made.iban(r, right=False)} has a typo",
    "isbn": lambda r: f"ISBN 978-{made.digits(r, 1)}-{made.digits(r, 4)}-{made.digits(r, 4)}-{made.digits(r, 1)}",
    "timestamp": lambda r: f"at {r.randrange(10**9, 2 * 10**9)}{r.choice(('', '000', '123', '123456'))} it restarted",
    "iso time": lambda r: f"{made.day(r):%Y-%m-%d}T{r.randrange(24):02d}:{r.randrange(60):02d}:{r.randrange(60):02d}Z started",
    "version": lambda r: f"version {'.'.join(str(r.randrange(40)) for _ in range(r.choice((3, 4))))} is out",
    "coordinates": lambda r: f"{r.uniform(-90, 90):.6f}, {r.uniform(-180, 180):.6f}",
    "sum": lambda r: f"{made.digits(r, 5)} + {made.digits(r, 6)} = {r.randrange(10**6, 10**7)}",
    "decimal": lambda r: f"the result is {r.random():.16f}",
    "code": lambda r: r.choice((
        f"const apiKey = process.env.{r.choice(made.WORDS).upper()}_API_KEY;", f"password = get_password('{r.choice(made.WORDS)}')",
        f"token = tokens[{r.randrange(99)}]", f"api_key: ${{{r.choice(made.WORDS).upper()}_KEY}}", f"max_tokens={r.randrange(10**5)}",
        f"secret: {{{{ .Values.{r.choice(made.WORDS)}.secret }}}}", "password: <your password>", "API_KEY=your_api_key_here",
    )),
    "talk": lambda r: f"the {r.choice(('password', 'api key', 'token', 'secret'))} {r.choice(('was rotated', 'is wrong', 'expired last week', 'is in the vault', 'must be long', 'is required'))}",
    "money": lambda r: f"revenue of {r.randrange(1, 999)},{made.digits(r, 3)},{made.digits(r, 3)} in {r.randrange(1990, 2026)} and 12.5% more after",
}  # fmt: skip


def read_log(path: Path) -> list[Case]:
    """Somebody else's cases: a JSON object per line with `text` and `spans` of `kind`, `start`, `end`."""
    cases = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            item = json.loads(line)
            spans = [Span(kind=s["kind"], start=s["start"], end=s["end"]) for s in item.get("spans", ())]
            cases.append(Case(text=item["text"], spans=spans, slice=item.get("slice", "")))
    return cases
