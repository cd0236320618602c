"""Tools as they are offered: one reading of a block's tool for the flat text and for both chat APIs.

Rules of this file: a schema keeps its keys in the order given; no two tools of a prompt answer to one name. A tool whose block
is untrusted has its description in a frame, and its schema broken up where it imitates a frame, a heading or a chat template;
a model still reads the words of that schema, so that a stranger's tool is best shown by few and run with care.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from muniment.errors import BlockError, FormatError, shown
from muniment.text.fence import fence, mark, quoted
from muniment.text.strict_json import loads
from muniment.types import Band, Block, Tool, Trust

_PLAIN: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MAPPED: Final = re.compile(r".*__x[0-9a-f]{10}", re.DOTALL)
_STEM: Final = 51
_LINE_ENDS: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Offer:
    """One tool of a prompt. `name` is its own, `called` what chat APIs know it by; `schema` is a fresh copy of its parameters."""

    name: str
    called: str
    description: str
    schema: dict[str, object]
    band: Band


def offers(blocks: Sequence[Block], salt: str = "") -> tuple[Offer, ...]:
    """The tools among `blocks`, in order. `salt` goes into the frames' markers.

    Raises `BlockError`: tool_clash for two of one name, tool_schema for a damaged one.
    """
    out: list[Offer] = []
    taken: set[str] = set()
    for block in blocks:
        if block.tool is None:
            continue
        name, known = block.tool.name, called(block.tool.name)
        if {name, known} & taken:
            raise BlockError(
                f"two tools of this prompt are called {shown(name)}.",
                place="tool.name",
                code="tool_clash",
                hint="Evict one of them, or give one a name of its own, for example with its server's name in front.",
            )
        taken |= {name, known}
        framed_with = salt if block.trust is Trust.UNTRUSTED else None
        description, schema = _read(block.tool, block.text, block.prefix, block.suffix, framed_with)
        out.append(Offer(name=name, called=known, description=description, schema=schema, band=block.band))
    return tuple(out)


def twins(blocks: Sequence[Block], places: Iterable[int], musts: Sequence[bool]) -> set[int]:
    """Which of the tools at `places` answer to the name of another author's tool, and so may not stand beside it.

    The name is that of a block that must be in, then of a trusted one, then of the first in order.
    """
    holders: dict[str, str] = {}
    out = set()
    for place in sorted(places, key=lambda place: (not musts[place], blocks[place].trust is Trust.UNTRUSTED, place)):
        if (tool := blocks[place].tool) is None:
            continue
        author, names = blocks[place].author, (tool.name, called(tool.name))
        if any(holders.get(name, author) != author for name in names):
            out.add(place)
        else:
            holders.update(dict.fromkeys(names, author))
    return out


def called(name: str) -> str:
    """The name that chat APIs know a tool by: at most 64 letters, digits, `_` and `-`.

    Most names are that already. In any other the forbidden signs become `_`, and a hash of the whole name is put behind, so
    that different names stay different.
    """
    if _PLAIN.fullmatch(name) and not _MAPPED.fullmatch(name):
        return name
    stem = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:_STEM]
    return f"{stem}__x{blake2b(name.encode('utf-8', 'surrogatepass'), digest_size=5).hexdigest()}"


def tool_line(block: Block, tool: Tool, salt: str) -> str:
    """The tool in the flat text: one line of JSON in brackets, which nothing inside it can end or begin anew."""
    framed_with = salt if block.trust is Trust.UNTRUSTED else None
    return _line(tool, block.text, block.prefix, block.suffix, framed_with)


@lru_cache(maxsize=4096)
def _line(tool: Tool, text: str, prefix: str, suffix: str, framed_with: str | None) -> str:
    description, schema = _read(tool, text, prefix, suffix, framed_with)
    said = {"description": description} if description else {}
    whole = {"name": quoted(tool.name), **said, "parameters": schema}
    line = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    return f"[tool {_LINE_ENDS.sub(_escaped, line)}]"


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _read(tool: Tool, text: str, prefix: str, suffix: str, framed_with: str | None) -> tuple[str, dict[str, object]]:
    """What is said of the tool, and its schema: its own description, and the block's text where it says more, in the wrap."""
    said, more = tool.description.strip(), text.strip()
    if said in more:
        said, more = more, ""
    said = said if more in said else f"{said}\n\n{more}"
    words, schema = f"{prefix}{said}{suffix}", _schema(tool)
    if framed_with is None:
        return words, schema
    return fence(words, mark(words, framed_with)) if words else "", _harmless(schema)


def _schema(tool: Tool) -> dict[str, object]:
    try:
        value = loads(tool.parameters)
    except FormatError as error:
        raise _unreadable(tool, error.message) from error
    if not isinstance(value, dict):
        raise _unreadable(tool, "they are no JSON object.")
    return value


def _unreadable(tool: Tool, why: str) -> BlockError:
    return BlockError(
        f"the parameters of {shown(tool.name)} cannot be read: {why}",
        place="tool.parameters",
        code="tool_schema",
        hint="Give the JSON Schema of an object as JSON text.",
    )


def _harmless(value: dict[str, object]) -> dict[str, object]:
    return {quoted(key): _harmless_value(part) for key, part in value.items()}


def _harmless_value(value: object) -> object:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return [_harmless_value(part) for part in value]
    return _harmless(value) if isinstance(value, dict) else value
