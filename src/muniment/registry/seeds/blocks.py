"""A Markdown file as named blocks: head, body, head, body, with `---` around each head.

Rule of this file: a `---` begins a block only outside code and comments, and only when a head with a name follows and is
closed; every other `---` is a rule in somebody's text. At the top of a file a head needs no name: other tools write such
heads, and the file is one block then. Bodies are kept byte for byte, but for blank lines at their ends.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

from muniment.errors import FormatError, SeedError
from muniment.registry.seeds.head import Head, read_head
from muniment.registry.seeds.lines import Line, Scanner, is_blank, trimmed
from muniment.registry.seeds.repair import repaired
from muniment.registry.seeds.values import Notice, SeedFile
from muniment.text.strict_yaml import MAX_BYTES, Node, Scalar, Table, compose

MOST_BLOCKS: Final = 10_000
MOST_UNREAD: Final = 100

_RULE = re.compile(r"---[ \t]*\r?\n?")
_NEXT_RULE = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_NAME = re.compile(r"""^(?:name|"name"|'name')[ \t]*:""", re.MULTILINE)

_BLANK = re.compile(r"^[ \t\r]*$", re.MULTILINE)
_KEY = re.compile(r"""(?:\#[^\n]*\n)*(["']?)[A-Za-z][\w.-]*\1[ \t]*:(?:[ \t\r\n]|$)""")
_NO_HEAD = frozenset({"unclosed_head", "head_invalid", "malformed", "too_large"})


class Piece(NamedTuple):
    """One block as it stands in its file: its head (None without front matter), its body, the line that body starts at."""

    head: Head | None
    text: str
    line: int
    notices: tuple[Notice, ...] = ()


class _Found(NamedTuple):
    """A head, where its body starts, and the line of that place."""

    head: Head
    start: int
    line: int


def pieces(file: SeedFile, *, several: bool) -> list[Piece]:
    """The blocks of a file in order; a file without front matter is one piece. Without `several` there is one at most."""
    text = file.text.removeprefix("\ufeff")
    opening = next((line for line in Scanner(text) if not is_blank(line.text)), None)
    following = _first_head(text, opening, file) if opening and _RULE.fullmatch(opening.text) else None
    if not isinstance(following, _Found):
        return [Piece(None, *trimmed(text, 1), (*([following] if following else []), *_headless(text, file, several=several)))]
    if not following.head.name and not file.is_context:
        late = _late(Scanner(text, following.start, following.line), text, file, several=several)
        piece, _ = _body(text, following, file, several=False)
        return [piece._replace(notices=(*piece.notices, *late))]
    out = []
    found: _Found | None = following
    while found:
        piece, found = _body(text, found, file, several=several)
        out.append(piece)
        if len(out) > MOST_BLOCKS:
            what = f"this file has more than {MOST_BLOCKS:,} blocks."
            raise file.error(piece.line, what, "too_many_blocks", "Split it into several files.")
    return out


def _first_head(text: str, opening: Line, file: SeedFile) -> _Found | Notice | None:
    """The head a file begins with. What cannot be one is a rule and text, unless the file meant it: a head with a name."""
    closing = _NEXT_RULE.search(text, opening.end)
    inside = text[opening.end : closing.start()] if closing else _BLANK.split(text[opening.end :], maxsplit=1)[0]
    try:
        return _read_head(text, opening, closing, file)
    except (FormatError, SeedError) as error:
        begun = _KEY.match(inside) is not None
        if file.is_context:
            meant = error.reason not in _NO_HEAD
        else:
            meant = bool(_NAME.search(inside)) or (begun and error.reason not in _NO_HEAD - {"too_large"})
        if meant:
            raise
        begun = begun or (closing is not None and not file.is_context and not is_blank(inside.split("\n", 1)[0]))
        return _unread(opening, error.message.rstrip(".")) if begun else None


def _read_head(text: str, opening: Line, closing: re.Match[str] | None, file: SeedFile) -> _Found:
    if closing is None:
        hint = "Add a line of three dashes below the last key. If this is a rule and no head, write *** instead."
        raise file.error(opening.number, "the head that begins here has no closing ---.", "unclosed_head", hint)
    table, notices = _mended(text, opening, closing, file)
    if not isinstance(table, Table):
        what = "the head that begins here is not made of keys and values."
        hint = "Write name: and the block's name, or take both --- away."
        raise file.error(opening.number, what, "head_invalid", hint)
    head = read_head(table, file)
    if not head.name and not file.is_context and not file.is_skill:
        if table.nodes and not _KEY.match(text, opening.end):
            hint = "Write its first key right below the ---."
            raise file.error(opening.number, "the rule that begins here has no key below it.", "head_invalid", hint)
        told = "this head gives no name, so that the file is one block named after it."
        notices = (*notices, Notice(code="head_unnamed", message=told, line=opening.number))
    return _after(text, replace(head, notices=(*notices, *head.notices)), opening, closing)


def _mended(text: str, opening: Line, closing: re.Match[str], file: SeedFile) -> tuple[Node, tuple[Notice, ...]]:
    """The head between two rules, mended where it is no YAML and that can be done."""
    try:
        node = _table(text, opening, closing, file)
    except FormatError as error:
        inside = text[opening.end : closing.start()]
        mendable = error.reason == "malformed" and (file.is_skill or _KEY.match(inside))
        found = repaired(inside, file, first_line=opening.number + 1) if mendable else None
        if found is None:
            raise
        return found
    empty = isinstance(node, Scalar) and not node.text and not file.is_context
    return (Table({}, opening.number, 1) if empty else node), ()


def _table(text: str, opening: Line, closing: re.Match[str], file: SeedFile) -> Node:
    return compose(text[opening.end : closing.start()], place=file.path, first_line=opening.number + 1)


def _after(text: str, head: Head, opening: Line, closing: re.Match[str]) -> _Found:
    start = text.find("\n", closing.end()) + 1 or len(text)
    return _Found(head, start, opening.number + text.count("\n", opening.start, start))


def _body(text: str, found: _Found, file: SeedFile, *, several: bool) -> tuple[Piece, _Found | None]:
    """The block whose head was found, and the head that ends it, if one does."""
    if found.head.lines is not None:
        return _counted(text, found, found.head.lines, file)
    notices = list(found.head.notices)
    scanner = Scanner(text, found.start, found.line)
    for line in scanner:
        if not several or line.opaque or not _RULE.fullmatch(line.text):
            continue
        following = _next_head(text, line, file)
        if isinstance(following, _Found):
            return Piece(found.head, *trimmed(text[found.start : line.start], found.line), tuple(notices)), following
        notices += [following] if following else []
        if len(notices) > MOST_UNREAD:
            what = "too many places in this file look like heads of blocks and cannot be read."
            raise file.error(line.number, what, "head_invalid", "Put code around examples of heads.")
    notices += _open_ends(scanner)
    return Piece(found.head, *trimmed(text[found.start :], found.line), tuple(notices)), None


def _next_head(text: str, opening: Line, file: SeedFile) -> _Found | Notice | None:
    """The head that begins at this rule; a notice when it looks like one and cannot be read; else it is a rule."""
    closing = _NEXT_RULE.search(text, opening.end)
    inside = text[opening.end : min(closing.start() if closing else len(text), opening.end + MAX_BYTES)]
    if not _NAME.search(inside):
        return None
    if closing is None:
        return _unread(opening, "it has no closing ---") if _NAME.match(inside) else None
    try:
        table = _table(text, opening, closing, file)
    except FormatError as error:
        return _unread(opening, error.message.rstrip("."))
    if not isinstance(table, Table) or not isinstance(name := table.nodes.get("name"), Scalar) or not name.text:
        return _unread(opening, "it gives no name")
    return _after(text, read_head(table, file), opening, closing)


def _counted(text: str, found: _Found, lines: int, file: SeedFile) -> tuple[Piece, _Found | None]:
    """A body of exactly so many lines, whatever stands in them."""
    end = found.start
    for _ in range(lines):
        if end == len(text):
            raise _miscounted(found, file)
        end = text.find("\n", end) + 1 or len(text)
    body = text[found.start : end].removesuffix("\n")
    opening = next((line for line in Scanner(text, end, found.line + lines) if not is_blank(line.text)), None)
    following = _next_head(text, opening, file) if opening and _RULE.fullmatch(opening.text) else None
    piece = Piece(found.head, body, found.line, found.head.notices)
    if isinstance(following, _Found):
        return piece, following
    if opening:
        raise _miscounted(found, file)
    return piece, None


def _miscounted(found: _Found, file: SeedFile) -> SeedError:
    what = f"the text that begins here is not the {found.head.lines} lines its head counts."
    return file.error(found.line, what, "lines_mismatch", "Take the key lines out of the head after editing by hand.")


def _unread(opening: Line, why: str) -> Notice:
    told = f"this looks like the head of a block but is kept as text: {why}."
    return Notice(code="unread_head", message=told, line=opening.number)


def _headless(text: str, file: SeedFile, *, several: bool) -> list[Notice]:
    """What there is to tell of a file that does not begin with a head: the first head it has all the same, and open ends."""
    scanner = Scanner(text)
    return [*_late(scanner, text, file, several=several), *_open_ends(scanner)]


def _late(scanner: Scanner, text: str, file: SeedFile, *, several: bool) -> list[Notice]:
    late: list[Notice] = []
    tries = MOST_UNREAD if several else 0
    for line in scanner:
        if tries and not line.opaque and _RULE.fullmatch(line.text):
            found = _tried(text, line, file)
            tries = 0 if found else tries - 1
            late += [found] if found else []
    return late


def _tried(text: str, opening: Line, file: SeedFile) -> Notice | None:
    try:
        if not isinstance(_next_head(text, opening, file), _Found):
            return None
    except SeedError as error:
        told = (
            f"a head stands here that cannot be read ({error.message.rstrip('.')}), and the file does not begin with a named one."
        )
        return Notice(code="late_head", message=told, line=opening.number)
    told = "a head stands here, but the file does not begin with a named one, so that all of it is text."
    return Notice(code="late_head", message=told, line=opening.number)


def _open_ends(scanner: Scanner) -> list[Notice]:
    if scanner.left is None:
        return []
    told = f"the {scanner.left.what} that begins here never ends; all below it is part of it."
    return [Notice(code="never_closed", message=told, line=scanner.left.line)]
