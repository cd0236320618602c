"""A digest as text: told in order, sorted into sections, or ready to stand in a prompt.

Rule of this file: pure. Every line of the digest stands in every form, once and with its words unchanged. What is untrusted is
never told as if it were not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import Final

from muniment.knowledge.digests import ClaimFate, ClaimKind, Digest, DigestLine
from muniment.text.fence import fence
from muniment.types import Trust

Count = Callable[[str], int]
NARRATIVE, STRUCTURED, INJECT = "narrative", "structured", "inject"
FORMS: Final = (NARRATIVE, STRUCTURED, INJECT)
_SECTIONS: Final = (
    (ClaimKind.CONSTRAINT, "Constraints"),
    (ClaimKind.DECISION, "Decisions"),
    (ClaimKind.COMMITMENT, "Commitments"),
    (ClaimKind.PREFERENCE, "Preferences"),
    (ClaimKind.QUESTION, "Open questions"),
    (ClaimKind.TOOL, "Current state"),
)
"""What a line is told under: the first kind of claim that it keeps; any other line is a fact."""
_FACTS = "Facts"


def rendered(digest: Digest, *, marker: str = "") -> str:
    """The digest in its form. `marker` is what untrusted text is framed with (4 to 64 letters and digits, best random).

    Without one, it follows from the lines, so that the same digest is the same text every time.
    """
    if digest.form == STRUCTURED:
        return _structured(digest, marker)
    return _injected(digest.lines, marker) if digest.form == INJECT else digest.text


def told(digest: Digest) -> str:
    """The lines in order, each date once and each speaker once for what is said in a row; for where all of it is framed."""
    return "\n".join(_dated(digest.lines))


def size_of(lines: Sequence[DigestLine], form: str, count: Count) -> int:
    """Tokens that these lines take in a form, at most."""
    if form == INJECT:
        return count(_injected(lines, ""))
    headings = sum(count(f"{title}\n") for _, title in _SECTIONS) + count(f"{_FACTS}\n") if form == STRUCTURED and lines else 0
    return headings + sum(count(line.shown) + (1 if form == STRUCTURED else 0) for line in lines)


def _structured(digest: Digest, marker: str) -> str:
    kinds: dict[int, set[ClaimKind]] = defaultdict(set)
    for one in digest.claims:
        if one.line is not None and one.fate is ClaimFate.KEPT:
            kinds[one.line].add(one.claim.kind)
    under: dict[str, list[DigestLine]] = {title: [] for title in (*(title for _, title in _SECTIONS), _FACTS)}
    for number, line in enumerate(digest.lines):
        under[next((title for kind, title in _SECTIONS if kind in kinds[number]), _FACTS)].append(line)
    marker = marker or _marker(digest.lines)
    return "\n".join(
        told
        for title, some in under.items()
        if some
        for told in (f"{title}:", *(f"- {one.shown}" if one.trust is Trust.TRUSTED else fence(one.shown, marker) for one in some))
    )


def _injected(lines: Sequence[DigestLine], marker: str) -> str:
    """Each date once, each speaker once for what is said in a row, what is untrusted in a frame."""
    marker = marker or _marker(lines)
    blocks = []
    for trust, some in groupby(lines, key=lambda line: line.trust):
        text = "\n".join(_dated(list(some)))
        blocks.append(text if trust is Trust.TRUSTED else fence(text, marker))
    return "\n".join(blocks)


def _dated(lines: Sequence[DigestLine]) -> Iterator[str]:
    day, speaker = "", ""
    for line in lines:
        today = f"{line.said_at:%Y-%m-%d}" if line.said_at else day
        if today != day:
            day, speaker = today, ""
            yield f"[{day}]"
        told = line.shown
        if line.speaker and line.speaker == speaker:
            told = told[len(f"{line.speaker}: ") :]
        speaker = line.speaker
        yield told


def _marker(lines: Sequence[DigestLine]) -> str:
    told = "\n".join(line.shown for line in lines)
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
