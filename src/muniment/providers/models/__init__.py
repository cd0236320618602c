"""Chat models. One string names one: a script, a file in this process, or a service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from muniment.errors import InputError
from muniment.providers.models.chat import ChatModel, Reply
from muniment.providers.models.gguf import GgufModel
from muniment.providers.models.http import DEFAULT_LIMITS, OPENAI, ChatLimits, HttpModel
from muniment.providers.models.scripted import ScriptedModel, script

__all__ = ["ChatModel", "GgufModel", "HttpModel", "Reply", "ScriptedModel", "open_model"]

FORM: Final = "Write scripted:cliff=7, gguf:FILE, gguf:smollm2, openai:NAME or openai:NAME@https://host/v1."


def open_model(
    name: str, *, key: str | None = None, threads: int | None = None, limits: ChatLimits = DEFAULT_LIMITS
) -> ChatModel:
    """The model a name stands for: `scripted:SCRIPT`, `gguf:FILE`, `gguf:smollm2`, `openai:NAME`, `openai:NAME@ADDRESS`.

    `key` goes only to the service that the name stands for; `threads` is for a file, None takes every core;
    `limits` are for a service.
    Raises InputError, MissingExtra or ProviderError.
    """
    scheme, _, rest = name.partition(":")
    factory = _MODELS.get(scheme)
    if factory is None:
        near = get_close_matches(scheme, _MODELS, n=1)
        raise InputError(
            f"there is no kind of model named {scheme[:40]!r}.",
            place="model",
            code="model_unknown",
            hint=f"Did you mean {near[0]!r}? {FORM}" if near else FORM,
        )
    return factory(rest, _Means(key=key, threads=threads, limits=limits))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    key: str | None = field(repr=False)
    threads: int | None
    limits: ChatLimits


def _scripted(rest: str, _: _Means) -> ChatModel:
    return ScriptedModel(script(rest), name=f"scripted:{rest}")


def _gguf(rest: str, means: _Means) -> ChatModel:
    if not rest:
        raise InputError("no model file is named.", place="model", code="model_invalid", hint=FORM)
    return GgufModel(rest, threads=means.threads)


def _openai(rest: str, means: _Means) -> ChatModel:
    model, mark, address = rest.rpartition("@http")
    if mark:
        return HttpModel(f"http{address}", model, key=means.key, limits=means.limits)
    if not means.key:
        raise InputError(
            "a model of OpenAI needs a key.",
            place="model",
            code="key_missing",
            hint="Set MUNIMENT_MODEL_KEY or OPENAI_API_KEY, or name another service: openai:NAME@https://host/v1.",
        )
    return HttpModel(OPENAI, rest, key=means.key, limits=means.limits)


_MODELS: Final[Mapping[str, Callable[[str, _Means], ChatModel]]] = {
    "scripted": _scripted,
    "gguf": _gguf,
    "openai": _openai,
}
