"""What a tool gave back: JSON as lines of "path: value" for reading, and what is huge kept apart from its excerpt.

Rule of this file: pure. A result is kept as it was given, for a model needs it so; above `HUGE` its record holds an excerpt
(head, tail and counts) that names the blob with every byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256

from muniment.knowledge.values import Blob
from muniment.types import Kind, Record, Role, Turn

HUGE = 64 << 10
"""Bytes of a result above which its text is an excerpt and the whole a blob."""
MOST = 16 << 20
"""Bytes of a result above which it is refused."""
HEAD, TAIL = 3000, 1000
"""Characters of a huge result's beginning and end in its excerpt."""
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


def is_result(one: Turn | Record) -> bool:
    """True for what a tool gave back."""
    return one.role == Role.TOOL or one.kind == Kind.TOOL_RESULT


def kept_apart(turn: Turn) -> tuple[Turn, Blob | None]:
    """A tool's result as its record holds it, and the whole when that is an excerpt. Give it cleaned: a blob is kept as given.

    The excerpt's metadata holds the blob's digest as "blob", its size as "bytes" and its "media" type.
    """
    if not is_result(turn) or len(turn.text) * 4 <= HUGE:
        return turn, None
    data = turn.text.encode()
    if len(data) <= HUGE:
        return turn, None
    media = "application/json" if turn.text.lstrip()[:1] in {"{", "["} else "text/plain; charset=utf-8"
    blob = Blob(digest=sha256(data).hexdigest(), media=media, data=data)
    metadata = {**turn.metadata, "blob": blob.digest, "bytes": str(len(data)), "media": media}
    return replace(turn, text=_excerpt(flattened(turn.text), blob), metadata=metadata), blob


def _excerpt(flat: str, blob: Blob) -> str:
    whole = f"[{len(blob.data)} bytes of {blob.media}, sha256 {blob.digest}]"
    if len(flat) <= HEAD + TAIL:
        return f"{flat}\n{whole}"
    head, tail = flat[:HEAD], flat[-TAIL:]
    head = head[: head.rfind("\n")] if "\n" in head else head
    tail = tail[tail.find("\n") + 1 :] if "\n" in tail[:-1] else tail
    between = flat[len(head) : len(flat) - len(tail)]
    left_out = f"[… {between.count(chr(10))} lines, {len(between)} characters left out …]"
    return f"{head}\n{left_out}\n{tail}\n{whole}"


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
