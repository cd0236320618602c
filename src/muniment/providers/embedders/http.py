"""Embeddings from any service that speaks the OpenAI wire format. Only the address that was named is ever asked.

Rule of this file: what is asked is bounded (batch, time, answer size, retries), what is answered is checked before use, and no
message, cause or repr holds the key or a text. Redirects are refused, and proxies and credentials of the environment ignored.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

import numpy as np

from muniment.errors import EmbedderError, InputError, MissingExtra, install
from muniment.providers.embedders.vectors import unit_rows
from muniment.providers.service import (
    OK,
    RETRIED,
    Sort,
    advice,
    checked_address,
    error_word,
    parsed,
    pause,
    read_within,
    root_of,
    seconds_of,
)
from muniment.shelf import Floats

_SORT: Final = Sort(name="embedding service", article="an", place="embedder")
_JSON_NUMBER = 40  # bytes one number of an answer may take, generously
_ADVICE = {
    400: "Check the model's name, and whether it takes a number of dimensions or texts this long.",
    413: "A text is too long for this model.",
    422: "Check the model's name, and whether it takes a number of dimensions or texts this long.",
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

        address = checked_address(base_url, key, _SORT)
        if not model or dim < 1:
            raise InputError(
                "an embedding service needs a model name and a number of dimensions of at least 1.", place="embedder"
            )
        self.dim = dim
        root = root_of(address, "/embeddings")
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
            if last or self._closed.wait(self._pause(number, outcome.wait or 0.0)) or given_up.is_set():
                raise outcome.error
        raise InputError("an embedding service must be tried at least once.", place="limits.attempts")

    def _pause(self, number: int, wait: float) -> float:
        return pause(number, wait=wait, backoff=self._limits.backoff, longest=self._limits.longest_wait)

    def _ask_once(self, texts: list[str], seconds: float) -> list[object] | _Refused:
        import httpx  # noqa: PLC0415  # comes with the extra `http`

        body: dict[str, object] = {"model": self._model, "input": texts}
        if self._ask_dim:
            body["dimensions"] = self.dim
        within = httpx.Timeout(seconds, connect=min(seconds, self._limits.connect_timeout))
        try:
            with self._client.stream("POST", self._url, json=body, timeout=within) as reply:
                most = 100_000 + len(texts) * self.dim * _JSON_NUMBER
                content = read_within(reply, most=most, until=time.monotonic() + seconds)
        except httpx.TimeoutException as error:
            return _Refused(self._fault("did not answer in time.", "timeout", "Try later, or use smaller batches.", error))
        except httpx.RequestError as error:
            return _Refused(
                self._fault("cannot be reached.", "unreachable", "Check the address and that it is running.", error), wait=0.0
            )
        if content is None:
            return _Refused(self._fault("gave an answer that is too long or too slow.", "answer_too_large", "Check the address."))
        if reply.status_code != OK:
            return self._refusal(reply.status_code, content, reply.headers.get("Retry-After"))
        return self._rows(content, len(texts))

    def _refusal(self, status: int, content: bytes, retry_after: str | None) -> _Refused:
        named = error_word(content, self._key)
        error = self._fault(
            f"refused with status {status}{f' ({named})' if named else ''}.",
            "service_refused",
            advice(status, _ADVICE, "Check the address: it may not be an embedding service."),
        )
        passing = status in RETRIED and named != "insufficient_quota"
        return _Refused(error, wait=seconds_of(retry_after) if passing else None)

    def _rows(self, content: bytes, count: int) -> list[object] | _Refused:
        """The vectors of an answer in the order of the texts, by the index each carries."""
        answer = parsed(content)
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
