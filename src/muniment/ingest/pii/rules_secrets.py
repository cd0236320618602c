"""Secrets: keys with a known prefix, private keys, credentials in headers and addresses, assignments, passwords in prose.

Rule of this file: pure and linear in a folded text. A name alone ("no API key in the build") is no secret; there must be a
value, and the value must not stand for another (`import.meta.env.X`, `<your key>`).
"""

from __future__ import annotations

import binascii
import math
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator

from muniment.ingest.pii.rules_phrases import columns, phrases
from muniment.ingest.pii.rules_values import SECRET, Find, spelled
from muniment.ingest.pii.rules_words import (
    CARD_PINS,
    FOR,
    HARMLESS_ENDINGS,
    IS,
    NAMED_KEYS,
    PASSWORDS,
    PINS,
    PLACEHOLDERS,
    STATES,
    TOKEN_HINTS,
    TOKENS,
)

MOST = 4096
"""Characters of one value that are looked at."""
_LEAST_KEY = 12
_LEAST_TOLD = 3
_LEAST_RANDOM = 20
_BITS = 3.0

_TOKENS = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(TOKENS)})")
_SAMPLES = frozenset({"password", "pass", "passwd", "pwd", "pw", "secret", "token", "user"})
_EXAMPLE = re.compile(r"example(?![a-z0-9])")
_SHORT_KEY = re.compile(r"(?<![A-Za-z0-9])(?:sk|pk|rk|ak)[-_](?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{5,}")
_KEY_BEFORE = re.compile(r"(?i)\b(?:key|token|secret|credentials?)\b[^\n]{0,16}$")
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,12}-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,12}-----")
_PEM_LINES = re.compile(r"(?:(?:\\n|\s){0,4}[A-Za-z0-9+/=]{16,80})*")
_HEADER = re.compile(r"(?i)\b(?:Bearer|Basic|Token|ApiKey)\s{1,3}([A-Za-z0-9._~+/=-]{8,4096})")
_IN_ADDRESS = re.compile(r"://[^\s:/@\"'<>]{0,128}:([^\s/@\"'<>]{1,256})@")
_IN_COMMAND = re.compile(r"(?<!\S)(?:-u|--user)[ =]([^\s:]{1,64}):([^\s\"']{1,128})")
_SLACK_HOOK = re.compile(r"hooks\.slack\.com/services/(T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{16,})")

_STRONG = "|".join(re.escape(w).replace(r"\ ", "[ _]") for w in sorted(PASSWORDS, key=len, reverse=True))
_WEAK = "|".join(re.escape(w).replace(r"\ ", "[ _]") for w in sorted(NAMED_KEYS, key=len, reverse=True))
_ASSIGNED = re.compile(
    rf"(?i)(?P<name>(?P<strong>{_STRONG}|(?P<short>(?<![a-z])(?:pass|pw)(?![a-z])))|(?P<weak>{_WEAK}))(?P<more>[\w-]{{0,24}})[\"'`*]{{0,3}}"
    r"[ \t]{0,3}(?P<is>=>|:=|={1,3}|:)[ \t*]{0,3}"
    r"(?P<value>\"[^\"\n]{1,512}\"|'[^'\n]{1,512}'|`[^`\n]{1,512}`|[^\s\"'`,;(){}&|<>]{1,4096})"
)
_SAID = re.compile(
    rf"(?i)(?:(?P<strong>{spelled((*PASSWORDS, 'pw'))})|(?P<pin>{spelled(PINS)})|(?P<weak>{spelled(NAMED_KEYS)}))[\"'`]?"
    rf"(?P<link>(?:\s{{1,2}}(?:{spelled(FOR)})(?:\s{{1,2}}[^\s,.;:]{{1,40}}){{1,5}}?)?"
    rf"\s{{0,2}}(?:(?:{spelled(IS)})(?:\s?[:=])?|'s\s|[:=-]|\?[ \t]{{0,2}}(?=\n))\s{{0,2}}|\s{{1,2}})"
    r"(?P<value>\"[^\"\n]{1,128}\"|'[^'\n]{1,128}'|`[^`\n]{1,128}`|[^\s\"`]{1,512})"
)
_AS_PASSWORD = re.compile(
    r"(?i)\b(?:use|with|enter|type|try|set|put)\s{1,2}(?P<value>[^\s]{4,128})\s{1,2}as\s(?:\w{1,20}\s){0,3}?"
    rf"(?:{spelled(PASSWORDS)})"
)
_IS_MINE = re.compile(
    r"(?i)(?<!\S)(?P<value>\S{4,64})\s{1,2}(?:is|was)\s(?:my|our|the|his|her|their|your)\s(?:\w{1,20}\s){0,2}?"
    rf"(?:(?P<strong>{spelled(PASSWORDS)})|(?P<pin>{spelled(PINS)}))(?=\s{{0,4}}(?:$|[.,;!?\n])|\s(?:for|to|at|on)\b)"
)
_HALF = re.compile(r"\d{3}[ -]\d{3}(?!\w)")
_CHANGED_FROM = re.compile(rf"(?i)(?:{spelled(PASSWORDS)})\s{{1,2}}from\s{{1,2}}(?P<value>\S{{3,64}})\s{{1,2}}to\s")
_PAIR = re.compile(
    r"(?i)\b(?:creds?|credentials|login|user(?:name)?)\s{0,2}(?:is|are|[:=])\s{0,2}[^\s/:,]{1,64}\s?[/:]\s?(?P<value>[^\s,;]{4,64})"
)
_SETTING = re.compile(r"(?i)\b(?:set|setting|change|changed|changing|update|updated)\s(?:[\w']{1,20}\s){0,4}$")
_PLAIN_END = re.compile(r"[\"')\]]{0,2}[.,;!?]?(?:\s*$|[ \t]*\n|[.,;!?)]\s)")
_SET_TO = re.compile(r"(?i)(?:set|changed|updated) to\s")
_CALL = re.compile(r"[A-Za-z_][\w.]*[(\[]")
_TO = re.compile(r"\bto\s{0,2}$|-\s{0,2}$")
_ALGORITHM = re.compile(
    r"(?i)(?:sha|md|aes|rsa|oauth|bcrypt|scrypt|argon|pbkdf|base|utf|v|step|rule|level|part|option|section|tls|2fa|1pass)-?\d"
)
_UNITS = re.compile(r"(?i)\d{1,4}(?:st|nd|rd|th|s|x|%|ms|px|kb|mb|chars?|days?|h|min|hours?|bits?|years?)?[.,]?")
_WORDS = tuple(dict.fromkeys(form for w in (*PASSWORDS, *PINS, *NAMED_KEYS, "pass", "pw") for form in (w, w.replace(" ", "_"))))


def secrets(text: str, low: str) -> Iterator[Find]:
    """Every secret in `text`; `low` is the same text in small letters, for the quick look whether anything can be there."""
    if any(hint in low for hint in TOKEN_HINTS):
        yield from _known(text)
    if "://" in low:
        yield from (
            _find(m, 1, "address") for m in _IN_ADDRESS.finditer(text) if not _stands_for(m[1]) and m[1].lower() not in _SAMPLES
        )
        yield from (_find(m, 1, "webhook") for m in _SLACK_HOOK.finditer(text))
    if any(word in low for word in ("cred", "login", "user")):
        yield from (find for match in _PAIR.finditer(text) for find in _in_place(match, ends=False))
    if "-u" in low:
        yield from (_find(m, 2, "command") for m in _IN_COMMAND.finditer(text) if not _stands_for(m[2]))
    if "----" in low:
        yield from _pem(text)
    if any(word in low for word in ("bearer", "basic", "token", "apikey")):
        yield from (_find(m, 1, "header") for m in _HEADER.finditer(text) if _is_credential(m))
    yield from phrases(text, low)
    if places := _places(low):
        if "|" in low:
            yield from columns(text, _is_in_column)
        if " is " in low or " was " in low:
            yield from (find for match in _IS_MINE.finditer(text) for find in _in_front(match))
        yield from _assigned(text, places)
        yield from _said(text, places)


def _find(match: re.Match[str], group: int | str, rule: str) -> Find:
    start, end = match.span(group)
    return Find(kind=SECRET, start=start, end=end, rule=rule)


def _known(text: str) -> Iterator[Find]:
    for match in _TOKENS.finditer(text):
        if _is_mixed(match[0]) and not _stands_for(match[0]):
            yield _find(match, 0, "prefix")
    for match in _SHORT_KEY.finditer(text):
        if _KEY_BEFORE.search(text, max(0, match.start() - 28), match.start()):
            yield _find(match, 0, "prefix")


def _pem(text: str) -> Iterator[Find]:
    at, ended = 0, True
    while begin := _PEM.search(text, at):
        end = _PEM_END.search(text, begin.end()) if ended else None
        ended = end is not None
        lines = _PEM_LINES.match(text, begin.end())
        at = end.end() if end else lines.end() if lines else begin.end()
        yield Find(kind=SECRET, start=begin.start(), end=at, rule="private_key")


def _is_credential(match: re.Match[str]) -> bool:
    scheme, value = match[0][:5].lower(), match[1]
    if _stands_for(value):
        return False
    if scheme == "basic":
        return b":" in _decoded(value) and len(value) >= _LEAST_KEY
    return len(value) >= 16 and _is_mixed(value)  # noqa: PLR2004  # shorter ones are words


def _decoded(value: str) -> bytes:
    try:
        return b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _places(low: str) -> list[int]:
    """Where a word that names a secret begins, in order."""
    found: set[int] = set()
    for word in (word for word in _WORDS if word in low):
        at = low.find(word)
        while at >= 0:
            found.add(at)
            at = low.find(word, at + len(word))
    return sorted(found)


def _matches(pattern: re.Pattern[str], text: str, places: list[int]) -> Iterator[re.Match[str]]:
    """Matches of `pattern` that begin at these places."""
    return (match for place in places if (match := pattern.match(text, place)))


def _assigned(text: str, places: list[int]) -> Iterator[Find]:
    for match in _matches(_ASSIGNED, text, places):
        name = (match["name"] + match["more"]).lower()
        start, end = match.span("value")
        value, quoted = match["value"], match["value"][0] in "\"'`"
        if quoted:
            start, end, value = start + 1, end - 1, value[1:-1]
        else:
            value = value.rstrip(".?]")
            end = start + len(value)
        if (match["more"] and name.endswith(HARMLESS_ENDINGS)) or (not quoted and text[end : end + 1] in {"(", "["}):
            continue
        if not quoted and (value.lower() in _SAMPLES or (match["short"] and not _is_mixed(value)) or match["is"] == "=="):
            continue
        if is_secret_value(value, strong=bool(match["strong"]), quoted=quoted):
            yield Find(kind=SECRET, start=start, end=end, rule="assignment")


def is_secret_value(value: str, *, strong: bool, quoted: bool) -> bool:
    """Whether what is assigned to a name of a secret is one; `strong` for passwords, which may be short and plain."""
    bare = value.strip().casefold()
    if _stands_for(value) or bare in STATES or len(set(bare)) < 3:  # noqa: PLR2004  # a row of one or two characters hides nothing
        return False
    if not quoted and re.fullmatch(
        r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+|[\w.]*[\[(].*|/[\w./-]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+", value
    ):
        return False
    if strong:
        return len(bare) >= 4 and not (quoted and " " in bare and all(w in STATES for w in bare.split()))  # noqa: PLR2004  # PINs and up
    return " " not in bare and _is_key(value)


def _is_key(value: str) -> bool:
    """Long enough and mixed like a key, not like a word, a path or a number."""
    if len(value) < _LEAST_KEY or value.isdigit() or "/" in value[:1]:
        return False
    if _is_mixed(value):
        return True
    return (
        len(value) >= _LEAST_RANDOM and "_" not in value and " " not in value and "-" not in value and _bits(value) >= _BITS + 0.5
    )


def _is_mixed(value: str) -> bool:
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    return digits >= 1 and letters >= 1 and _bits(value[:MOST]) >= _BITS - 0.4


def _bits(value: str) -> float:
    """Shannon entropy in bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def _stands_for(value: str) -> bool:
    low = value.lower()
    if _EXAMPLE.search(low):
        return True
    return any(sign in low for sign in PLACEHOLDERS) or (low.startswith(("$", "%")) and low[1:].rstrip("%").isidentifier())


def _said(text: str, places: list[int]) -> Iterator[Find]:
    told = (*_matches(_CHANGED_FROM, text, places), *(_AS_PASSWORD.finditer(text) if " as " in text else ()))
    for match in told:
        yield from _in_place(match, ends=match.re is _AS_PASSWORD)
    yield from (find for match in _matches(_SAID, text, places) if (find := _told(text, match)))


def _in_place(match: re.Match[str], *, ends: bool) -> Iterator[Find]:
    """The value of a match that says by itself where a password stands."""
    value = match["value"].strip("\"'`")
    if _is_told(value, quoted=len(value) < len(match["value"]), ends=ends, linked=True):
        start = match.start("value") + match["value"].index(value)
        yield Find(kind=SECRET, start=start, end=start + len(value), rule="prose")


def _in_front(match: re.Match[str]) -> Iterator[Find]:
    """The value of "X is my password"."""
    value = match["value"].strip("\"'`*,:;(")
    pin = bool(re.fullmatch(r"(?:[A-Z]-)?\d{4,8}", value))
    if pin if match["pin"] else _is_told(value, quoted=False, ends=False, linked=True):
        start = match.start("value") + match["value"].index(value)
        yield Find(kind=SECRET, start=start, end=start + len(value), rule="prose")


def _is_in_column(value: str, strong: bool) -> bool:
    return _is_told(value, quoted=False, ends=True, linked=True) if strong else _is_key(value) and not _stands_for(value)


def _told(text: str, match: re.Match[str]) -> Find | None:
    value, start = match["value"], match.start("value")
    quoted = len(value) > 2 and value[0] == value[-1] and value[0] in "\"'`"  # noqa: PLR2004  # the quotes themselves
    if quoted:
        start, value = start + 1, value[1:-1]
    else:
        value = value.rstrip(".,;:?)]}'…") or value
    linked = bool(match["link"].strip())
    end = start + len(value)
    if match["weak"]:
        good = _is_key(value) and not _stands_for(value)
    elif match["pin"]:
        least = 3 if linked or match["pin"].lower() in CARD_PINS else 4
        good = bool(re.fullmatch(rf"(?:[A-Z]-)?\d{{{least},8}}[#*]?", value))
        if good and match["pin"].lower() not in CARD_PINS and (more := _HALF.fullmatch(text, start, end + 4)):
            end = more.end()
    else:
        ends = bool(_SET_TO.search(match["link"]) or _is_set(text, match)) or (
            bool(_PLAIN_END.match(text, end)) and not _TO.search(match["link"]) and "?" not in match["link"]
        )
        good = _is_told(value, quoted=quoted, ends=ends, linked=linked)
    return Find(kind=SECRET, start=start, end=end, rule="prose") if good else None


def _is_set(text: str, match: re.Match[str]) -> bool:
    """Whether the words before are "change the", and those after "to"."""
    return match["link"].strip() == "to" and bool(_SETTING.search(text, max(0, match.start() - 60), match.start()))


def _is_told(value: str, *, quoted: bool, ends: bool, linked: bool) -> bool:  # noqa: PLR0911  # one reason a line
    """Whether a word after "password" is one: it is quoted, looks like one, or stands alone at the end of the sentence."""
    low = value.casefold()
    if len(value) < _LEAST_TOLD or _stands_for(value) or low in STATES or low in _SAMPLES or len(set(low)) == 1:
        return False
    if _ALGORITHM.match(value) or _CALL.match(value):
        return False
    if quoted and (linked or " " in low):
        return linked and (" " not in low or not any(word in STATES for word in low.split()))
    letters, digits = any(c.isalpha() for c in value), any(c.isdigit() for c in value)
    signs = any(not c.isalnum() and c not in "-_'./:" for c in value)
    if not linked:
        return letters and digits and len(value) >= 6 and not _UNITS.fullmatch(value)  # noqa: PLR2004  # shorter ones are parts' names
    if letters and digits:
        return not _UNITS.fullmatch(value)
    if digits:
        return value.isdigit() and len(value) >= 4  # noqa: PLR2004  # a PIN
    if letters and signs:
        return "@" not in value[1:-1] or "." not in value.rpartition("@")[2]
    camel = any(c.isupper() for c in value[1:]) and any(c.islower() for c in value)
    return camel or (ends and value.isalpha() and not low.endswith(("ed", "ing", "able", "ible", "ly")))
