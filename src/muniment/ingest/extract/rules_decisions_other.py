"""Decisions and commitments in Chinese, German, French, Spanish, Portuguese and Japanese: the plain ways they are told.

Rule of this file: pure and linear; a sentence is read in the language it is likely in, and nothing is guessed beyond it.
"""

# ruff: noqa: RUF001  typographic signs; a pattern reads best unbroken

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from muniment.ingest.extract.rules_decisions_parts import Pieces
from muniment.ingest.extract.words_decisions_other import FIRST, FIRST_MANY, GATE, NEXT_REASON, OTHER
from muniment.knowledge.weighed import listed
from muniment.text import languages

_GATE = re.compile(GATE, re.IGNORECASE)
_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u4e00-\u9fff]")
_TO_VERB = re.compile(r" zu \w+$")
_EDGES = " \t\n,.;:!?。，、；：！？"
_LATIN = ("de", "fr", "es", "pt")
_GUESSED = {"german": "de", "french": "fr", "spanish": "es", "portuguese": "pt"}
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldOther:
    """What was told in another language: by whom ("" the speaker, "+" the speaker and others, else a name), and its pieces."""

    who: str
    pieces: Pieces
    promised: bool
    span: tuple[int, int]


def told_other(text: str, after: str = "") -> ToldOther | None:
    """The decision or commitment one sentence tells in another language than English; `after` is the sentence that follows."""
    if not _GATE.search(text) or text.rstrip().endswith(("?", "？", "吗", "か。")):
        return None
    for language in _languages(text):
        rows = _compiled(language)
        if rows["unsure"].search(text):
            continue
        for kind in ("decided", "promised"):
            found = rows[kind].search(text)
            if found is not None:
                told = _told(found, rows, text, promised=kind == "promised")
                if told is not None:
                    _reason_after(told, language, after)
                    return told
    return None


def _languages(text: str) -> tuple[str, ...]:
    if _KANA.search(text):
        return ("ja",)
    if _HAN.search(text):
        return ("zh",)
    guessed = _GUESSED.get(languages.guess(_WORD.findall(text.casefold())) or "")
    return (guessed,) if guessed else _LATIN


@lru_cache(maxsize=8)
def _compiled(language: str) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern) for name, pattern in OTHER[language].items()}


def _told(found: re.Match[str], rows: dict[str, re.Pattern[str]], text: str, *, promised: bool) -> ToldOther | None:
    groups = {name: value for name, value in found.groupdict().items() if value}
    what = next((groups[name] for name in ("what", "what2", "what3") if name in groups), "") + groups.get("tail", "")
    read = _pieces(what, rows)
    front = text[: found.start()]
    if reason := rows["because"].search(front):
        said = (front[reason.end() :] or front[: reason.start()]).strip(_EDGES)
        if said:
            read.rationale.append(said)
    if not read.what:
        return None
    who = groups.get("who", groups.get("who3", "")).casefold().replace("’", "'")
    return ToldOther(who=_who(who, groups), pieces=read, promised=promised, span=found.span())


def _who(who: str, groups: dict[str, str]) -> str:
    if not who or who in FIRST or who.startswith(("ich ", "je ")):
        return ""
    if who in FIRST_MANY or who.startswith("wir"):
        return "+"
    name = (
        groups.get("who", "")
        .removesuffix(" a")
        .removesuffix(" ha")
        .removesuffix(" va a")
        .removesuffix(" va")
        .removesuffix(" vai")
    )
    return name if (name and name[0].isupper()) or _HAN.search(name) else ""


def _pieces(text: str, rows: dict[str, re.Pattern[str]]) -> Pieces:
    """Cut `text` at the words for reasons, alternatives and conditions. In Japanese these stand behind what they mark."""
    out = Pieces()
    marks = sorted(
        (found.start(), found.end(), kind) for kind in ("because", "instead", "depends") for found in rows[kind].finditer(text)
    )
    if rows["because"].pattern.startswith("(?:ので"):
        start = 0
        for low, high, kind in marks:
            _put(out, kind, text[start:low])
            start = high
        out.what = text[start:].strip(_EDGES)
        return out
    kind, start = "what", 0
    for low, high, mark in marks:
        if low < start:
            continue
        _put(out, kind, text[start:low])
        kind, start = mark, high
    _put(out, kind, text[start:])
    return out


def _put(out: Pieces, kind: str, text: str) -> None:
    text = text.strip(_EDGES)
    if not text:
        return
    if kind == "what":
        out.what = text
    elif kind == "because":
        out.rationale.append(text)
    elif kind == "instead":
        out.alternatives += listed(_TO_VERB.sub("", text))
    else:
        out.depends_on.append(text)


def _reason_after(told: ToldOther, language: str, after: str) -> None:
    if after and not told.pieces.rationale and (found := re.match(NEXT_REASON[language], after)):
        said = after[found.end() :].strip(_EDGES)
        if said:
            told.pieces.rationale.append(said)
