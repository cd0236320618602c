"""Text from anywhere, made safe to look at: what could move the cursor, change colours or reorder a line is spelled out.

Rule of this file: pure. Letters of every script, emoji and their joiners stay as they are; nothing is dropped.
"""

from __future__ import annotations

import json
import re

# A flag written with tag characters, which is left alone, or one active character: controls, marks that set or change direction,
# line separators, invisible fillers, the byte order mark, stray tags, half pairs. U+200C and U+200D stay: words need them.
_FLAG = "(?P<flag>\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f)"
_MARKS = "\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f"
_ACTIVE = re.compile(f"{_FLAG}|[\x00-\x1f{_MARKS}]")
_ACTIVE_BUT_LINES = re.compile(f"{_FLAG}|[\x00-\x08\x0b-\x1f{_MARKS}]")


def visible(text: str) -> str:
    r"""`text` with its line breaks and tabs kept and every other active character written as an escape such as \u202e."""
    return _ACTIVE_BUT_LINES.sub(_spelled, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    r"""`text` on a single line: breaks and tabs become \n and \t, other active characters escapes."""
    return _ACTIVE.sub(_spelled, text.strip())


def to_json(value: object, *, indent: int | None = None, ascii_only: bool = False) -> str:
    r"""`value` as JSON that says exactly the same and is safe to print: active characters stand in it as \u escapes."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent, allow_nan=False)
    return text if ascii_only else _ACTIVE_BUT_LINES.sub(_json_escape, text)


def _spelled(found: re.Match[str]) -> str:
    return found["flag"] or found.group().encode("unicode-escape").decode()


def _json_escape(found: re.Match[str]) -> str:
    return found["flag"] or json.dumps(found.group())[1:-1]
