"""What a model's answer holds, however it is wrapped: items of JSON, or a reason why there are none.

Rule of this file: pure, bounded, and never a guess about content. Prose and fences around JSON are passed over; an answer that is
no list of memories is a fault with a name, never an empty success.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

MOST_REPLY: Final = 1 << 20
MOST_ITEMS: Final = 500
LIST: Final = "memories"
_MOST_TRIES: Final = 20
_REFUSES: Final = re.compile(
    r"\b(?:i.?m sorry|i am sorry|sorry,|i can.?t|i cannot|i.?m unable|as an ai|i won.?t)\b", re.IGNORECASE
)
_HALF_PAIR: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
_OPENS: Final = re.compile(r'\{\s*["}]|\[\s*[\[{\]]')
_LISTS: Final = re.compile(rf'"{LIST}"\s*:\s*\[|\[(?=\s*\{{\s*")')
_ECHOES: Final = ("$schema", "properties", "$defs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The items of an answer. `fault` says why it is none: refusal, not_json, wrong_schema, schema_echo, empty or too_large.

    `cut` marks an answer that broke off or ran away in repetitions: its whole items stand, what followed is lost.
    """

    items: tuple[Mapping[str, object], ...] = ()
    fault: str = ""
    cut: bool = False


def read_reply(text: str) -> Read:
    """Read the answer to a question for memories."""
    if len(text) > MOST_REPLY or not text.strip():
        return Read(fault="too_large" if text.strip() else "empty")
    text = _HALF_PAIR.sub(r"\\ufffd", text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
    found = _best(list(_values(text)))
    if found is None or _listed(found) is None:
        whole = _whole_items(text)
        if whole:
            return _read(whole, cut=True)
    if found is None:
        return Read(fault="refusal" if _REFUSES.search(text[:400]) else "not_json")
    listed = _listed(found)
    if listed is None or (listed and not any(isinstance(item, dict) for item in listed)):
        echo = isinstance(found, dict) and any(key in found for key in _ECHOES)
        return Read(fault="schema_echo" if echo else "wrong_schema")
    return _read(listed, cut=False)


def _read(listed: list[object], *, cut: bool) -> Read:
    items = [item for item in listed if isinstance(item, dict)]
    unique = {spelled: item for item in items[:MOST_ITEMS] if (spelled := _spelled(item))}
    runaway = len(items) > MOST_ITEMS or len(unique) * 3 < len(items)
    return Read(items=tuple(unique.values()), cut=cut or runaway)


def _spelled(item: Mapping[str, object]) -> str:
    """An item as JSON, or "" for one that is nested too deep to be written again."""
    try:
        return json.dumps(item, sort_keys=True)
    except RecursionError:
        return ""


def _listed(found: object) -> list[object] | None:
    """The list of memories that a value is or holds."""
    listed = found.get(LIST) if isinstance(found, dict) else found
    return listed if isinstance(listed, list) else None


def _best(found: list[object]) -> object:
    """The value that holds a list of memories, wherever it stands among others; else the first."""
    named = next((one for one in found if isinstance(one, dict) and isinstance(one.get(LIST), list)), None)
    return named or next(iter(found), None)


def _values(text: str) -> Iterator[object]:
    """The outermost JSON objects and lists in `text` that are whole, up to a bounded number of tries."""
    decoder = json.JSONDecoder()
    at = 0
    for _ in range(_MOST_TRIES):
        match = _OPENS.search(text, at)
        if match is None:
            return
        try:
            value, at = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            at = match.start() + 1
        else:
            yield value


def _whole_items(text: str) -> list[object]:
    """The objects that are whole in a list that broke off."""
    opened = _LISTS.search(text)
    decoder = json.JSONDecoder()
    items: list[object] = []
    at = opened.end() if opened else -1
    while at >= 0 and len(items) <= MOST_ITEMS:
        at = text.find("{", at)
        if at < 0:
            break
        try:
            item, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        items.append(item)
    return items
