"""Lines of Markdown, and which of them are code or comment, where no sign means anything.

Rule of this file: every character belongs to exactly one line; only LF ends one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_OPENER = re.compile(r" {0,3}[`~<]")
_FENCE = re.compile(r"( *)(`{3,}|~{3,})(.*)")
_OPAQUE_HTML = {"<!--": "-->", "<pre": "</pre>", "<script": "</script>", "<style": "</style>"}
_LEADING_BLANKS = re.compile(r"(?:[ \t]*\r?\n)+")
_BLANK = " \t\r\n"
_MOST_INDENT = 3  # more makes a line code


class Line(NamedTuple):
    """One line with its ending: where it starts in the text, its number from 1, and whether it is inside code or a comment."""

    text: str
    start: int
    number: int
    opaque: bool

    @property
    def end(self) -> int:
        """Where the next line starts."""
        return self.start + len(self.text)


class Left(NamedTuple):
    """What a text leaves open at its end: what it is, and the line it began in."""

    what: str
    line: int


class Scanner:
    """Reads lines from `start` on. `left` says, once they are read, what was opened and never closed."""

    def __init__(self, text: str, start: int = 0, number: int = 1) -> None:
        self._text = text
        self._start = start
        self._number = number
        self._mark = ""  # what ends what is open: a fence, or the end of an HTML block
        self._indent = 0
        self.left: Left | None = None

    def __iter__(self) -> Iterator[Line]:
        for start, end, number in _spans(self._text, self._start, self._number):
            text = self._text[start:end]
            if self.left:
                yield Line(text, start, number, opaque=True)
                if self._closes(text):
                    self.left = None
            else:
                yield Line(text, start, number, opaque=bool(_OPENER.match(text)) and self._opens(text, number))

    def _opens(self, line: str, number: int) -> bool:
        bare = line.lstrip(" ")
        opening = bare[:8].lower()
        for start, end in _OPAQUE_HTML.items():
            if opening.startswith(start):
                if end not in bare[len(start) :].lower():
                    self._mark, self.left = end, Left("HTML comment" if start == "<!--" else f"{start}>", number)
                return True
        found = _FENCE.match(line)
        if not found or (found[2][0] == "`" and "`" in found[3]):
            return False
        self._mark, self._indent, self.left = found[2], len(line) - len(bare), Left("code fence", number)
        return True

    def _closes(self, line: str) -> bool:
        if self._mark[0] not in "`~":
            return self._mark in line.lower()
        found = _FENCE.match(line)
        return bool(
            found
            and len(found[1]) <= self._indent + _MOST_INDENT
            and found[2].startswith(self._mark)
            and not found[3].strip(_BLANK)
        )


def _spans(text: str, start: int, number: int) -> Iterator[tuple[int, int, int]]:
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield start, end, number
        start, number = end, number + 1


def is_blank(text: str) -> bool:
    """Whether there is nothing but spaces, tabs and line ends."""
    return not text.strip(_BLANK)


def trimmed(text: str, line: int) -> tuple[str, int]:
    """`text` without blank lines at its ends and without its last line end, and the line it then starts at.

    Everything between stays byte for byte, the indentation of the first line and spaces at the end of the last one too.
    """
    if is_blank(text):
        return "", line
    found = _LEADING_BLANKS.match(text)
    start = found.end() if found else 0
    last = len(text.rstrip(_BLANK))
    end = text.find("\n", last)
    end = len(text) if end < 0 else end - (text[end - 1] == "\r")
    return text[start:end], line + text.count("\n", 0, start)
