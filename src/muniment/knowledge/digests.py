"""The frozen values of a compaction: the claims of a span of records, what became of each, and the digest that is served.

Rule of this file: values only. A digest names what it lost; the records stay, and every line and every claim leads back to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from muniment.types import Record, RecordId, Scope, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Characters `start` to `end` of what a record says."""

    record: RecordId
    start: int
    end: int


class ClaimKind(StrEnum):
    """What kind of claim a record makes."""

    NUMBER = "number"
    MONEY = "money"
    DATE = "date"
    NAME = "name"
    LINK = "link"
    CODE = "code"
    QUOTE = "quote"
    LIMIT = "limit"
    DECISION = "decision"
    PREFERENCE = "preference"
    COMMITMENT = "commitment"
    QUESTION = "question"
    TOOL = "tool"
    CONSTRAINT = "constraint"
    MEMORY = "memory"


class ClaimFate(StrEnum):
    """What became of a claim in a digest."""

    KEPT = "kept"
    ALTERED = "altered"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestClaim:
    """One thing that records claim, in their own words (`text`), and where. `value` is what must come through, in its plain form.

    `weight` is how much its loss costs, above 0; `spans` are all places that claim the same.
    """

    kind: ClaimKind
    text: str
    value: str
    weight: float
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim and what became of it: the number of the line that keeps or alters it (None when lost), and how."""

    claim: DigestClaim
    fate: ClaimFate
    line: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestLine:
    """One line of a digest and the words of records it was made from.

    `speaker` is who said them, `verbatim` that the text is exactly theirs, `pinned` that it may never be shortened. What
    comes from an untrusted record is untrusted. `header` names the columns of a row of a tool's result, `note` what of the
    result is left out; neither is part of what is said.
    """

    text: str
    spans: tuple[Span, ...]
    speaker: str = ""
    said_at: datetime | None = None
    trust: Trust = Trust.TRUSTED
    verbatim: bool = True
    pinned: bool = False
    header: str = ""
    note: str = ""

    @property
    def shown(self) -> str:
        """The line with who said it, the header it stands under and what is left out behind it."""
        text = "\n".join(part for part in (self.header, self.text, self.note) if part)
        return f"{self.speaker}: {text}" if self.speaker else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Invention:
    """Something a digest says that no record does."""

    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alteration:
    """Something a digest says otherwise than its records: in which line (None where a line is missing), and what they say."""

    line: int | None
    text: str
    why: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a digest keeps of its records: every claim with its fate, what it says otherwise, and what it invented.

    `score` is the share of the claims, by weight, that were kept; 1 for a span that claims nothing. `notes` tell what could
    not be done, such as a second opinion that nobody gave.
    """

    claims: tuple[CheckedClaim, ...]
    inventions: tuple[Invention, ...]
    score: float
    alterations: tuple[Alteration, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def flagged(self) -> bool:
        """True when anything is altered or invented."""
        return bool(self.inventions or self.alterations) or any(one.fate is ClaimFate.ALTERED for one in self.claims)

    @property
    def lost(self) -> Sequence[DigestClaim]:
        """What the digest does not say."""
        return [one.claim for one in self.claims if one.fate is ClaimFate.LOST]


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A compaction of a span of records that was verified, and how far it could be shortened.

    `level` is the one asked for and `relaxed` the one reached, where they differ; `target` and all sizes are tokens.
    `passed` says that the score reached `threshold` and nothing is altered or invented. `over` is True when the target
    could not be met at the required fidelity: the digest exceeds it rather than lie. `first` and `last` are the `seq` of the
    first and the last record of a part of a conversation; a store numbers the versions of each part from 1.
    """

    lines: tuple[DigestLine, ...]
    verification: Verification
    level: str
    relaxed: str
    target: int
    tokens: int
    source_tokens: int
    threshold: float
    records: tuple[RecordId, ...]
    form: str = "narrative"
    scope: Scope | None = None
    conversation: str | None = None
    first: int = 0
    last: int = 0
    version: int = 0
    made_at: datetime | None = None
    agent: str = ""
    model: str = ""

    @property
    def passed(self) -> bool:
        """Whether it may be served."""
        return self.verification.score >= self.threshold and not self.verification.flagged

    @property
    def over(self) -> bool:
        """Whether it exceeds its target."""
        return self.tokens > self.target

    @property
    def text(self) -> str:
        """The lines as text, each with who said it."""
        return "\n".join(line.shown for line in self.lines)

    @property
    def claims(self) -> tuple[CheckedClaim, ...]:
        """Every claim with its fate."""
        return self.verification.claims

    def expand(self, claim: DigestClaim) -> tuple[Span, ...]:
        """Where the records claim it, to be read there word by word."""
        return claim.spans


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What a record says at one of the places that claim something, word by word."""

    record: Record
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPart:
    """A part of a conversation as a prompt tells it: numbers of its first and last turn, and its digest as text."""

    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A conversation for one prompt: older parts shortened (`past`), then turns word for word, both oldest first.

    `lost` are turns that cannot be read. Not `complete` when there are older ones that neither tells.
    """

    records: tuple[Record, ...] = ()
    lost: tuple[int, ...] = ()
    complete: bool = True
    past: tuple[PastPart, ...] = ()
