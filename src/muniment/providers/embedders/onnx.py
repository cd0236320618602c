"""Sentence encoders in the ONNX format, run on this machine: tokens in, the mean of the token vectors out.

Rule of this file: batches are bounded by tokens and go to a thread one by one, so a question never waits for a long
ingest; a text longer than the model's window is read in several windows, so nothing of it is dropped unseen.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from muniment.errors import EmbedderError, MissingExtra, install
from muniment.providers.embedders.vectors import SMALLEST, unit_rows
from muniment.shelf import Floats, Ints

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

T = TypeVar("T")

WINDOW = 256
"""Tokens a model reads at once, unless told otherwise."""

BATCH_TOKENS = 512
BATCH_WINDOWS = 8
"""Larger batches measured slower for long texts, and hold memory."""

_KNOWN_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_TOKEN_AXES = 3


@dataclass(frozen=True, slots=True)
class Window:
    """Up to one window of a text's tokens; `text` is the text's place in what was asked, `marks` says which are not of it."""

    text: int
    ids: tuple[int, ...]
    marks: tuple[int, ...] = ()


class Encoder:
    """A loaded model with its tokenizer. Everything here blocks and is safe to call from several threads."""

    def __init__(self, model: Path, tokenizer: Tokenizer, *, window: int = WINDOW, threads: int = 1) -> None:
        with _as_embedder_error(f"the model {model.name} cannot be loaded.", code="model_unreadable"):
            self._session = open_session(model, threads=threads)
        self._inputs = {i.name for i in self._session.get_inputs()}
        self._output = self._session.get_outputs()[0]
        if not {"input_ids", "attention_mask"} <= self._inputs <= _KNOWN_INPUTS or len(self._output.shape) != _TOKEN_AXES:
            raise EmbedderError(
                f"the model {model.name} is not a sentence encoder of the usual shape.",
                code="model_unusable",
                hint="It must take input_ids and attention_mask, and answer with one vector per token.",
            )
        tokenizer.no_padding()
        tokenizer.enable_truncation(window)
        self._tokenizer = tokenizer
        self._nothing = (
            next((i for t in ("[UNK]", "<unk>", "[PAD]", "<pad>") if (i := tokenizer.token_to_id(t)) is not None), 0),
        )

    @property
    def dim(self) -> int:
        """Numbers in one vector, as the model declares it or as it answers."""
        declared = self._output.shape[-1]
        return declared if isinstance(declared, int) else self.sums([Window(0, self._nothing)]).shape[1]

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Every text's tokens in windows, shortest first; a text without tokens gets one that means nothing."""
        found = []
        for place, text in enumerate(texts):
            first = self._tokenizer.encode(text.encode("utf-8", "replace").decode())
            found += [
                Window(place, tuple(piece.ids) or self._nothing, tuple(piece.special_tokens_mask))
                for piece in (first, *first.overflowing)
            ]
        return sorted(found, key=lambda window: len(window.ids))

    def sums(self, windows: Sequence[Window]) -> Floats:
        """The summed token vectors of each window. A window's sum does not depend on the others in its batch."""
        hidden, mask = self._hidden(windows)
        sums: Floats = (hidden * mask[..., None].astype(np.float32)).sum(axis=1)
        return sums

    def tokens(self, windows: Sequence[Window]) -> list[Floats]:
        """The vectors of each window's own tokens, scaled to length 1."""
        hidden, _ = self._hidden(windows)
        found = []
        for window, rows in zip(windows, hidden, strict=True):
            own = rows[: len(window.ids)][np.array(window.marks or [0] * len(window.ids)) == 0]
            found.append(own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), SMALLEST))
        return found

    def _hidden(self, windows: Sequence[Window]) -> tuple[Floats, Ints]:
        ids = np.zeros((len(windows), max(len(w.ids) for w in windows)), np.int64)
        mask = np.zeros_like(ids)
        for row, window in enumerate(windows):
            ids[row, : len(window.ids)] = window.ids
            mask[row, : len(window.ids)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        with _as_embedder_error("the model failed on a text.", code="model_failed"):
            hidden = self._session.run([self._output.name], {name: feed[name] for name in self._inputs})[0]
        return hidden.astype(np.float32, copy=False), mask


class SentenceEmbedder:
    """Runs an `Encoder` off the event loop: one thread for passages, one for questions. Loads it when first needed.

    Bound to no event loop; may be shared by several and used from several threads.
    """

    def __init__(self, load: Callable[[], Encoder], *, identity: str, dim: int, prefixes: tuple[str, str] = ("", "")) -> None:
        self.identity = identity
        self.dim = dim
        self._prefixes = prefixes
        self._load = load
        self._encoder: Encoder | None = None
        self._loading = threading.Lock()
        self._closed = False
        self._bulk = ThreadPoolExecutor(1, thread_name_prefix="muniment-embed")
        self._quick = ThreadPoolExecutor(1, thread_name_prefix="muniment-embed-query")

    async def passages(self, texts: Sequence[str]) -> Floats:
        """One unit row per text, in order. Stops between batches when cancelled."""
        return await self._rows([self._prefixes[1] + text for text in texts], self._bulk)

    async def query(self, text: str) -> Floats:
        """One unit row for a question. One hop to the thread: a second would cost a third of a short question's time."""
        summed = await self._run(self._quick, partial(_summed, text=self._prefixes[0] + text))
        row: Floats = unit_rows(summed, count=1, dim=self.dim, source=self.identity)[0]
        return row

    async def tokens(self, texts: Sequence[str]) -> list[Floats]:
        """For each text, in order, one unit row per token of its own. Waits for no ingest."""
        found: list[list[Floats]] = [[] for _ in texts]
        windows = await self._run(self._quick, partial(Encoder.windows, texts=texts))
        for batch in batches(windows):
            rows = await self._run(self._quick, partial(Encoder.tokens, windows=batch))
            for window, own in zip(batch, rows, strict=True):
                found[window.text].append(own)
        return [np.concatenate(parts) for parts in found]

    async def close(self) -> None:
        """Let running batches end and release the model. Later calls raise EmbedderError."""
        self._closed = True
        for pool in (self._bulk, self._quick):
            await asyncio.to_thread(pool.shutdown)
        self._encoder = None

    async def _rows(self, texts: list[str], pool: ThreadPoolExecutor) -> Floats:
        sums = np.zeros((len(texts), self.dim), np.float32)
        windows = await self._run(pool, partial(Encoder.windows, texts=texts))
        for batch in batches(windows):
            found = await self._run(pool, partial(Encoder.sums, windows=batch))
            for window, row in zip(batch, found, strict=True):
                sums[window.text] += row
        # The mean and the sum point the same way, so scaling to length 1 makes the division needless.
        return unit_rows(sums, count=len(texts), dim=self.dim, source=self.identity)

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[[Encoder], T]) -> T:
        self._check_open()
        return await asyncio.get_running_loop().run_in_executor(pool, lambda: work(self._loaded()))

    def _check_open(self) -> None:
        if self._closed:
            raise EmbedderError("this embedder is closed.", code="closed", hint="Open the engine again.")

    def _loaded(self) -> Encoder:
        with self._loading:
            self._check_open()
            if self._encoder is None:
                self._encoder = self._load()
            return self._encoder


class OnnxEmbedder(SentenceEmbedder):
    """Any sentence encoder of your own: an ONNX file and the tokenizer.json that belongs to it.

    Token vectors are averaged. `prefixes` go before questions and before passages, where a model wants them (E5: "query: ",
    "passage: "). The identity follows from the content of the files, so a changed file is another model. Opening reads both
    files and loads the model, which can take seconds. Raises MissingExtra, or EmbedderError when a file is missing or unusable.
    """

    def __init__(
        self,
        model: str | Path,
        tokenizer: str | Path,
        *,
        window: int = WINDOW,
        prefixes: tuple[str, str] = ("", ""),
        threads: int = 1,
    ) -> None:
        require("onnxruntime", "tokenizers")
        from tokenizers import Tokenizer as Reader  # noqa: PLC0415  # comes with the extra `local`

        model, tokenizer = Path(model), Path(tokenizer)
        digests = [sha256(path)[:16] for path in (model, *_weights_beside(model), tokenizer)]
        with _as_embedder_error(f"{tokenizer.name} is not a tokenizer.json that can be read.", code="tokenizer_unreadable"):
            reader = Reader.from_file(str(tokenizer))
        encoder = Encoder(model, reader, window=window, threads=threads)
        identity = f"onnx:{'+'.join(digests)}:mean:{window}" + (f":{prefixes!r}" if any(prefixes) else "")
        super().__init__(lambda: encoder, identity=identity, dim=encoder.dim, prefixes=prefixes)


def open_session(model: Path, *, threads: int = 1) -> InferenceSession:
    """A model file ready to run on the processor. Raises whatever the runtime does for a file it cannot use."""
    os.putenv("ORT_DISABLE_TELEMETRY", "1")  # releases that the extra does not ask for would report to their maker on import
    import onnxruntime  # noqa: PLC0415  # comes with the extra `local`

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # A waiting thread sleeps: spinning took a quarter of the throughput on a busy machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def _summed(encoder: Encoder, text: str) -> Floats:
    """The sum of the token vectors of one text, as a row."""
    rows = [encoder.sums(batch).sum(axis=0) for batch in batches(encoder.windows([text]))]
    return np.stack(rows).sum(axis=0)[None, :]  # type: ignore[no-any-return]  # numpy leaves the type of an indexed row open


def batches(windows: Sequence[Window]) -> Iterator[list[Window]]:
    """Windows in batches of bounded size; each is padded to its longest, so they come in by length."""
    batch: list[Window] = []
    for window in windows:
        if batch and (len(batch) == BATCH_WINDOWS or (len(batch) + 1) * len(window.ids) > BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch


def require(*packages: str) -> None:
    """Raise MissingExtra unless all these packages of the extra `local` are installed."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise MissingExtra(
            f"embedding on this machine needs {' and '.join(missing)}, which is not installed.",
            hint=f"Run: {install('local')}, or search words alone with embedder=None.",
        )


def sha256(path: Path) -> str:
    """Hex digest of a file. Raises EmbedderError when it cannot be read."""
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbedderError(
            f"the file {path} cannot be read.", code="model_missing", hint="Give the full path of a file that exists."
        ) from error


def _weights_beside(model: Path) -> list[Path]:
    """Files in which a large model keeps its weights (model.onnx_data, model.onnx.data)."""
    return sorted(p for p in model.absolute().parent.glob("*data") if p.name.startswith(model.name))


@contextmanager
def _as_embedder_error(message: str, *, code: str) -> Iterator[None]:
    """Turn whatever the native libraries raise, which share no base class, into our error."""
    try:
        yield
    except Exception as error:
        raise EmbedderError(message, code=code, hint="Check the file, or open with another embedder.") from error
