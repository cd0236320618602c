"""Decisions told by a whole wording rather than by one verb, and what stands beside it.

Rule of this file: pure and linear; a frame that is not sure counts only with a reason or an alternative in the sentence.
"""

# ruff: noqa: RUF001  typographic signs

from __future__ import annotations

import re
from typing import Final

from muniment.ingest.extract import words_decisions_frames as words
from muniment.ingest.extract.rules_decisions_parts import Pieces, factor, pieces
from muniment.knowledge.weighed import listed

_FRAMES: Final = tuple((re.compile(pattern, re.IGNORECASE), verb, sure) for pattern, verb, sure in words.FRAMES)
CUE: Final = re.compile(words.CUE)
"""A sentence in small letters without these fits no frame."""
_GAMES: Final = re.compile(words.GAMES, re.IGNORECASE)
_NOBODY: Final = re.compile(words.NOBODY, re.IGNORECASE)
_COMPARED: Final = re.compile(words.COMPARED, re.IGNORECASE)
_UNREAL: Final = re.compile(
    r"\b(?:if|whether|maybe|perhaps|might|would|could|should|wish|hope|unless|until|suppose|imagine|wonder|"
    r"not sure|n['’]t|almost|nearly)\b",
    re.IGNORECASE,
)
_TOKENS: Final = re.compile(r"\w+")
_LOST: Final = ("lost", "lost2", "lost3", "lost4", "lost5")
_LONGEST = 400
_MOST_WORDS = 14


def framed(text: str) -> tuple[str, int, str, Pieces, bool] | None:
    """Who decided ("" the speaker), where that stands, the verb, the pieces, and whether something was turned down.

    None when no frame fits, when it is unreal, or when a frame that is not sure has neither reason nor alternative.
    """
    text = text[:_LONGEST]
    if not CUE.search(text.lower()):
        return None
    for pattern, verb, sure in _FRAMES:
        found = pattern.search(text)
        if found is None:
            continue
        told = _told(found, text, verb, sure=sure)
        if told is not None:
            return told
    return None


def _told(found: re.Match[str], text: str, verb: str, *, sure: bool) -> tuple[str, int, str, Pieces, bool] | None:
    groups = found.groupdict()
    what, lost = (groups.get("what") or "").strip(), next((found[g] for g in _LOST if groups.get(g)), "").strip()
    core = text[found.start() : found.start("tail")] if groups.get("tail") else found[0]
    if _UNREAL.search(core) or _UNREAL.search(text[: found.start()]) or _GAMES.search(text):
        return None
    named = what or lost
    if not named or _NOBODY.match(named) or len(_TOKENS.findall(named)) > _MOST_WORDS:
        policy = verb == "decided:" and what.lower().startswith(("we ", "i ", "no one"))
        if not policy:
            return None
    read = pieces((groups.get("tail") or "").lstrip(" ,;:.!–—-"))
    rest, read.what = read.what, what or lost
    if lost:
        read.alternatives = [*listed(lost), *(one for one in read.alternatives if one != lost)]
    if why := (groups.get("why") or "").strip(" ,"):
        read.rationale.insert(0, why)
    _beside(rest, groups.get("tail") or "", read)
    factor(text, read)
    if not (sure or (read.explained and (read.rationale or what))):
        return None
    against = not what
    return groups.get("who") or "", max(found.start(), 0), "chose" if what and verb == "decided against" else verb, read, against


def _beside(rest: str, tail: str, read: Pieces) -> None:
    """A reason that follows a colon, a dash or a comma without a word for it; a comparison names what lost as well."""
    if compared := _COMPARED.search(tail):
        lost = [one for one in listed(compared["lost"]) if one not in read.alternatives]
        read.alternatives += lost
        if not read.rationale:
            read.rationale.append(compared["why"].strip())
        return
    own = not rest.lower().startswith(("and ", "but ", "so ", "which ")) and len(_TOKENS.findall(rest)) > 1
    if not read.rationale and own and (tail[:1] in (":", ",", ";") or tail[1:2] in ("–", "—", "-", "(")):
        read.rationale.append(rest)
