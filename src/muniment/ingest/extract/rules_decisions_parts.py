"""The pieces of a decision: what was decided, why, instead of what, and what it hangs on, in the sentence and in those around it.

Rule of this file: pure and linear; every piece is made of the record's own words.
"""

# ruff: noqa: RUF001, E501  typographic signs; a pattern reads best unbroken

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from muniment.ingest.extract import words_decisions as words
from muniment.knowledge.weighed import listed, weighed
from muniment.text.sentences import sentences

AROUND = 600
"""Characters on either side of a sentence in which its reasons and alternatives are looked for."""
_LONGEST_PIECE = 300
_LEAST_WORDS = 3
_MARK = re.compile(
    rf"\b(?P<because>{words.BECAUSE})(?=\s|$)\s*"
    rf"|\b(?P<causal>{words.BECAUSE_AS})"
    rf"|\b(?P<purpose>{words.PURPOSE})"
    rf"|(?:\b|(?<=, ))(?P<instead>{words.INSTEAD})(?=\s)"
    rf"|\b(?P<over>{words.OVER})(?=\s)"
    rf"|\b(?P<favour>{words.FAVOUR})(?=\s)"
    rf"|\b(?P<depends>{words.DEPENDS})(?=\s)"
    rf"|(?P<dash> [—–-] |(?<=\w): (?={words.EXPLAINS}))"
    rf"|(?P<splice>{words.SPLICE})"
    rf"|(?P<stop>{words.STOP})",
    re.IGNORECASE,
)
_HARD_STOP = re.compile(r"[;]|, (?:but|although|though|while|whereas)| but | although | though ", re.IGNORECASE)
_KEPT_OPEN = {"because", "causal", "purpose", "dash", "splice"}
_FACTOR = re.compile(rf"(?P<why>[^.;:,!?\n]{{3,120}}?),? {words.FACTOR}", re.IGNORECASE)
TIPPED = re.compile(rf"(?:and |well,? |but )?(?:{words.TIPPED}) (?=\w)", re.IGNORECASE)
_TIPPED = re.compile(rf"\b(?:{words.TIPPED}) (?P<why>[^.;!?\n]{{3,160}})", re.IGNORECASE)
_DROPPED = re.compile(
    r"\b(?:we|i|they) (?:have |had |then |['’]ve )?(?:dropped|scrapped|ditched|shelved|passed on|ruled out|turned down|rejected|skipped|set aside) "
    r"(?P<list>[^.,;:!?\n]{2,60}?)(?= because| since| as | due to| for |[.,;:!]|$)",
    re.IGNORECASE,
)
_EASY = re.compile(
    r"^(?P<why>.{4,160}?),? so (?:it|that|this|the (?:choice|decision)) (?:was|is|made|felt|seemed|came)\b", re.IGNORECASE
)
_WHY_ASKED = re.compile(
    r"^(?:but |and )?(?:why|the reason|how come|why (?:that|this|so)|reason|what tipped it)\s*\?+$", re.IGNORECASE
)
_BUT = re.compile(r",? but (?P<why>[^.;!?\n]{4,200})", re.IGNORECASE)
_NOT_AFTER_ALL = re.compile(
    r"\b(?:scratch that|changed|forget|never ?mind|correction|actually|not)\b[^.\n]{0,40}?\b(?:not|about) (?P<old>[^.,;!?\n]{2,60}?)(?: after all| any ?more)?[.!:]*$",
    re.IGNORECASE,
)
_TURNED_OUT = re.compile(r"^(?:it )?turned out (?:that )?", re.IGNORECASE)
REASON = re.compile(rf"^(?:and |also,? )?{words.THE_REASON}", re.IGNORECASE)
_SO = re.compile(rf"^(?:and )?{words.SO_OPENS}", re.IGNORECASE)
_SO_END = re.compile(
    r"(?:,| [—–-]|;)?\s*(?:\band )?\b(?:so|therefore|hence|thus|which is why|that['’]s why|that is why|as a result)(?: (?:in the end|finally|eventually|then))?,?$",
    re.IGNORECASE,
)
_HANGS = re.compile(rf"^{words.DEPENDS_OPENS}", re.IGNORECASE)
_FRONT = re.compile(
    rf"^(?:and |but |so |well,? |okay,? )?(?:(?P<because>{words.BECAUSE})|(?P<instead>instead of|rather than)|(?P<depends>{words.DEPENDS}))\s+",
    re.IGNORECASE,
)
_EDGES = " \t\n,.;:!–—-\"“”'‘’()。，、；：）（"


@dataclass(slots=True, kw_only=True)
class Pieces:
    """What was read of one decision. Each list keeps the order of the text."""

    what: str = ""
    rationale: list[str] = field(default_factory=list)
    alternatives: list[str] = field(default_factory=list)
    depends_on: list[str] = field(default_factory=list)
    favoured: bool = False
    """True for "dropped X in favour of Y": Y is what was decided."""
    because: str = ""
    """The first reason with the words that join it to what was decided."""

    @property
    def explained(self) -> bool:
        """True when a reason or an alternative was given."""
        return bool(self.rationale or self.alternatives)


def pieces(tail: str, *, against: bool = False) -> Pieces:
    """Take apart what follows the verb of a decision. With `against` it is one for turning something down, maybe for another."""
    out = Pieces()
    kind, start, joined = "what", 0, ""
    for mark in _MARK.finditer(tail):
        found = mark.lastgroup or ""
        if found == "favour" and not against and not mark[0].casefold().startswith("in"):
            continue
        if kind in _KEPT_OPEN and not _ends_reason(found, mark[0], tail[: mark.start()]):
            continue
        if kind == "depends" and found in {"depends", "purpose", "causal", "over"}:
            continue
        _add(out, kind, tail[start : mark.start()], joined)
        if found == "stop" and _HARD_STOP.fullmatch(mark[0]):
            return out
        kind, start, joined = found, mark.end(), mark[0]
    _add(out, kind, tail[start:], joined)
    return out


def _ends_reason(found: str, mark: str, so_far: str) -> bool:
    """Whether a mark inside a reason ends it: most belong to the reason's own clause."""
    if found == "stop":
        return bool(_HARD_STOP.fullmatch(mark)) or mark == "("
    if found == "because":
        return not so_far.endswith(("not ", "just "))
    return found == "instead" and so_far.rstrip().endswith(",") and mark.casefold().startswith(("instead", "rather"))


def _add(out: Pieces, kind: str, text: str, joined: str = "because") -> None:
    text = text.strip(_EDGES)[:_LONGEST_PIECE]
    if not text:
        return
    if kind == "what":
        out.what = text
    elif kind in ("because", "causal", "purpose", "dash", "splice"):
        bare = kind in ("dash", "splice")
        if bare and len(text.split()) < (_LEAST_WORDS if joined.strip() != ":" else 2):
            return
        reason = _TURNED_OUT.sub("", text).removesuffix(" and").removesuffix(",").strip()
        out.rationale.append(reason)
        out.because = out.because or ("because " + reason if bare else f"{joined.strip()} {reason}".strip())
    elif kind in ("instead", "over"):
        out.alternatives += listed(text)
    elif kind == "depends":
        out.depends_on.append(text)
    elif kind == "favour":
        out.alternatives += listed(out.what)
        out.what, out.favoured = text, True


def before_who(front: str, out: Pieces) -> None:
    """Read what stands before whoever decides: "Because …, we …", "…, so we …", "Instead of …, we …", "After weighing …, we …"."""
    front = front.strip()
    if not front:
        return
    opened = _FRONT.match(front)
    if opened:
        kind = next((name for name in ("because", "instead", "depends") if opened[name]), "")
        _add(out, kind, front[opened.end() :], (opened[kind] or "").casefold())
    elif closed := _SO_END.search(front[-60:]):
        reason = front[: len(front) - len(front[-60:]) + closed.start()].strip(_EDGES)
        if len(reason.split()) > 1:
            out.rationale.append(reason[:_LONGEST_PIECE])
    out.alternatives += [option for option in weighed(front) if option not in out.alternatives]
    if (old := _NOT_AFTER_ALL.search(front)) and old["old"] not in out.alternatives:
        out.alternatives.append(old["old"])


def factor(text: str, out: Pieces) -> None:
    """Read a reason that stands before what it did: "the price made the difference"."""
    if out.rationale:
        return
    if found := _TIPPED.search(text):
        out.rationale.append(found["why"].strip(_EDGES))
    elif found := _FACTOR.search(text):
        out.rationale.append(re.sub(r"^(?:and|but|what|where|with) ", "", found["why"].strip(_EDGES)))


@lru_cache(maxsize=256)
def around(text: str, start: int, end: int) -> tuple[Sequence[str], Sequence[str]]:
    """The sentences right before and right after characters `start` to `end`, nearest first on both sides, at most three each."""
    low, high = max(0, start - AROUND), min(len(text), end + AROUND)
    earlier, later = text[low:start], text[end:high]
    before = tuple(earlier[a:b] for a, b in sentences(earlier))[-2:][::-1]
    after = tuple(later[a:b] for a, b in sentences(later) if any(c.isalnum() for c in later[a:b]))[:3]
    return before, after


_ITS_OWN = re.compile(r"\b(?:because|since|so that|due to|in order to)\b", re.IGNORECASE)
"""A sentence before a decision that gives a reason of its own tells of something else."""


def from_around(own: str, before: Sequence[str], after: Sequence[str], out: Pieces, *, stops: re.Pattern[str]) -> None:  # noqa: C901  one neighbour after the other
    """Add what the sentences around a decision say of it. `stops` marks a neighbour that tells another decision."""
    if not out.rationale and before and _SO.match(own):
        out.rationale.append(before[0].strip(_EDGES)[:_LONGEST_PIECE])
    if before and (old := _NOT_AFTER_ALL.search(before[0])):
        out.alternatives.append(old["old"])
    for sentence in before:
        if stops.search(sentence) or _ITS_OWN.search(sentence):
            break
        out.alternatives += [option for option in weighed(sentence) if option not in out.alternatives]
    for number, sentence in enumerate(after):
        if number and _WHY_ASKED.match(after[number - 1]) and not out.rationale:
            out.rationale.append(sentence.strip(_EDGES)[:_LONGEST_PIECE])
        elif _WHY_ASKED.match(sentence):
            continue
        elif (reason := REASON.match(sentence)) and (number == 0 or not out.rationale):
            said = sentence[reason.end() :].rstrip("?").strip(_EDGES)
            if said:
                out.rationale.append(said[:_LONGEST_PIECE])
        elif hangs := _HANGS.match(sentence):
            _add(out, "depends", sentence[hangs.end() :])
        elif stops.search(sentence) and not weighed(sentence):
            break
        else:
            _beside(sentence, out)


def _beside(sentence: str, out: Pieces) -> None:
    """What a sentence after a decision says of it: what was weighed and why that fell, or what decided it."""
    options = weighed(sentence)
    if dropped := _DROPPED.search(sentence):
        options = (*options, *listed(dropped["list"]))
    out.alternatives += [option for option in options if option not in out.alternatives]
    if out.rationale:
        return
    if options and (fell := _BUT.search(sentence)):
        out.rationale.append(fell["why"].strip(_EDGES))
    elif options:
        out.rationale += pieces(sentence).rationale
    elif easy := _EASY.match(sentence):
        out.rationale.append(easy["why"].strip(_EDGES))
    else:
        factor(sentence, out)
