"""Bytes to text and lines, with bounded memory and the exact place of what cannot be read.

UTF-8 with or without a byte-order mark, and UTF-16 or UTF-32 with one. Lines end at a line feed; a carriage return before it
goes.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from muniment.errors import FormatError

MAX_LINE = 24 << 20
"""Bytes in one line of a JSON Lines file: room for the longest turn with every character escaped, and its tool calls, or with the
largest blob in base64."""

# UTF-32 first, since its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# How pictures, programs, archives and their like begin.
_BINARY = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x7fELF", b"%PDF-", b"PK\x03\x04", b"\x1f\x8b")


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end, counted from 1; `data` is None for a line that is too long to be read."""

    number: int
    data: bytes | None


def as_utf8(data: bytes, name: str) -> bytes:
    """`data` without a byte-order mark, recoded to UTF-8 when the mark says UTF-16 or UTF-32. UTF-8 is not checked here."""
    if data.startswith(codecs.BOM_UTF8):
        return data[len(codecs.BOM_UTF8) :]
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)
    if encoding is None:
        return data
    try:
        return data.decode(encoding).encode()
    except UnicodeDecodeError as error:
        raise _undecodable(name, f"{encoding.upper()} text, as its mark says it is", error.start) from error


def decode(data: bytes, place: str, *, line: int | None = None) -> str:
    """`data` as UTF-8 text. Raises FormatError naming the first byte that is not, and its line."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if line is None and (b"\0" in data or data.startswith(_BINARY)):
            what = f"this is a binary file: byte {error.start} (0x{data[error.start]:02x}) is no text."
            raise FormatError(what, place=place, code="invalid_utf8", hint="Give its text, saved as UTF-8.") from error
        where = f", line {data.count(10, 0, error.start) + 1}" if line is None else ""
        raise _undecodable(place, "UTF-8 text", error.start, f" (0x{data[error.start]:02x}{where})") from error


def _undecodable(place: str, what: str, at: int, shown: str = "") -> FormatError:
    return FormatError(
        f"this is not {what}: byte {at}{shown} does not fit.",
        place=place,
        code="invalid_utf8",
        hint="Save it as UTF-8 and try again.",
    )


def lines(stream: BinaryIO) -> Iterator[Line]:
    """The lines of `stream` that hold anything, never more than one of them in memory and none longer than `MAX_LINE`."""
    number = 0
    while data := stream.readline(MAX_LINE + 2):
        number += 1
        if len(data) > MAX_LINE and not data.endswith(b"\n"):
            while data and not data.endswith(b"\n"):
                data = stream.readline(MAX_LINE)
            yield Line(number, None)
        elif data.strip():
            yield Line(number, data.rstrip(b"\r\n"))


def too_long() -> FormatError:
    """The error for a line that is too long to be read."""
    return FormatError(
        f"this line is longer than {MAX_LINE} bytes.", code="too_large", hint="Split it; the other lines are read."
    )
