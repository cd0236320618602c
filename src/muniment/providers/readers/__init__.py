"""Readers of files that are not text. Each is a library behind the port `Reader`; a missing one names its extra when used.

Rule of this room: a library's faults become FormatError here, with the page or part where they are.
"""

from __future__ import annotations

from collections.abc import Mapping

from muniment.ports import Reader
from muniment.providers.readers.docx import DocxReader
from muniment.providers.readers.ocr import OcrReader
from muniment.providers.readers.pdf import PdfReader


def readers() -> Mapping[str, Reader]:
    """The readers by kind of file: pdf, docx, image. Nothing is loaded before the first file of its kind."""
    return {"pdf": PdfReader(), "docx": DocxReader(), "image": OcrReader()}


__all__ = ["DocxReader", "OcrReader", "PdfReader", "readers"]
