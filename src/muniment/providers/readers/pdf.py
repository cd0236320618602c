"""PDF by pypdf: the text of each page, in the order of the file.

Rule of this file: a page that cannot be read is a part with its fault; the others are read. Pictures of words are not read here.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from muniment.errors import FormatError, MissingExtra, install
from muniment.ports import Part

if TYPE_CHECKING:
    import pypdf

MOST_PAGES = 10_000

# What pypdf raises on damaged files beside its own errors.
_FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    RecursionError,
    TypeError,
    ValueError,
    OSError,
)


class PdfReader:
    """Reads PDFs, those that open without a password. Raises MissingExtra on first use without the extra `documents`."""

    def parts(self, data: bytes, *, name: str) -> Sequence[Part]:
        """A part for each page. Raises FormatError when the file is locked, damaged, or has more than `MOST_PAGES` pages."""
        try:
            import pypdf  # noqa: PLC0415  # comes with the extra `documents`
            from pypdf.errors import PyPdfError  # noqa: PLC0415  # the same
        except ImportError as error:
            raise MissingExtra("reading a PDF needs pypdf.", place=name, hint=f"Run: {install('documents')}.") from error
        faults = (PyPdfError, *_FAULTS)
        with _quiet():
            try:
                pages = _pages(pypdf.PdfReader(BytesIO(data)), name)
            except faults as error:
                raise _damaged(name, error) from error
            return [_part(page, number, faults) for number, page in enumerate(pages, 1)]


def _pages(reader: pypdf.PdfReader, name: str) -> Sequence[pypdf.PageObject]:
    if reader.is_encrypted and not _opens(reader):
        hint = "Save it without a password, or give its text."
        raise FormatError("this PDF is locked with a password.", place=name, code="document_locked", hint=hint)
    if len(reader.pages) > MOST_PAGES:
        hint = "Split it."
        raise FormatError(f"this PDF has more than {MOST_PAGES} pages.", place=name, code="too_large", hint=hint)
    return list(reader.pages)


def _opens(reader: pypdf.PdfReader) -> bool:
    """Whether a PDF opens without a password, as those do that only forbid printing. Without its cipher's library it does not."""
    from pypdf.errors import DependencyError  # noqa: PLC0415  # comes with the extra `documents`

    try:
        return bool(reader.decrypt(""))
    except DependencyError:
        return False


def _part(page: pypdf.PageObject, number: int, faults: tuple[type[Exception], ...]) -> Part:
    try:
        text = page.extract_text()
    except faults as error:
        return Part(text="", page=number, fault=f"this page cannot be read ({type(error).__name__}).")
    return Part(text=text.replace("\0", "").encode(errors="replace").decode(), page=number)


def _damaged(name: str, error: Exception) -> FormatError:
    if isinstance(error, FormatError):
        return error
    message = f"this PDF is damaged or cut off ({type(error).__name__})."
    return FormatError(message, place=name, code="document_damaged", hint="Open it, save it anew, and try again.")


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep pypdf from logging what it mends on the way."""
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
