"""Files that are not text: which kind they are, by their first bytes, and what their reader found as passages that cite the page.

Rule of this file: no library is known here. A reader is a port; whoever calls hands in those that are installed.
"""

from __future__ import annotations

from collections.abc import Mapping

from muniment.errors import FormatError, install
from muniment.ingest.formats.documents import document_turns
from muniment.ingest.formats.parsed import Collector
from muniment.ingest.rules import is_blank
from muniment.ports import Reader
from muniment.types import Kind, Role, Turn

PDF, DOCX, IMAGE = "pdf", "docx", "image"
READER_EXTRAS: Mapping[str, str] = {PDF: "documents", DOCX: "documents", IMAGE: "ocr"}
"""The extra that brings the reader of each kind."""

_NAMES = {PDF: "a PDF", DOCX: "a Word document", IMAGE: "an image"}
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\x00", b"MM\x00*")
_PDF_WITHIN = 1024
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def file_kind(data: bytes) -> str:
    """Which kind of file that is not text this is, or nothing."""
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return PDF
    if data.startswith(b"PK\x03\x04") and b"word/" in data:
        return DOCX
    if data.startswith(_PICTURES) or (data.startswith(b"RIFF") and data[8:12] == b"WEBP"):
        return IMAGE
    return ""


def refuse_locked(data: bytes, name: str) -> None:
    """Raises FormatError for an office file that is locked with a password, or is of the kind before DOCX."""
    if data.startswith(_OLE):
        message = "this office file is locked with a password, or is of the old binary kind (.doc)."
        raise FormatError(message, place=name, code="document_locked", hint="Save it as DOCX or PDF without a password.")


def read_file(data: bytes, kind: str, *, into: Collector, document: str, readers: Mapping[str, Reader]) -> None:
    """Add the passages of a file to `into`, each with its page. A page that cannot be read is refused by its number.

    Raises FormatError when there is no reader for it, when it cannot be read at all, or when it holds no text.
    """
    if kind not in readers:
        message = f"this is {_NAMES[kind]}, and nothing that reads one was given."
        hint = f"Run: {install(READER_EXTRAS[kind])}, or give its text."
        raise FormatError(message, place=into.name, code="reader_missing", hint=hint)
    before = len(into.turns) + len(into.refused)
    for part in readers[kind].parts(data, name=into.name):
        place = into.name if part.page is None else f"{into.name}#p{part.page}"
        if part.fault:
            into.refuse(place, FormatError(part.fault, code="page_unreadable", hint="The other pages are read."))
            continue
        ref = document if part.page is None else f"{document}, p. {part.page}"
        page = {} if part.page is None else {"page": str(part.page)}
        for number, turn in enumerate(document_turns(part.text, document=ref, metadata=page), 1):
            if not is_blank(turn.text):
                into.add(turn, f"{place}#{number}" if part.page is None else place)
    if len(into.turns) + len(into.refused) == before:
        hint = "A scanned document has pictures of words: read those as images, or give its text."
        raise FormatError("no text was found in this file.", place=into.name, code="empty_content", hint=hint)


def image_turn(caption: str, *, name: str, metadata: Mapping[str, str] | None = None) -> Turn:
    """An image by what is said of it: an untrusted passage whose origin is the image's name."""
    return Turn(text=caption, role=Role.DOCUMENT, kind=Kind.PASSAGE, ref=name[:255], origin=name, metadata=dict(metadata or {}))
