"""What a model's answer holds, however it is wrapped: items of JSON, or a reason why there are none.

Rule of this file: pure, linear, and never a guess about content. Prose and fences around JSON are passed over; an answer that is
no list of memories is a fault with a name, never an empty success.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

MOST_REPLY = 1 << 20
MOST_ITEMS = 500
_REFUSES = re.compile(r"\b(?:i.?m sorry|i am sorry|sorry,|i can.?t|i cannot|i.?m unable|as an ai|i won.?t)\b", re.IGNORECASE)
_HALF_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_ECHOES = ("$schema", "properties", "$defs")


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
    found, cut = _json(_HALF_PAIR.sub(r"\\ufffd", text))
    if found is None:
        return Read(fault="refusal" if _REFUSES.search(text[:400]) else "not_json")
    listed = found.get("memories") if isinstance(found, dict) else found
    items = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    if not isinstance(listed, list) or (listed and not items):
        echo = isinstance(found, dict) and any(key in found for key in _ECHOES)
        return Read(fault="schema_echo" if echo else "wrong_schema")
    unique = {json.dumps(item, sort_keys=True): item for item in items[:MOST_ITEMS]}
    runaway = len(items) > MOST_ITEMS or len(unique) * 3 < len(items)
    return Read(items=tuple(unique.values()), cut=cut or runaway)


def _json(text: str) -> tuple[object, bool]:
    """The first JSON object or list in `text` that is whole; else what is whole of one that broke off, marked so."""
    decoder = json.JSONDecoder()
    tries = 0
    for start in _openings(text):
        try:
            return decoder.raw_decode(text, start)[0], False
        except (json.JSONDecodeError, RecursionError):
            tries += 1
            if tries >= 20:  # noqa: PLR2004  # prose full of brackets, not JSON
                break
    whole = _whole_items(text, decoder)
    return ({"memories": whole}, True) if whole else (None, False)


def _openings(text: str) -> Iterator[int]:
    """Where JSON may start: outermost first."""
    for match in re.finditer(r'\{\s*"|\{\s*\}|\[\s*[\[{\]]', text):
        yield match.start()


def _whole_items(text: str, decoder: json.JSONDecoder) -> list[object]:
    """The objects that are whole in a list that broke off."""
    at = text.find("[")
    items: list[object] = []
    while at >= 0 and len(items) <= MOST_ITEMS:
        at = text.find("{", at)
        if at < 0:
            break
        try:
            item, at = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            break
        items.append(item)
    return items
