"""Chat models behind any service that speaks the OpenAI wire format. Only the address that was named is ever asked.

Rule of this file: what is asked is bounded (time, size of the answer, retries), what is answered is checked before use, and no
message, cause or repr holds the key or a text. Redirects are refused, and proxies and credentials of the environment ignored.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from muniment.errors import InputError, MissingExtra, ProviderError, install
from muniment.providers.models.chat import Entry, Reply, asked, replied
from muniment.providers.service import OK, RETRIED, Sort, advice, checked_address, parsed, pause, read_within, root_of, seconds_of

if TYPE_CHECKING:
    import httpx

OPENAI: Final = "https://api.openai.com/v1"
_SORT: Final = Sort(name="model service", article="a", place="model")
_FORM_REFUSED: Final = frozenset({400, 422})
_MOST_BYTES: Final = 4_000_000
_ADVICE: Final = {
    400: "Check the model's name, and whether the prompt is too long for it.",
    413: "The prompt is too long for this model.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLimits:
    """How often a question is tried, and how long one try and all of them together may take; times in seconds."""

    attempts: int = 4
    timeout: float = 120.0
    connect_timeout: float = 5.0
    backoff: float = 1.0
    longest_wait: float = 30.0
    total: float = 600.0


DEFAULT_LIMITS: Final = ChatLimits()
READING_LIMITS: Final = ChatLimits(timeout=45.0, longest_wait=20.0, total=80.0)
"""For reading records, where an answer that comes too late is of no use."""


@dataclass(frozen=True, slots=True)
class _Refused:
    """One attempt that brought nothing, and the seconds the service wants us to wait (None: another attempt is no use)."""

    error: ProviderError
    wait: float | None = None
    status: int = 0


class HttpModel:
    """The model `model` behind `<base_url>/chat/completions`.

    Raises MissingExtra without the extra `http`, and InputError for an address or key that cannot be used.
    """

    def __init__(self, base_url: str, model: str, *, key: str | None = None, limits: ChatLimits = DEFAULT_LIMITS) -> None:
        if find_spec("httpx") is None:
            raise MissingExtra("a model behind an address needs httpx, which is not installed.", hint=f"Run: {install('http')}.")
        import httpx  # noqa: PLC0415  # comes with the extra `http`

        address = checked_address(base_url, key, _SORT)
        if not model:
            raise InputError("no model is named.", place="model", code="model_invalid", hint="Write openai:NAME@https://host/v1.")
        root = root_of(address, "/chat/completions")
        self.name = f"http:{root}:{model}"
        self._model = model
        self._limits = limits
        self._url = f"{address.scheme}://{root}/chat/completions"
        self._client: httpx.Client | None = httpx.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            follow_redirects=False,
            trust_env=False,
        )
        self._closed = threading.Event()
        self._takes_schema = True

    def __repr__(self) -> str:
        return f"HttpModel({self.name!r})"

    def answer(
        self, messages: Sequence[Entry], tools: Sequence[Entry] = (), *, max_tokens: int, seed: int, schema: str = ""
    ) -> Reply:
        """One answer at temperature 0. What fails in passing is tried again, a bounded number of times.

        A service that refuses to be given a schema is asked without one from then on.
        """
        number, until = 0, time.monotonic() + self._limits.total
        while True:
            form = schema if self._takes_schema else ""
            body = {"model": self._model, **asked(messages, tools, max_tokens=max_tokens, seed=seed, schema=form)}
            outcome = self._ask_once(body, until)
            if not isinstance(outcome, _Refused):
                return replied(outcome, f"the model {self.name}")
            if form and outcome.status in _FORM_REFUSED:
                self._takes_schema = False
                continue
            number += 1
            wait = self._pause(number, outcome.wait or 0.0)
            last = number >= self._limits.attempts or outcome.wait is None or time.monotonic() + wait >= until
            if last or self._closed.wait(wait):
                raise outcome.error

    def _pause(self, number: int, wait: float) -> float:
        return pause(number - 1, wait=wait, backoff=self._limits.backoff, longest=self._limits.longest_wait)

    def close(self) -> None:
        """Close the connections, and try nothing again."""
        self._closed.set()
        if self._client is not None:
            self._client.close()
        self._client = None

    def _ask_once(self, body: dict[str, object], until: float) -> object:
        """The answer as parsed, or a `_Refused`."""
        import httpx  # noqa: PLC0415  # comes with the extra `http`

        if self._client is None:
            raise ProviderError("this model is closed.", code="closed", hint="Open it again.")
        seconds = max(0.001, min(self._limits.timeout, until - time.monotonic()))
        within = httpx.Timeout(seconds, connect=min(seconds, self._limits.connect_timeout))
        try:
            with self._client.stream("POST", self._url, json=body, timeout=within) as reply:
                content = read_within(reply, most=_MOST_BYTES, until=time.monotonic() + seconds)
        except httpx.TimeoutException as error:
            return _Refused(self._fault("did not answer in time.", "timeout", "Try later, or ask for less.", error), wait=0.0)
        except httpx.RequestError as error:
            hint = "Check the address and that it is running."
            wait = None if isinstance(error, httpx.ConnectError) else 0.0
            return _Refused(self._fault("cannot be reached.", "unreachable", hint, error), wait)
        if content is None:
            return _Refused(self._fault("gave an answer that is too long or too slow.", "answer_too_large", "Check the address."))
        status = reply.status_code
        if status != OK:
            hint = advice(status, _ADVICE, "Check the address.")
            refusal = self._fault(f"refused with status {status}.", "service_refused", hint)
            wait = seconds_of(reply.headers.get("Retry-After")) if status in RETRIED else None
            return _Refused(refusal, wait=wait, status=status)
        return parsed(content)

    def _fault(self, what: str, code: str, hint: str, cause: Exception | None = None) -> ProviderError:
        error = ProviderError(f"the model {self.name} {what}", code=code, hint=hint)
        error.__cause__ = cause
        return error
