"""The value of an architecture: the memory rules of one agent, as every room reads them.

Rule of this file: frozen values with defaults that work. Reading, checking and proposing architectures is the architect's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

REASONS = (
    "acknowledgement",
    "greeting",
    "heartbeat",
    "system_prompt",
    "refusal",
    "error",
    "recalled",
    "assistant_opinion",
    "hypothetical",
    "question",
    "untrusted_instruction",
    "boilerplate",
    "too_short",
)
"""What admission can be told to refuse, and refuses where it is told nothing else."""


_SEARCHED = frozenset({"lexical", "vector"})


class Keep(StrEnum):
    """What is done with a kind of personal data or secret before anything is written."""

    KEEP = "keep"
    MASK = "mask"
    TOKENISE = "tokenise"
    REFUSE = "refuse"


class Mode(StrEnum):
    """Who extracts: the rules, a model, or the rules and then a model."""

    RULES = "rules"
    MODEL = "model"
    BOTH = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRule:
    """One kind of memory. `cues` are words that speak for it; `functional` attributes hold one current value each.

    `writers` are the roles whose words may become such a memory. `share` is the widest rung it may be shared up to by hand (""
    for none), and `share_up_to` the widest that a customer's administrator may set for theirs ("" for no wider than `share`).
    `storage` names the channels it is found by. `keep` is how long it lives after its last evidence, `forget_unused` how long
    without being recalled; None is for ever. `pii` masks or refuses data that the agent's policy let through.
    """

    name: str
    description: str = ""
    cues: tuple[str, ...] = ()
    functional: tuple[str, ...] = ()
    writers: tuple[str, ...] = ("user", "assistant", "tool", "document")
    share: str = ""
    share_up_to: str = ""
    storage: tuple[str, ...] = ("lexical", "vector", "graph")
    keep: timedelta | None = None
    forget_unused: timedelta | None = None
    enabled: bool = True
    pii: Mapping[str, Keep] = field(default_factory=dict)

    @property
    def share_ceiling(self) -> str:
        """The widest rung it may ever be shared up to."""
        return self.share_up_to or self.share

    @property
    def found_by(self) -> frozenset[str]:
        """The channels by which a search may find it: lexical, vector, both or none."""
        return _SEARCHED.intersection(self.storage)

    def holds_one(self, attribute: str) -> bool:
        """True when this attribute holds one current value. A `functional` name that ends in * stands for all that begin so."""
        return any(
            attribute == name or (name.endswith("*") and name != "*" and attribute.startswith(name[:-1]))
            for name in self.functional
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What may become a memory: least confidence and length, and what is refused (reason codes of the admission rules)."""

    confidence: float = 0.5
    least_words: int = 2
    refuse: tuple[str, ...] = REASONS
    most_per_record: int = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRule:
    """One type of entity. `share` is the rung up to which its canonical names (never facts) may be known; "" is its own scope."""

    name: str
    description: str = ""
    merge_at: float = 0.92
    review_at: float = 0.75
    share: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """The memory rules of one agent. `version` counts what was applied in a store; 0 is one that was not.

    `pii` decides by kind of data; what it does not name is left to the detectors' own policy. `weights` overrides retrieval
    weights by name, `question_weights` those for one kind of question (see `knowledge.questions`). `anticipation`, `compaction`
    hold settings of those steps by name.
    """

    agent: str = "default"
    version: int = 0
    description: str = ""
    archetypes: tuple[str, ...] = ()
    kinds: tuple[KindRule, ...] = ()
    admission: Admission = field(default_factory=Admission)
    entities: tuple[EntityRule, ...] = ()
    mode: Mode = Mode.RULES
    model: str = ""
    timezone: str = "UTC"
    languages: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    question_weights: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    compaction: Mapping[str, str] = field(default_factory=dict)
    anticipation: Mapping[str, str] = field(default_factory=dict)
    pii: Mapping[str, Keep] = field(default_factory=dict)
    private_conversations: bool = False

    @property
    def label(self) -> str:
        """Agent and version, as every memory keeps it."""
        return f"{self.agent}@{self.version}"

    def kind(self, name: str) -> KindRule | None:
        """The rule of this kind, if the architecture has it and it is enabled."""
        return next((rule for rule in self.kinds if rule.name == name and rule.enabled), None)
