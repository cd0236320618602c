"""Word documents by python-docx: headings, paragraphs, lists and tables in order, in Markdown's signs.

Rule of this file: an archive is measured before it is opened, so that a small file cannot unpack to a huge one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from typing import Any, Protocol
from zipfile import BadZipFile, ZipFile

from muniment.errors import FormatError, MissingExtra, install
from muniment.ports import Part

MOST_BYTES = 200 << 20
"""Bytes that all parts of a document may unpack to."""
MOST_PARTS = 10_000
MOST_NESTED = 20
"""Tables inside tables that are read."""

_HEADING = re.compile(r"(?:Heading|heading) ([1-9])")
_FAULTS = (AttributeError, LookupError, NotImplementedError, RecursionError, SyntaxError, TypeError, ValueError, OSError)


class DocxReader:
    """Reads DOCX files. Raises MissingExtra on first use without the extra `documents`."""

    def parts(self, data: bytes, *, name: str) -> Sequence[Part]:
        """One part, the whole document. Raises FormatError when it is damaged, locked, or unpacks to more than `MOST_BYTES`."""
        try:
            import docx  # noqa: PLC0415  # comes with the extra `documents`
            from docx.opc.exceptions import OpcError  # noqa: PLC0415  # the same
        except ImportError as error:
            raise MissingExtra(
                "reading a Word document needs python-docx.", place=name, hint=f"Run: {install('documents')}."
            ) from error
        _measure(data, name)
        try:
            document = docx.Document(BytesIO(data))
            blocks = list(_blocks(document, 0))
        except (OpcError, BadZipFile, *_FAULTS) as error:
            message = f"this Word document is damaged ({type(error).__name__})."
            raise FormatError(
                message, place=name, code="document_damaged", hint="Open it, save it anew, and try again."
            ) from error
        return [Part(text=_spaced([block for block in blocks if block]))]


def _spaced(blocks: Sequence[str]) -> str:
    """The blocks apart from each other, items of a list close together."""
    parts = list(blocks[:1])
    for before, block in pairwise(blocks):
        parts += ["\n" if before.startswith("- ") and block.startswith("- ") else "\n\n", block]
    return "".join(parts)


def _measure(data: bytes, name: str) -> None:
    try:
        with ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
    except (BadZipFile, ValueError, OSError, NotImplementedError) as error:
        hint = "Open it, save it anew, and try again."
        raise FormatError("this Word document is no whole archive.", place=name, code="document_damaged", hint=hint) from error
    if len(members) > MOST_PARTS or sum(member.file_size for member in members) > MOST_BYTES:
        message = f"this document unpacks to more than {MOST_BYTES >> 20} MiB, or {MOST_PARTS} parts."
        raise FormatError(message, place=name, code="too_large", hint="Split it, or take its pictures out.")
    if any(member.flag_bits & 1 for member in members):
        hint = "Save it without a password."
        raise FormatError("this document is locked with a password.", place=name, code="document_locked", hint=hint)


class _Holder(Protocol):
    """What python-docx gives in order: a document or a cell."""

    def iter_inner_content(self) -> Iterator[Any]: ...


def _blocks(holder: _Holder, depth: int) -> Iterator[str]:
    """The paragraphs and tables of a document or a cell, in order; rows of lists stay together."""
    from docx.table import Table  # noqa: PLC0415  # comes with the extra `documents`

    for item in holder.iter_inner_content():
        if isinstance(item, Table):
            yield "\n".join(row for row in _rows(item, depth) if row)
        elif text := item.text.strip():
            yield f"{_lead(item.style.name if item.style is not None else '')}{text}"


def _rows(table: Any, depth: int) -> Iterator[str]:
    """Each row with its cells between bars; a cell that spans several columns is told once."""
    for row in table.rows:
        seen, cells = set(), []
        for cell in row.cells:
            if id(cell._tc) not in seen:  # noqa: SLF001  # the only name of the cell itself; wrappers are made anew
                seen.add(id(cell._tc))  # noqa: SLF001  # as above
                inner = _blocks(cell, depth + 1) if depth < MOST_NESTED else iter(())
                cells.append(" ".join(block.replace("\n", " ") for block in inner))
        yield " | ".join(cells) if any(cells) else ""


def _lead(style: str | None) -> str:
    found = _HEADING.match(style or "")
    if found:
        return "#" * min(int(found[1]), 6) + " "
    if style == "Title":
        return "# "
    return "- " if (style or "").startswith("List") else ""
