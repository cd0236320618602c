"""Words in images by RapidOCR, whose models come inside its package: nothing is fetched, nothing is sent.

Rule of this file: the engine is loaded once, on the first image; it is large and slow, so it is in no default.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from importlib import import_module
from io import BytesIO
from typing import Any

from muniment.errors import FormatError, MissingExtra, install
from muniment.ports import Part

MOST_PIXELS = 50_000_000
LEAST_SCORE = 0.5
"""How sure the engine must be of a line for it to be kept."""


class OcrReader:
    """Reads the words in PNG, JPEG, GIF, WebP and TIFF files, left to right and top to bottom.

    Raises MissingExtra on first use without the extra `ocr`.
    """

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads
        self._engine: Callable[..., Any] | None = None

    def parts(self, data: bytes, *, name: str) -> Sequence[Part]:
        """One part with a line for each line of words. Raises FormatError for a damaged or too large image, and one without."""
        _measure(data, name)
        engine = self._loaded(name)
        found, _ = engine(data)
        lines = [text for _, text, score in found or () if float(score) >= LEAST_SCORE]
        if not lines:
            hint = "Give a caption: what the image shows, in words."
            raise FormatError("no words were found in this image.", place=name, code="empty_content", hint=hint)
        return [Part(text="\n".join(lines))]

    def _loaded(self, name: str) -> Callable[..., Any]:
        if self._engine is None:
            try:
                engine = import_module("rapidocr_onnxruntime").RapidOCR
            except ImportError as error:
                raise _missing(name) from error
            self._engine = engine(intra_op_num_threads=self._threads, inter_op_num_threads=1)
            logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        return self._engine


def _measure(data: bytes, name: str) -> None:
    """Look at an image's size before its pixels are unpacked."""
    try:
        from PIL import Image  # noqa: PLC0415  # comes with the extra `ocr`
    except ImportError as error:
        raise _missing(name) from error
    try:
        with Image.open(BytesIO(data)) as image:
            width, height = image.size
            if width * height <= MOST_PIXELS:
                image.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        hint = "Save it anew as PNG, or give a caption."
        raise FormatError("this image is damaged.", place=name, code="document_damaged", hint=hint) from error
    if width * height > MOST_PIXELS:
        message = f"this image has {width} by {height} pixels."
        raise FormatError(
            message, place=name, code="too_large", hint=f"Scale it to at most {MOST_PIXELS // 1_000_000} megapixels."
        )


def _missing(name: str) -> MissingExtra:
    return MissingExtra("reading words in an image needs rapidocr-onnxruntime.", place=name, hint=f"Run: {install('ocr')}.")
