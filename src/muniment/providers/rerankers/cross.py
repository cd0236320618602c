"""A cross-encoder of your own, as an ONNX file with its tokenizer.json: question and passage are read together.

Rule of this file: what does not fit is refused when it is opened, in words; a passage is read as far as the window goes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from muniment.errors import ProviderError
from muniment.ports import Judgement, Passage
from muniment.providers.embedders.onnx import open_session, require, sha256

WINDOW = 256
MOST = 30
WEIGHT = 3.0
_BATCH = 8
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})


class CrossEncoder:
    """Judges with a model that answers one number for a question and a passage; the number is squeezed into 0 to 1.

    `weight` is what a certain answer is worth: with 3.0 the model decides, and what stood before counts where it is unsure.
    The name follows from the content of the files. Raises MissingExtra, or ProviderError for a file that is missing or unusable.
    """

    def __init__(
        self,
        model: str | Path,
        tokenizer: str | Path,
        *,
        most: int = MOST,
        weight: float = WEIGHT,
        window: int = WINDOW,
        threads: int = 1,
    ) -> None:
        require("onnxruntime", "tokenizers")
        from tokenizers import Tokenizer  # noqa: PLC0415  # comes with the extra `local`

        model, tokenizer = Path(model), Path(tokenizer)
        self.name = "onnx:" + "+".join(sha256(path)[:16] for path in (model, tokenizer))
        self.most = most
        self._weight = weight
        with _as_ours(f"{tokenizer.name} is not a tokenizer.json that can be read.", code="tokenizer_unreadable"):
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(window, strategy="only_second")
        with _as_ours(f"the model {model.name} cannot be loaded.", code="model_unreadable"):
            self._session = open_session(model, threads=threads)
        self._inputs = {one.name for one in self._session.get_inputs()}
        self._output = self._session.get_outputs()[0].name
        if not {"input_ids", "attention_mask"} <= self._inputs <= _INPUTS:
            raise _unfit(model, f"takes {', '.join(sorted(self._inputs))}")
        if (shape := self._logits([("a question", "a passage"), ("a question", "another passage")]).shape) not in {(2,), (2, 1)}:
            raise _unfit(model, f"answers two pairs with numbers of shape {shape}")
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="muniment-rerank")
        self._closed = False

    async def judge(self, query: str, passages: Sequence[Passage]) -> Judgement:
        """What the model says of each pair. Stops between batches when cancelled. Raises ProviderError when it fails."""
        scores: list[float | None] = []
        for start in range(0, len(passages), _BATCH):
            if self._closed:
                raise ProviderError("this reranker is closed.", code="closed", hint="Open it again.")
            pairs = [(query, passage.text) for passage in passages[start : start + _BATCH]]
            logits = await asyncio.get_running_loop().run_in_executor(self._pool, self._logits, pairs)
            with np.errstate(over="ignore"):
                scores += [float(one) for one in self._weight / (1 + np.exp(-logits.reshape(-1)))]
        return Judgement(scores=scores)

    async def close(self) -> None:
        """Let the running batch end. Later calls raise ProviderError."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown)

    def _logits(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        with _as_ours("the cross-encoder failed on a passage.", code="model_failed"):
            read = [self._tokenizer.encode(_clean(query), _clean(text)) for query, text in pairs]
            ids = np.zeros((len(read), max(len(one.ids) for one in read)), np.int64)
            feed = {name: np.zeros_like(ids) for name in _INPUTS}
            for row, one in enumerate(read):
                size = len(one.ids)
                feed["input_ids"][row, :size] = one.ids
                feed["attention_mask"][row, :size] = 1
                feed["token_type_ids"][row, :size] = one.type_ids
            found = self._session.run([self._output], {name: feed[name] for name in self._inputs})[0]
            return np.asarray(found, np.float64)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _unfit(model: Path, what: str) -> ProviderError:
    return ProviderError(
        f"the model {model.name} is no cross-encoder of the usual shape: it {what}.",
        code="model_unusable",
        hint="It must take input_ids and attention_mask, and answer one number for each pair of question and passage.",
    )


@contextmanager
def _as_ours(message: str, *, code: str) -> Iterator[None]:
    """Turn whatever the native libraries raise, which share no base class, into our error."""
    try:
        yield
    except Exception as error:
        raise ProviderError(message, code=code, hint="Check the file, or open with another reranker.") from error
