"""What a tool gave back, as text that can be read and searched: JSON as lines of "path: value", and what is huge kept beside it.

Rule of this file: pure. Nothing is lost: a result that is cut keeps its bytes as a blob, and its text says how many and which.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256

from muniment.ingest.rules import is_blank
from muniment.knowledge.values import Blob
from muniment.types import Kind, Role, Turn

HUGE = 64 << 10
"""Bytes of a result above which its text is an excerpt."""
EXCERPT = 4000
"""Characters of an excerpt."""
_MOST_DEPTH = 64
_MOST_ROW = 200


def flattened(text: str) -> str:
    """JSON as lines of "path: value", in its order; what is no JSON, or a bare value, as it is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(value, list | dict):
        return text
    return "\n".join(_lines(value))


def result_turn(
    content: str | bytes, *, tool: str, tool_call_id: str | None = None, media: str = "", origin: str = ""
) -> tuple[Turn, Blob | None]:
    """A tool's result as an untrusted turn, and its bytes when there are too many for a record.

    JSON is flattened. Bytes that are no text are never spelled out: the turn says what they are. Give `content` after it was
    cleaned of secrets: what is in the blob is kept as it is given.
    """
    data = content.encode(errors="surrogatepass") if isinstance(content, str) else content
    text = content if isinstance(content, str) else _text(data)
    blob = None
    metadata: dict[str, str] = {}
    if len(data) > HUGE or text is None:
        blob = Blob(digest=sha256(data).hexdigest(), media=media or _media(data, text), data=data)
        metadata = {"blob": blob.digest, "bytes": str(len(data))}
        text = _excerpt(text, blob)
    else:
        text = flattened(text)
    turn = Turn(
        text=text,
        role=Role.TOOL,
        kind=Kind.TOOL_RESULT,
        speaker=tool,
        tool_call_id=tool_call_id,
        origin=origin,
        metadata=metadata,
    )
    return turn, blob


def _text(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _media(data: bytes, text: str | None) -> str:
    if text is None:
        return "application/octet-stream"
    return "application/json" if data.lstrip()[:1] in {b"{", b"["} else "text/plain; charset=utf-8"


def _excerpt(text: str | None, blob: Blob) -> str:
    rest = f"[{len(blob.data)} bytes of {blob.media}, sha256 {blob.digest}]"
    if text is None or is_blank(text):
        return rest
    flat = flattened(text)
    cut = flat[:EXCERPT]
    return f"{cut[: cut.rfind(chr(10)) + 1] or cut}…\n{rest}" if len(flat) > EXCERPT else f"{flat}\n{rest}"


def _lines(value: object) -> Iterator[str]:
    """Each leaf with its path, by a stack of our own, so that depth is no fault; beyond `_MOST_DEPTH` as JSON."""
    stack: list[tuple[str, object, int]] = [("", value, 0)]
    while stack:
        path, item, depth = stack.pop()
        if isinstance(item, Mapping) and item and depth < _MOST_DEPTH:
            stack += [(f"{path}.{key}" if path else str(key), inner, depth + 1) for key, inner in reversed(list(item.items()))]
        elif isinstance(item, list) and item and depth < _MOST_DEPTH:
            row = ", ".join(map(_leaf, item)) if all(_is_plain(inner) for inner in item) else ""
            if row and len(row) <= _MOST_ROW:
                yield f"{path}: {row}" if path else row
            else:
                stack += [(f"{path}[{i}]", inner, depth + 1) for i, inner in reversed(list(enumerate(item)))]
        else:
            yield f"{path}: {_leaf(item)}"


def _is_plain(value: object) -> bool:
    return not isinstance(value, list | dict) and not (isinstance(value, str) and "\n" in value)


def _leaf(value: object) -> str:
    if isinstance(value, str):
        return value.replace("\n", "\n  ")
    return json.dumps(value, ensure_ascii=False)
