"""What every service over HTTP has in common: whom it may be, what a refusal means, how long to wait, how much to read.

Rule of this file: the address that was named is the only one asked, the key travels encrypted or stays on this machine, and what
a service says is bounded and never repeated in an error, since it may hold the key or a text.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from muniment.errors import InputError

if TYPE_CHECKING:
    import httpx

OK: Final = 200
RETRIED: Final = frozenset({408, 429, 500, 502, 503, 504})
"""Statuses that may be gone the next time."""

_PLAIN_WORD: Final = re.compile(r"[a-z]{2,20}(_[a-z]{2,20}){0,4}")
_ADVICE: Final = {
    401: "Check the key: it was refused.",
    403: "Check the key: it may not use this model.",
    404: "Check the address and the model's name.",
    429: "Wait, or raise the limit of your account at the service.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """What a service is called in errors ("embedding service", with its article), and the setting that names it."""

    name: str
    article: str
    place: str


def checked_address(base_url: str, key: str | None, sort: Sort) -> SplitResult:
    """Refuse what could carry the key or the texts to a wrong place: other schemes, credentials, open lines, link-local hosts."""
    try:
        address = urlsplit(base_url if base_url.isprintable() and " " not in base_url else "")
        host, _ = address.hostname or "", address.port
    except ValueError:
        address, host = urlsplit(""), ""
    if address.scheme not in {"http", "https"} or not host or "@" in address.netloc or address.query or address.fragment:
        raise InputError(
            f"this is not the address of {sort.article} {sort.name}.",
            place=sort.place,
            code="address_invalid",
            hint="Write it like https://host/v1, without user, password, query or fragment; the key is given apart.",
        )
    literal = _literal_ip(host)
    if literal is not None and literal.is_link_local:
        raise InputError(
            f"a link-local address is no {sort.name}.", place=sort.place, code="address_refused", hint="Name the real host."
        )
    if key is not None and (not key or not key.isascii() or not key.isprintable() or " " in key):
        raise InputError(
            f"the key of the {sort.name} is not a usable key.",
            place=f"{sort.place}_key",
            code="key_invalid",
            hint="Give it as one line of ASCII.",
        )
    nearby = host == "localhost" or (literal is not None and literal.is_loopback)
    if key and address.scheme == "http" and not nearby:
        raise InputError(
            "the key would travel unencrypted.",
            place=sort.place,
            code="address_refused",
            hint=f"Use https://{address.netloc}, or no key.",
        )
    return address


def root_of(address: SplitResult, path: str) -> str:
    """Host and path of a service without the last `path`, which the caller may or may not have written."""
    return f"{address.netloc.lower()}{address.path.rstrip('/').removesuffix(path)}"


def advice(status: int, own: Mapping[int, str], otherwise: str) -> str:
    """What to do about a refusal with this status."""
    return own.get(status) or _ADVICE.get(status) or ("Try later." if status in RETRIED else otherwise)


def read_within(reply: httpx.Response, *, most: int, until: float) -> bytes | None:
    """The body, or None when it is longer than `most` bytes or not there by `until` (of the monotonic clock)."""
    content = bytearray()
    for chunk in reply.iter_bytes():
        content += chunk
        if len(content) > most or time.monotonic() > until:
            return None
    return bytes(content)


def parsed(content: bytes) -> object:
    """The JSON in `content`, or None when it is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def error_word(content: bytes, key: str | None) -> str:
    """The service's own word for what went wrong, if it is short and plain; never its sentence, which may repeat key or text."""
    answer = parsed(content)
    error = answer.get("error") if isinstance(answer, dict) else None
    named = error.get("code") or error.get("type") if isinstance(error, dict) else None
    plain = isinstance(named, str) and _PLAIN_WORD.fullmatch(named) and not (key and key in named)
    return named if isinstance(named, str) and plain else ""


def seconds_of(retry_after: str | None) -> float:
    """Seconds a Retry-After header asks for, as a number or as a date; 0 when there is none or it is nonsense."""
    if not retry_after:
        return 0.0
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0


def pause(number: int, *, wait: float, backoff: float, longest: float) -> float:
    """Seconds before the try after try `number` (from 0): what the service asks for or a doubling wait, never above `longest`."""
    doubled = backoff * 2.0**number * random.uniform(0.5, 1)  # noqa: S311  # spreads retries, guards nothing
    return min(longest, max(wait, doubled))


def _literal_ip(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
