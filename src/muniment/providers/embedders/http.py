"""Embeddings from any service that speaks the OpenAI wire format. Only the address that was named is ever asked.

Rule of this file: what is asked is bounded (batch, time, answer size, retries), what is answered is checked before use, and no
message, cause or repr holds the key or a text. Redirects are refused, and proxies and credentials of the environment ignored.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

import numpy as np

from muniment.errors import EmbedderError, InputError, MissingExtra, install
from muniment.providers.embedders.vectors import unit_rows
from muniment.shelf import Floats

if TYPE_CHECKING:
    import httpx

RETRIED = frozenset({408, 429, 500, 502, 503, 504})
_HTTP_OK = 200
_PLAIN_WORD = re.compile(r"[a-z]{2,20}(_[a-z]{2,20}){0,4}")
_JSON_NUMBER = 40  # bytes one number of an answer may take, generously
_ADVICE = {
    400: "Check the model's name, and whether it takes a number of dimensions or texts this long.",
    401: "Check the key: it was refused.",
    403: "Check the key: it may not use this model.",
    404: "Check the address and the model's name.",
    413: "A text is too long for this model.",
    422: "Check the model's name, and whether it takes a number of dimensions or texts this long.",
    429: "Wait, or raise the limit of your account at the service.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpLimits:
    """How much is asked at once and how long it may take; times in seconds.

    A batch holds at most `batch_texts` texts and `batch_bytes` bytes of UTF-8, which also bounds its tokens. A question is tried
    `query_attempts` times, so that a search soon goes on without it; passages `attempts` times.
    """

    batch_texts: int = 128
    batch_bytes: int = 100_000
    attempts: int = 5
    query_attempts: int = 2
    connect_timeout: float = 5.0
    timeout: float = 30.0
    query_timeout: float = 8.0
    backoff: float = 0.5
    longest_wait: float = 20.0


DEFAULT_LIMITS = HttpLimits()


@dataclass(frozen=True, slots=True)
class _Refused:
    """One attempt that brought nothing, and the seconds the service wants us to wait (None: another attempt is no use)."""

    error: EmbedderError
    wait: float | None = None


class HttpEmbedder:
    """Vectors from `<base_url>/embeddings`. `dim` is the size every answer must have; with `ask_dim` it is also requested.

    Raises MissingExtra without the extra `http`, InputError for an address that is not usable. Bound to no event loop.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        dim: int,
        ask_dim: bool = False,
        key: str | None = None,
        limits: HttpLimits = DEFAULT_LIMITS,
    ) -> None:
        if find_spec("httpx") is None:
            raise MissingExtra("an embedding service needs httpx, which is not installed.", hint=f"Run: {install('http')}.")
        import httpx  # noqa: PLC0415  # comes with the extra `http`

        address = _checked_address(base_url, key)
        if not model or dim < 1:
            raise InputError(
                "an embedding service needs a model name and a number of dimensions of at least 1.", place="embedder"
            )
        self.dim = dim
        root = f"{address.netloc.lower()}{address.path.rstrip('/').removesuffix('/embeddings')}"
        self.identity = f"http:{root}:{model}:{dim}"
        self._model = model
        self._ask_dim = ask_dim
        self._key = key
        self._limits = limits
        self._url = f"{address.scheme}://{root}/embeddings"
        self._closed = threading.Event()
        self._pool = ThreadPoolExecutor(4, thread_name_prefix="muniment-embed-http")
        self._client = httpx.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(limits.timeout, connect=limits.connect_timeout),
            follow_redirects=False,
            trust_env=False,
        )

    def __repr__(self) -> str:
        return f"HttpEmbedder({self.identity!r})"

    async def passages(self, texts: Sequence[str]) -> Floats:
        """One unit row per text, in order, in batches; all or nothing."""
        limits = self._limits
        found = [await self._ask(batch, limits.attempts, limits.timeout) for batch in batches(texts, limits)]
        return np.concatenate(found) if found else np.zeros((0, self.dim), np.float32)

    async def query(self, text: str) -> Floats:
        """One unit row for a question; gives up early, so that a search can go on with words alone."""
        [batch] = batches([text], self._limits)
        row: Floats = (await self._ask(batch, self._limits.query_attempts, self._limits.query_timeout))[0]
        return row

    async def close(self) -> None:
        """Stop retrying and close the connections. Later calls raise EmbedderError."""
        self._closed.set()
        await asyncio.to_thread(self._pool.shutdown)
        self._client.close()

    async def _ask(self, texts: list[str], attempts: int, seconds: float) -> Floats:
        if self._closed.is_set():
            raise EmbedderError("this embedder is closed.", code="closed", hint="Open the engine again.")
        given_up = threading.Event()
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._pool, self._ask_until, texts, attempts, seconds, given_up
            )
        finally:
            given_up.set()  # a cancelled caller leaves a thread behind; it must not start another attempt

    def _ask_until(self, texts: list[str], attempts: int, seconds: float, given_up: threading.Event) -> Floats:
        for number in range(attempts):
            outcome = self._ask_once(texts, seconds)
            if not isinstance(outcome, _Refused):
                return unit_rows(outcome, count=len(texts), dim=self.dim, source=self.identity)
            last = number + 1 == attempts or outcome.wait is None
            if last or self._closed.wait(max(outcome.wait or 0.0, self._backoff(number))) or given_up.is_set():
                raise outcome.error
        raise InputError("an embedding service must be tried at least once.", place="limits.attempts")

    def _backoff(self, number: int) -> float:
        doubled: float = self._limits.backoff * 2.0**number
        return min(self._limits.longest_wait, doubled) * random.uniform(0.5, 1)  # noqa: S311  # spreads retries, guards nothing

    def _ask_once(self, texts: list[str], seconds: float) -> list[object] | _Refused:
        import httpx  # noqa: PLC0415  # comes with the extra `http`

        body: dict[str, object] = {"model": self._model, "input": texts}
        if self._ask_dim:
            body["dimensions"] = self.dim
        within = httpx.Timeout(seconds, connect=min(seconds, self._limits.connect_timeout))
        try:
            with self._client.stream("POST", self._url, json=body, timeout=within) as reply:
                content = self._read(reply, most=100_000 + len(texts) * self.dim * _JSON_NUMBER, until=time.monotonic() + seconds)
        except httpx.TimeoutException as error:
            return _Refused(self._fault("did not answer in time.", "timeout", "Try later, or use smaller batches.", error))
        except httpx.RequestError as error:
            return _Refused(
                self._fault("cannot be reached.", "unreachable", "Check the address and that it is running.", error), wait=0.0
            )
        if content is None:
            return _Refused(self._fault("gave an answer that is too long or too slow.", "answer_too_large", "Check the address."))
        if reply.status_code != _HTTP_OK:
            return self._refusal(reply.status_code, content, reply.headers.get("Retry-After"))
        return self._rows(content, len(texts))

    @staticmethod
    def _read(reply: httpx.Response, *, most: int, until: float) -> bytes | None:
        content = bytearray()
        for chunk in reply.iter_bytes():
            content += chunk
            if len(content) > most or time.monotonic() > until:
                return None
        return bytes(content)

    def _refusal(self, status: int, content: bytes, retry_after: str | None) -> _Refused:
        named = _error_code(content)
        if self._key and self._key in named:
            named = ""
        error = self._fault(
            f"refused with status {status}{f' ({named})' if named else ''}.",
            "service_refused",
            _ADVICE.get(status, "Try later." if status in RETRIED else "Check the address: it may not be an embedding service."),
        )
        passing = status in RETRIED and named != "insufficient_quota"
        return _Refused(error, wait=min(_seconds(retry_after), self._limits.longest_wait) if passing else None)

    def _rows(self, content: bytes, count: int) -> list[object] | _Refused:
        """The vectors of an answer in the order of the texts, by the index each carries."""
        answer = _parsed(content)
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
            return _Refused(self._fault("answered with something else than vectors.", "answer_malformed", "Check the address."))
        if len(data) != count:
            return _Refused(
                self._fault(f"answered with {len(data)} vectors for {count} texts.", "count_mismatch", "Nothing was kept.")
            )
        by_index = {item["index"]: item.get("embedding") for item in data if isinstance(item.get("index"), int)}
        if set(by_index) != set(range(count)):
            return _Refused(self._fault("answered with vectors whose order is unclear.", "order_unclear", "Nothing was kept."))
        return [by_index[place] for place in range(count)]

    def _fault(self, what: str, code: str, hint: str, cause: Exception | None = None) -> EmbedderError:
        error = EmbedderError(f"the embedding service {self.identity} {what}", code=code, hint=hint)
        error.__cause__ = cause
        return error


def batches(texts: Sequence[str], limits: HttpLimits = DEFAULT_LIMITS) -> Iterator[list[str]]:
    """Texts in order, in batches within the limits; a text longer than a batch goes alone."""
    batch: list[str] = []
    size = 0
    for text in texts:
        raw = text.encode("utf-8", "replace")
        if batch and (len(batch) == limits.batch_texts or size + len(raw) > limits.batch_bytes):
            yield batch
            batch, size = [], 0
        batch.append(raw.decode() or " ")  # services refuse an empty text
        size += len(raw)
    if batch:
        yield batch


def _checked_address(base_url: str, key: str | None) -> SplitResult:
    """Refuse what could carry the key or the texts to a wrong place: other schemes, credentials, open lines, link-local hosts."""
    try:
        address = urlsplit(base_url if base_url.isprintable() and " " not in base_url else "")
        host, _ = address.hostname or "", address.port
    except ValueError:
        address, host = urlsplit(""), ""
    if address.scheme not in {"http", "https"} or not host or "@" in address.netloc or address.query or address.fragment:
        raise InputError(
            "this is not the address of an embedding service.",
            place="embedder",
            code="address_invalid",
            hint="Write it like https://host/v1, without user, password, query or fragment; the key is given apart.",
        )
    literal = _literal_ip(host)
    if literal is not None and literal.is_link_local:
        raise InputError(
            "a link-local address is no embedding service.", place="embedder", code="address_refused", hint="Name the real host."
        )
    nearby = host == "localhost" or (literal is not None and literal.is_loopback)
    if key is not None and (not key.isascii() or not key.isprintable() or " " in key or not key):
        raise InputError(
            "the key of the embedding service is not a usable key.", place="embedder_key", hint="Give it as one line of ASCII."
        )
    if key and address.scheme == "http" and not nearby:
        raise InputError(
            "the key would travel unencrypted.",
            place="embedder",
            code="address_refused",
            hint=f"Use https://{address.netloc}, or no key.",
        )
    return address


def _literal_ip(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _parsed(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _error_code(content: bytes) -> str:
    """The service's own word for what went wrong, if it is short and plain; never its sentence, which may repeat key or text."""
    answer = _parsed(content)
    error = answer.get("error") if isinstance(answer, dict) else None
    named = error.get("code") or error.get("type") if isinstance(error, dict) else None
    return named if isinstance(named, str) and _PLAIN_WORD.fullmatch(named) else ""


def _seconds(retry_after: str | None) -> float:
    """Seconds a Retry-After header asks for, 0 when there is none or it is nonsense."""
    if not retry_after:
        return 0.0
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return 0.0
