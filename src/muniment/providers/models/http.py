"""Chat models behind any service that speaks the OpenAI wire format. Only the address that was named is ever asked.

Rule of this file: what is asked is bounded (time, size of the answer, retries), what is answered is checked before use, and no
message, cause or repr holds the key or a text. Redirects are refused, and proxies and credentials of the environment ignored.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from muniment.errors import InputError, MissingExtra, ProviderError, install
from muniment.providers.models.chat import Entry, Reply, asked, replied

if TYPE_CHECKING:
    import httpx

OPENAI: Final = "https://api.openai.com/v1"
RETRIED: Final = frozenset({408, 429, 500, 502, 503, 504})
_OK: Final = 200
_MOST_BYTES: Final = 4_000_000
_ADVICE: Final = {
    400: "Check the model's name, and whether the prompt is too long for it.",
    401: "Check the key: it was refused.",
    403: "Check the key: it may not use this model.",
    404: "Check the address and the model's name.",
    413: "The prompt is too long for this model.",
    429: "Wait, or raise the limit of your account at the service.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLimits:
    """How often a question is tried and how long one try may take; times in seconds."""

    attempts: int = 4
    timeout: float = 120.0
    connect_timeout: float = 5.0
    backoff: float = 1.0
    longest_wait: float = 30.0


DEFAULT_LIMITS: Final = ChatLimits()


@dataclass(frozen=True, slots=True)
class _Refused:
    """One attempt that brought nothing, and the seconds the service wants us to wait (None: another attempt is no use)."""

    error: ProviderError
    wait: float | None = None


class HttpModel:
    """The model `model` behind `<base_url>/chat/completions`.

    Raises MissingExtra without the extra `http`, and InputError for an address or key that cannot be used.
    """

    def __init__(self, base_url: str, model: str, *, key: str | None = None, limits: ChatLimits = DEFAULT_LIMITS) -> None:
        if find_spec("httpx") is None:
            raise MissingExtra("a model behind an address needs httpx, which is not installed.", hint=f"Run: {install('http')}.")
        import httpx  # noqa: PLC0415  # comes with the extra `http`

        address = _checked_address(base_url, key)
        if not model:
            raise InputError("no model is named.", place="model", code="model_invalid", hint="Write openai:NAME@https://host/v1.")
        root = f"{address.netloc.lower()}{address.path.rstrip('/').removesuffix('/chat/completions')}"
        self.name = f"http:{root}:{model}"
        self._model = model
        self._limits = limits
        self._url = f"{address.scheme}://{root}/chat/completions"
        self._client: httpx.Client | None = httpx.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(limits.timeout, connect=limits.connect_timeout),
            follow_redirects=False,
            trust_env=False,
        )

    def __repr__(self) -> str:
        return f"HttpModel({self.name!r})"

    def answer(self, messages: Sequence[Entry], tools: Sequence[Entry] = (), *, max_tokens: int, seed: int) -> Reply:
        """One answer at temperature 0. What fails in passing is tried again, a bounded number of times."""
        body = {"model": self._model, **asked(messages, tools, max_tokens=max_tokens, seed=seed)}
        attempt = 0
        while True:
            outcome = self._ask_once(body)
            if not isinstance(outcome, _Refused):
                return replied(outcome, f"the model {self.name}")
            attempt += 1
            if attempt >= self._limits.attempts or outcome.wait is None:
                raise outcome.error
            time.sleep(min(self._limits.longest_wait, max(outcome.wait, self._limits.backoff * 2.0 ** (attempt - 1))))

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            self._client.close()
        self._client = None

    def _ask_once(self, body: dict[str, object]) -> object:
        """The answer as parsed, or a `_Refused`."""
        import httpx  # noqa: PLC0415  # comes with the extra `http`

        if self._client is None:
            raise ProviderError("this model is closed.", code="closed", hint="Open it again.")
        try:
            with self._client.stream("POST", self._url, json=body) as reply:
                content = self._read(reply, until=time.monotonic() + self._limits.timeout)
        except httpx.TimeoutException as error:
            return _Refused(self._fault("did not answer in time.", "timeout", "Try later, or ask for less.", error), wait=0.0)
        except httpx.RequestError as error:
            hint = "Check the address and that it is running."
            wait = None if isinstance(error, httpx.ConnectError) else 0.0
            return _Refused(self._fault("cannot be reached.", "unreachable", hint, error), wait)
        if content is None:
            return _Refused(self._fault("gave an answer that is too long or too slow.", "answer_too_large", "Check the address."))
        if reply.status_code != _OK:
            hint = _ADVICE.get(reply.status_code, "Try later." if reply.status_code in RETRIED else "Check the address.")
            wait = _seconds(reply.headers.get("Retry-After")) if reply.status_code in RETRIED else None
            return _Refused(self._fault(f"refused with status {reply.status_code}.", "service_refused", hint), wait=wait)
        return _parsed(content)

    @staticmethod
    def _read(reply: httpx.Response, *, until: float) -> bytes | None:
        content = bytearray()
        for chunk in reply.iter_bytes():
            content += chunk
            if len(content) > _MOST_BYTES or time.monotonic() > until:
                return None
        return bytes(content)

    def _fault(self, what: str, code: str, hint: str, cause: Exception | None = None) -> ProviderError:
        error = ProviderError(f"the model {self.name} {what}", code=code, hint=hint)
        error.__cause__ = cause
        return error


def _checked_address(base_url: str, key: str | None) -> SplitResult:
    """Refuse what could carry the key or the prompts to a wrong place: other schemes, credentials, open lines."""
    try:
        address = urlsplit(base_url if base_url.isprintable() and " " not in base_url else "")
        host, _ = address.hostname or "", address.port
    except ValueError:
        address, host = urlsplit(""), ""
    if address.scheme not in {"http", "https"} or not host or "@" in address.netloc or address.query or address.fragment:
        raise InputError(
            "this is not the address of a model service.",
            place="model",
            code="address_invalid",
            hint="Write it like https://host/v1, without user, password, query or fragment; the key is given apart.",
        )
    if (literal := _literal(host)) is not None and literal.is_link_local:
        raise InputError(
            "a link-local address is no model service.", place="model", code="address_refused", hint="Name the real host."
        )
    if key is not None and (not key or not key.isascii() or not key.isprintable() or " " in key):
        raise InputError("this is not a usable key.", place="model_key", code="key_invalid", hint="Give it as one line of ASCII.")
    nearby = host == "localhost" or (literal is not None and literal.is_loopback)
    if key and address.scheme == "http" and not nearby:
        raise InputError(
            "the key would travel unencrypted.",
            place="model",
            code="address_refused",
            hint=f"Use https://{address.netloc}, or no key.",
        )
    return address


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _parsed(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _seconds(retry_after: str | None) -> float:
    """Seconds a Retry-After header asks for; 0 when there is none, or it is a date."""
    return float(retry_after) if retry_after and retry_after.strip().isdecimal() else 0.0
