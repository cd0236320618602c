"""One string names a store, an embedder, a token counter, a model or a reranker; this file turns it into the thing.

Rule of this file: the built-in table first, then what installed packages offer under the entry point groups `muniment.stores`,
`muniment.embedders`, `muniment.tokens`, `muniment.models` and `muniment.rerankers`. A name that fits nothing is an error that
shows the right form.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from muniment.errors import InputError, MissingExtra, StoreUnusable, install
from muniment.ports import Embedder, Model, Reranker, Store, TokenEmbedder, Tokens
from muniment.providers.embedders.cache import CachedEmbedder
from muniment.providers.embedders.hashed import HashedEmbedder
from muniment.providers.embedders.http import HttpEmbedder
from muniment.providers.embedders.local import LocalEmbedder, is_installed
from muniment.providers.embedders.onnx import OnnxEmbedder
from muniment.providers.models import open_model as open_chat
from muniment.providers.models.agents import AgentModel
from muniment.providers.models.answers import ChatAnswers
from muniment.providers.models.http import READING_LIMITS

StoreFactory = Callable[[str], Awaitable[Store]]
EmbedderFactory = Callable[[str, str | None], Embedder | None]
TokensFactory = Callable[[str], Tokens]
ModelFactory = Callable[[str, str | None], Model | None]
RerankerFactory = Callable[[str, str | None], Reranker | None]

_SHOWN = 80
OPENAI = "https://api.openai.com/v1"
NATIVE_DIMS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}


async def open_store(url: str, *, create: bool = True) -> Store:
    """Open the store a URL names.

    A file is `sqlite:///relative.db` or `sqlite:////absolute.db`, a database on a server `postgresql://user:password@host/name`;
    there are `memory://` and those of installed packages. Without `create` a store that is not there is an error and stays
    absent. Raises StoreUnusable for a URL of no known form or a store that is missing, MissingExtra, and whatever the store
    raises when it cannot be opened.
    """
    scheme, colon, _ = url.partition(":")
    if not colon or not scheme.isascii() or not scheme.isalnum() or len(scheme) == 1:  # no scheme, or a drive letter
        raise _wrong_url("a store is named by a URL", _sqlite_form(url))
    factory: StoreFactory | None = _STORES.get(scheme) or _offered("muniment.stores", scheme)
    if factory is None:
        raise _wrong_url(f"there is no store named {scheme!r}", _did_you_mean(scheme, _names(_STORES, "muniment.stores")))
    if not create and scheme == "sqlite":
        await asyncio.to_thread(_must_exist, _sqlite_path(url))
    if not create and factory is _open_postgres:
        return await _open_postgres(url, create=False)
    return await factory(url)


def is_fleeting(url: str) -> bool:
    """True for a store that is gone when its process ends."""
    return url.partition(":")[0] == "memory"


def shown_url(url: str) -> str:
    """A store's URL as it may be shown: without a password, and without the options of a server, which may hold one."""
    if url.partition(":")[0] in ("sqlite", "memory"):
        return url
    return re.sub(r"//([^/:@]*):.*@", r"//\1@", url.partition("?")[0])


def open_embedder(name: str | None, *, key: str | None = None) -> Embedder | None:
    """The embedder a name stands for, or None when words alone are to be searched.

    `auto` (local if its extra is installed, else none), `none`, `local`, `hashed`, `onnx:MODEL#TOKENIZER`, `openai:MODEL`,
    `https://host/v1#MODEL`, or one of an installed package. Reads model files, so call it off the event loop. `key` goes only
    to the service that the name stands for. Raises InputError, MissingExtra or EmbedderError.
    """
    if name is None:
        return None
    scheme = name.partition(":")[0]
    factory: EmbedderFactory | None = _EMBEDDERS.get(scheme)
    if factory is None and (offered := _offered("muniment.embedders", scheme)) is not None:
        factory = offered
    if factory is None:
        raise InputError(
            f"there is no embedder named {scheme!r}.",
            place="embedder",
            code="embedder_unknown",
            hint=_did_you_mean(scheme, _names(_EMBEDDERS, "muniment.embedders")),
        )
    return factory(name, key)


def open_tokens(name: str) -> Tokens:
    """The token counter a name stands for: `auto`, `estimate`, `o200k` or `cl100k`, or one of an installed package.

    `auto` is `o200k` if the extra `tokens` is installed, else `estimate`.
    Raises InputError for an unknown name, MissingExtra when the counter is not installed.
    """
    factory: TokensFactory | None = _TOKENS.get(name) or _offered("muniment.tokens", name)
    if factory is None:
        raise InputError(
            f"there is no token counter named {name!r}.",
            place="tokens",
            code="tokens_unknown",
            hint=_did_you_mean(name, _names(_TOKENS, "muniment.tokens")),
        )
    return factory(name)


def open_model(name: str | None, *, key: str | None = None) -> Model | None:
    """The model a name stands for, or None when none is to be asked.

    `none`, `ai:PROVIDER:NAME`, `openai:NAME`, `openai:NAME@ADDRESS`, `gguf:FILE`, `gguf:smollm2`, or one of an installed package.
    Reads model files, so call it off the event loop. `key` goes only to the service that the name stands for.
    Raises InputError, MissingExtra or ProviderError.
    """
    if name is None:
        return None
    scheme = name.partition(":")[0]
    factory: ModelFactory | None = _MODELS.get(scheme) or _offered("muniment.models", scheme)
    if factory is None:
        raise InputError(
            f"there is no kind of model named {scheme[:_SHOWN]!r}.",
            place="model",
            code="model_unknown",
            hint=_did_you_mean(scheme, _names(_MODELS, "muniment.models")),
        )
    return factory(name, key)


def open_reranker(name: str | None, *, embedder: Embedder | None = None, key: str | None = None) -> Reranker | None:
    """The reranker a name stands for, or None when candidates keep the order of their scores.

    `none`, `late` (the tokens of `embedder`, the one that the engine is opened with), `onnx:MODEL#TOKENIZER` (a cross-encoder),
    `model:NAME` (any model that `open_model` knows; `key` goes to its service), or one of an installed package. Reads model
    files, so call it off the event loop. Raises InputError, MissingExtra or ProviderError.
    """
    if name is None:
        return None
    if name == "late":
        return _late(embedder)
    scheme = name.partition(":")[0]
    factory: RerankerFactory | None = _RERANKERS.get(scheme) or _offered("muniment.rerankers", scheme)
    if factory is None:
        raise InputError(
            f"there is no reranker named {scheme[:_SHOWN]!r}.",
            place="reranker",
            code="reranker_unknown",
            hint=_did_you_mean(scheme, ["late", *_names(_RERANKERS, "muniment.rerankers")]),
        )
    return factory(name, key)


async def _open_sqlite(url: str) -> Store:
    from muniment.stores.sqlite import open_sqlite  # noqa: PLC0415  # loaded only when named

    return await open_sqlite(_sqlite_path(url))


def _sqlite_path(url: str) -> str:
    path = url.removeprefix("sqlite:///")
    if path == url:
        raise _wrong_url(
            "a SQLite URL has three slashes before its path", _sqlite_form(url.removeprefix("sqlite:").removeprefix("//"))
        )
    if path in {"", ":memory:"}:
        raise _wrong_url("this SQLite URL names no file", "For a store that lives in this process only, write memory://.")
    if path.startswith("~") or not path.isprintable() or any(mark in path for mark in "?#"):
        raise _wrong_url(
            "this SQLite URL has more than a path", "Write sqlite:///file.db or sqlite:////full/path/file.db, without ~, ? and #."
        )
    return path


def _must_exist(path: str) -> None:
    try:
        there = Path(path).exists()
    except OSError:  # what keeps it from being looked at is told when it is opened
        return
    if not there:
        raise StoreUnusable(
            "there is no store here yet.",
            place=str(Path(path).absolute()),
            code="store_missing",
            hint="Ingest something first, or name another store.",
        )


async def _open_postgres(url: str, *, create: bool = True) -> Store:
    try:
        from muniment.stores.postgres import open_postgres  # noqa: PLC0415  # loaded only when named
    except ModuleNotFoundError as error:
        if error.name != "asyncpg":
            raise
        raise MissingExtra("a store on a server needs a package that is not installed.", hint=install("postgres")) from error
    return await open_postgres(url, create=create)


async def _open_memory(url: str) -> Store:
    if url != "memory://":
        raise _wrong_url("a memory store has no name", "Write memory://.")
    from muniment.stores.memory import MemoryStore  # noqa: PLC0415  # loaded only when named

    return MemoryStore()


def _auto_embedder(name: str, key: str | None) -> Embedder | None:
    _only("auto", name)
    return _local("local", key) if is_installed() else None


def _no_embedder(name: str, _: str | None) -> None:
    _only("none", name)


def _local(name: str, _: str | None) -> Embedder:
    _only("local", name)
    return CachedEmbedder(LocalEmbedder())


def _hashed(name: str, _: str | None) -> Embedder:
    _only("hashed", name)
    return HashedEmbedder()


def _onnx(name: str, _: str | None) -> Embedder:
    model, _mark, tokenizer = name.removeprefix("onnx:").partition("#")
    if not model or not tokenizer:
        raise _wrong_embedder("an ONNX embedder needs two files", "Write onnx:/path/model.onnx#/path/tokenizer.json.")
    return CachedEmbedder(OnnxEmbedder(model, tokenizer))


def _openai(name: str, key: str | None) -> Embedder:
    if not key:
        raise _wrong_embedder(
            "an OpenAI embedder needs a key",
            "Set MUNIMENT_EMBEDDER_KEY or OPENAI_API_KEY, or search without a key: local or none.",
        )
    return _service(OPENAI, name.removeprefix("openai:"), key)


def _http(name: str, key: str | None) -> Embedder:
    address, _mark, model = (name.removeprefix("http:") if name.startswith("http:http") else name).partition("#")
    return _service(address, model, key)


def _service(address: str, choice: str, key: str | None) -> Embedder:
    """`choice` is MODEL, MODEL?dimensions=N (N is asked for and checked) or MODEL?dim=N (N is only checked)."""
    form = "Write openai:MODEL or https://host/v1#MODEL, then ?dimensions=N to ask for N numbers, or ?dim=N where N is fixed."
    model, mark, options = choice.partition("?")
    given = parse_qs(options)
    asked, known = given.pop("dimensions", []), given.pop("dim", [])
    sizes = [int(size) for size in asked + known if size.isascii() and size.isdecimal()]
    if not model or given or (mark and len(sizes) != 1) or len(asked + known) != len(sizes):
        raise _wrong_embedder("this does not name a model of an embedding service", form)
    dim = sizes[0] if sizes else NATIVE_DIMS.get(model)
    if dim is None:
        raise _wrong_embedder(f"the number of dimensions of {model!r} is not known", form)
    return CachedEmbedder(HttpEmbedder(address, model, dim=dim, ask_dim=bool(asked), key=key))


def _auto_tokens(name: str) -> Tokens:
    try:
        return _bpe("o200k")
    except MissingExtra:
        return _estimate(name)


def _estimate(_: str) -> Tokens:
    from muniment.providers.tokens import EstimatedTokens  # noqa: PLC0415  # loaded only when named

    return EstimatedTokens()


def _bpe(name: str) -> Tokens:
    from muniment.providers.tokens import BpeTokens  # noqa: PLC0415  # loaded only when named

    return BpeTokens(name)


def _no_model(name: str, _: str | None) -> None:
    if name != "none":
        raise InputError("'none' takes nothing after its name.", place="model", code="model_invalid", hint="Write none.")


def _agent_model(name: str, key: str | None) -> Model:
    return AgentModel(name.removeprefix("ai:"), key=key)


def _chat_model(name: str, key: str | None) -> Model:
    return ChatAnswers(open_chat(name, key=key, limits=READING_LIMITS))


def _late(embedder: Embedder | None) -> Reranker:
    from muniment.providers.rerankers.late import LateInteraction  # noqa: PLC0415  # loaded only when named

    inner: object = embedder.inner if isinstance(embedder, CachedEmbedder) else embedder
    if not isinstance(inner, TokenEmbedder):
        raise _wrong_reranker(
            "late interaction needs an embedder that gives the vectors of single tokens",
            "Open with embedder='local' or onnx:MODEL#TOKENIZER, or without a reranker.",
        )
    return LateInteraction(inner)


def _no_reranker(name: str, _: str | None) -> None:
    if name != "none":
        raise _wrong_reranker("'none' takes nothing after its name", "Write none.")


def _cross_encoder(name: str, _: str | None) -> Reranker:
    from muniment.providers.rerankers.cross import CrossEncoder  # noqa: PLC0415  # loaded only when named

    model, _mark, tokenizer = name.removeprefix("onnx:").partition("#")
    if not model or not tokenizer:
        raise _wrong_reranker("a cross-encoder needs two files", "Write onnx:/path/model.onnx#/path/tokenizer.json.")
    return CrossEncoder(model, tokenizer)


def _model_reranker(name: str, key: str | None) -> Reranker:
    from muniment.providers.rerankers.model import ModelReranker  # noqa: PLC0415  # loaded only when named

    model = open_model(name.removeprefix("model:"), key=key) if name.startswith("model:") else None
    if model is None:
        raise _wrong_reranker(
            "a model that judges needs a name", "Write model: and the model's name, such as model:gguf:smollm2."
        )
    return ModelReranker(model, owns=True)


_STORES: Mapping[str, StoreFactory] = {
    "sqlite": _open_sqlite,
    "postgresql": _open_postgres,
    "postgres": _open_postgres,
    "memory": _open_memory,
}
_EMBEDDERS: Mapping[str, EmbedderFactory] = {
    "auto": _auto_embedder,
    "none": _no_embedder,
    "local": _local,
    "hashed": _hashed,
    "onnx": _onnx,
    "openai": _openai,
    "http": _http,
    "https": _http,
}
_MODELS: Mapping[str, ModelFactory] = {"none": _no_model, "ai": _agent_model, "openai": _chat_model, "gguf": _chat_model}
_RERANKERS: Mapping[str, RerankerFactory] = {"none": _no_reranker, "onnx": _cross_encoder, "model": _model_reranker}
_TOKENS: Mapping[str, TokensFactory] = {"auto": _auto_tokens, "estimate": _estimate, "o200k": _bpe, "cl100k": _bpe}


def _offered(group: str, name: str) -> Any:
    """What an installed package offers under this name. Two packages offering the same name is an error, not a race."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # loaded only when no built-in name fits

    found = {point.value: point for point in entry_points(group=group, name=name)}
    if len(found) > 1:
        raise InputError(
            f"{len(found)} installed packages offer {name!r} under {group}.",
            code="plugin_ambiguous",
            hint="Uninstall all but one of them.",
        )
    if not found:
        return None
    [point] = found.values()
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"the installed package that offers {name!r} under {group} does not load.",
            code="plugin_broken",
            hint="Reinstall or update it.",
        ) from error


def _names(built_in: Iterable[str], group: str) -> list[str]:
    from importlib.metadata import entry_points  # noqa: PLC0415  # loaded only for the hint of an error

    return [*built_in, *(point.name for point in entry_points(group=group))]


def _did_you_mean(name: str, known: list[str]) -> str:
    near = get_close_matches(name.lower(), known, n=1)
    return (
        f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}. Others come with a package that offers them."
    )


def _only(expected: str, name: str) -> None:
    if name != expected:
        raise _wrong_embedder(f"the embedder {expected!r} takes nothing after its name", f"Write {expected}.")


def _sqlite_form(path: str) -> str:
    return f"Write sqlite:///{path}." if 0 < len(path) <= _SHOWN and path.isprintable() else "Write sqlite:///file.db."


def _wrong_url(what: str, hint: str) -> StoreUnusable:
    return StoreUnusable(f"{what}.", place="store", code="store_url_invalid", hint=hint)


def _wrong_reranker(what: str, hint: str) -> InputError:
    return InputError(f"{what}.", place="reranker", code="reranker_invalid", hint=hint)


def _wrong_embedder(what: str, hint: str) -> InputError:
    return InputError(f"{what}.", place="embedder", code="embedder_invalid", hint=hint)
