"""HTML as readable text: headings, paragraphs, lists and table rows, in order, in Markdown's signs, to be cut like Markdown.

Rule of this file: what a visitor would not read as content (scripts, styles, navigation, what is hidden) is left out; words are
kept as they are. No tree is built, so depth costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape

_START = re.compile(
    r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--(?:[^-]|-(?!->)){0,2000}-->\s*)?"
    r"<(?:!doctype\s+html|html|head|body|title|meta|article|main|div|section)\b",
    re.IGNORECASE,
)
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_ROW = "row"
_LEADS = {**{f"h{level}": "#" * level + " " for level in range(1, 7)}, "title": "# ", "li": "- ", "tr": _ROW}
_VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"])
_LEFT_OUT = frozenset({
    "script", "style", "noscript", "template", "svg", "math", "nav", "aside", "footer", "form", "button", "select", "iframe",
    "object", "canvas", "dialog",
})  # fmt: skip
_BLOCKS = frozenset({
    "address", "article", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl", "dt", "fieldset", "figcaption",
    "figure", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "legend", "li", "main", "ol", "p", "pre", "section",
    "summary", "table", "tbody", "tfoot", "thead", "title", "tr", "ul",
})  # fmt: skip
_CELLS = frozenset({"td", "th"})
_CLOSED_BY_NEXT = frozenset({"p", "li", "dt", "dd", "td", "th", "tr", "option"})
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_LOOKS_LIKE_HEADING = re.compile(r"#{1,6}(?=\s|$)|(?:`{3,}|~{3,})")
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9:-]{0,40}+)"
    r"(?P<attrs>(?>[^<>\"']{1,2000}+|\"[^\"]{0,20000}+\"|'[^']{0,20000}+'){0,400}+)>"
)
_ATTR = re.compile(r"([^\s=\"'/]{1,60}+)(?:\s{0,9}+=\s{0,9}+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"']*+)))?")
_DECLARATION = re.compile(r"<[!?/][^<>]{0,4000}+>")
_RAW = frozenset({"script", "style", "iframe", "noscript", "template", "textarea"})


def is_html(text: str) -> bool:
    """True when `text` begins as a page or a piece of one."""
    return bool(_START.match(text))


def charset(data: bytes) -> str:
    """The encoding that a page names for itself in its first kilobytes, or nothing."""
    found = _CHARSET.search(data, 0, 4096)
    return found[1].decode("ascii") if found else ""


def readable(text: str) -> str:
    """What a visitor reads, in Markdown's signs; empty when there is nothing. Time is linear in the text."""
    page = _Page()
    at = 0
    for start, end, tag in _tags(text):
        page.words(unescape(text[at:start]))
        at = end
        if tag and tag["end"]:
            page.end(tag["name"].lower())
        elif tag:
            page.start(tag["name"].lower(), _attributes(tag["attrs"]))
    page.words(unescape(text[at:]))
    page.end_block()
    return page.text()


def _tags(text: str) -> Iterator[tuple[int, int, re.Match[str] | None]]:
    """Each tag with its place, and, without a tag, what is passed over: comments, declarations, scripts. A `<` alone is a word.

    The parser of the standard library takes quadratic time for tags that never end, so it is not used.
    """
    at, last_comment = text.find("<"), text.rfind("-->")
    while at >= 0:
        end = at + 1
        if text.startswith("<!--", at) and at < last_comment:
            end = text.index("-->", at) + 3
            yield at, end, None
        elif tag := _TAG.match(text, at):
            end = tag.end()
            name = tag["name"].lower()
            if name in _RAW and not tag["end"]:
                end = _after(text, name, end)
                yield at, end, None
            else:
                yield at, end, tag
        elif passed := _DECLARATION.match(text, at):
            end = passed.end()
            yield at, end, None
        at = text.find("<", end)


def _after(text: str, name: str, at: int) -> int:
    """Where the raw text of a script ends, its end tag included; the end of `text` when it has none."""
    ends = re.compile(rf"</{name}[^<>]{{0,200}}+>", re.IGNORECASE).search(text, at)
    return ends.end() if ends else len(text)


def _attributes(text: str) -> dict[str, str]:
    return {match[1].lower(): unescape(match[2] or match[3] or match[4] or "") for match in _ATTR.finditer(text)} if text else {}


def _is_hidden(attrs: Mapping[str, str]) -> bool:
    return "hidden" in attrs or attrs.get("aria-hidden") == "true" or bool(_HIDDEN_STYLE.search(attrs.get("style", "")))


class _Page:
    """Gathers blocks of readable text as tags go by."""

    def __init__(self) -> None:
        self._blocks: list[tuple[str, str]] = []
        self._words: list[str] = []
        self._left, self._depth = "", 0
        self._lead, self._verbatim, self._said = "", 0, False

    def text(self) -> str:
        """All blocks; items of one list and rows of one table stand close together."""
        parts: list[str] = []
        before = ""
        for kind, block in self._blocks:
            parts += ["" if not parts else "\n" if kind and kind == before else "\n\n", block]
            before = kind
        return "".join(parts)

    def start(self, tag: str, attrs: Mapping[str, str]) -> None:
        """Take note of a tag that begins something."""
        if self._left and not self._closed_beside(tag):
            self._depth += tag == self._left
            return
        if tag in _BLOCKS:
            self.end_block()
        if tag not in _VOID and (tag in _LEFT_OUT or _is_hidden(attrs)):
            self._left, self._depth = tag, 1
        elif tag == "br":
            self._words.append("\n")
        elif tag == "img":
            self._words.append(f" {attrs.get('alt', '')} ")
        elif tag in _CELLS:
            self._words.append(" | " if self._said else "")
        elif tag in _BLOCKS:
            self._lead = _LEADS.get(tag, "")
            self._verbatim += tag == "pre"

    def end(self, tag: str) -> None:
        """Take note of a tag that ends something."""
        if self._left:
            self._depth -= tag == self._left
            if not self._depth or (self._left in _CLOSED_BY_NEXT and tag in _BLOCKS and tag != self._left):
                self._left, self._depth = "", 0
        elif tag in _BLOCKS:
            self.end_block()
            self._verbatim -= tag == "pre" and self._verbatim > 0

    def words(self, text: str) -> None:
        """Take up text between tags."""
        if not self._left and text:
            self._words.append(text if self._verbatim else _SPACES.sub(" ", text))
            self._said = self._said or not text.isspace()

    def end_block(self) -> None:
        """Close the block that is open, if it says anything."""
        text, lead = "".join(self._words), self._lead
        self._words, self._lead, self._said = [], "", False
        if not text.strip():
            return
        if self._verbatim:
            self._blocks.append(("", f"```\n{text.strip(chr(10))}\n```"))
            return
        lines = [_SPACES.sub(" ", line).strip(" ") for line in text.split("\n")]
        text = "\n".join(line for line in lines if line)
        if lead.startswith("#"):
            self._blocks.append(("", f"{lead}{text.replace(chr(10), ' ')}"))
        elif lead == _ROW:
            self._blocks.append((_ROW, text))
        else:
            safe = text if lead else _LOOKS_LIKE_HEADING.sub(lambda match: f"\\{match[0]}", text, count=1)
            self._blocks.append((lead, lead + safe))

    def _closed_beside(self, tag: str) -> bool:
        """Whether a tag begins beside the element that is left out, since that needs no end tag of its own."""
        if self._left in _CLOSED_BY_NEXT and self._depth == 1 and tag == self._left:
            self._left, self._depth = "", 0
            return True
        return False
