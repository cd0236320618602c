"""Every key of an architecture file: its name, its shape and what it means. Reading, the schema and the page are made from it.

Rule of this file: a table. What holds where a key is left out stands in the default architecture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from muniment.architect.rules_shapes import Choice, Flag, Key, Listed, Mapped, Member, Number, Span, Text, Whole
from muniment.knowledge.architecture import REASONS, Keep, Mode
from muniment.knowledge.questions import QUESTIONS
from muniment.types import RUNGS, Role

NAME: Final = Text(most=64, pattern=r"[a-z][a-z0-9_]*", example="order_status")
ATTRIBUTE: Final = Text(most=80, pattern=r"[a-z][a-z0-9_]*(:([a-z0-9_ -]+|\*))?", example="lives_in` or `favourite:*")
ID: Final = Text(most=128, pattern=r"[^\x00-\x20\x7f-\xa0\u2028\u2029]+", example="support")
ZONE: Final = Text(most=64, pattern=r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*", example="Europe/Lisbon")
LANGUAGE: Final = Text(most=35, pattern=r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", example="pt")
MODEL: Final = Text(most=300, pattern=r"\S+", example="openai:NAME")
CUE: Final = Text(most=80, pattern=r"\S(.*\S)?", example="from now on")
PROSE: Final = Text(most=2000)

WRITERS: Final = tuple(role.value for role in Role)
CHANNELS: Final = ("lexical", "vector", "graph")
WEIGHTS: Final = (
    "words",
    "meaning",
    "nearby",
    "conversation",
    "speaker",
    "time",
    "telling",
    "fact",
    "slot",
    "holds",
    "superseded",
    "kind",
    "dated",
    "event",
    "entities",
    "outside",
    "before_days",
    "after_days",
    "inside",
    "least_meaning",
    "least_conversation",
    "k1",
    "b",
)
"""Names of the retrieval weights."""

PII_KINDS: Final = {
    "secret": "Passwords, keys and tokens of services, private keys.",
    "card": "Numbers of payment cards.",
    "iban": "Account numbers.",
    "national_id": "Numbers of passports, identity cards, taxes and social security.",
    "email": "E-mail addresses.",
    "ip": "Addresses of machines.",
    "phone": "Telephone numbers.",
    "birth_date": "Dates of birth.",
    "address": "Postal addresses.",
}
"""Kinds of personal data and secrets that a policy may name, and what they are."""
PII: Final = tuple(PII_KINDS)

SEALED: Final = "Tokens stand for values in records, before a kind is known: write tokenise in pii of the file, or mask here."
KIND_POLICY: Final = Mapped(of=Member(Keep, {Keep.TOKENISE: SEALED}), names=PII, about="kind of data")
STRATEGIES: Final = ("conservative", "balanced", "aggressive", "adaptive")

GONE: Final = {
    "embedder": "One embedder serves all of a store, and is chosen where the store is opened. Leave this key out.",
}
"""Keys that there are not, though one may look for them, and what to do instead."""
ABOVE: Final = "Leave it out: no step keeps a memory above its record. A decision is shared by hand, as far as share allows."
NO_BLOB: Final = "Leave it out: what is large in a record is kept beside it, whatever is made of it."
IN_ONE: Final = (
    "Whether what is said in one conversation, and all that is made of it, stays in it. What is said in no conversation is known "
    "in all."
)

DESCRIPTION: Final = Key(name="description", shape=PROSE, about="What it is for, in a sentence or two.")

# kinds
CUES: Final = Key(name="cues", shape=Listed(of=CUE), about="Words that speak for a sentence being of this kind.")
FUNCTIONAL: Final = Key(
    name="functional",
    shape=Listed(of=ATTRIBUTE),
    about="Attributes that hold one current value, so that a new one supersedes the old. All others gather values.",
)
WRITTEN_BY: Final = Key(
    name="writers", shape=Listed(of=Choice(options=WRITERS)), about="The roles whose words may become such a memory."
)
RUNG: Final = Key(
    name="rung",
    shape=Choice(options=(), empty="own", otherwise=dict.fromkeys(RUNGS, ABOVE)),
    about="Where it is kept: `own`, where its record is.",
)
SHARE: Final = Key(
    name="share",
    shape=Choice(options=RUNGS, empty="none"),
    about="The widest rung it may be shared up to, by hand.",
)
SHARE_UP_TO: Final = Key(
    name="share_up_to",
    shape=Choice(options=RUNGS),
    about="The widest rung that a customer's administrator may set for what is theirs. Left out it is `share`: they may narrow.",
)
STORAGE: Final = Key(
    name="storage",
    shape=Listed(of=Choice(options=CHANNELS, otherwise={"blob": NO_BLOB})),
    about="The channels it can be found by. `lexical`: by the words of a question, and by the slot they ask for; `vector`: where "
    "its record is near in meaning; with neither, by list, show and history alone. `graph`: by the entities it names.",
)
KEEP: Final = Key(name="keep", shape=Span(), about="How long it lives after its last evidence.")
FORGET_UNUSED: Final = Key(name="forget_unused", shape=Span(), about="How long it lives without being recalled.")
ENABLED: Final = Key(name="enabled", shape=Flag(), about="Whether this kind is kept at all.")
KIND_PII: Final = Key(
    name="pii",
    shape=KIND_POLICY,
    about="What is done beyond the agent's PII policy with such data in memories of this kind: masked, or the memory refused. "
    "The record stays as the agent's policy left it.",
)
KIND_KEYS: Final = (
    DESCRIPTION, CUES, FUNCTIONAL, WRITTEN_BY, RUNG, SHARE, SHARE_UP_TO, STORAGE, KEEP, FORGET_UNUSED, ENABLED, KIND_PII,
)  # fmt: skip

# entities
MERGE_AT: Final = Key(name="merge_at", shape=Number(low=0, high=1), about="Score from which two names are taken for one thing.")
REVIEW_AT: Final = Key(name="review_at", shape=Number(low=0, high=1), about="Score from which a pair goes to the review list.")
SHARE_NAMES: Final = Key(
    name="share",
    shape=Choice(options=RUNGS, empty="none"),
    about="The rung up to which names of this type, never facts, may be known.",
)
ENTITY_KEYS: Final = (DESCRIPTION, MERGE_AT, REVIEW_AT, SHARE_NAMES)

# admission
CONFIDENCE: Final = Key(name="confidence", shape=Number(low=0, high=1), about="The least confidence that is admitted.")
LEAST_WORDS: Final = Key(name="least_words", shape=Whole(low=0, high=100), about="The fewest words that are admitted.")
MOST: Final = Key(name="most_per_record", shape=Whole(low=1, high=1000), about="The most memories of one record.")
REFUSE: Final = Key(name="refuse", shape=Listed(of=Choice(options=REASONS)), about="What never becomes a memory.")
ADMISSION_KEYS: Final = (CONFIDENCE, LEAST_WORDS, MOST, REFUSE)

# extraction
EXTRACT: Final = Key(name="mode", shape=Member(Mode), about="Who extracts: rules, a model, or the rules and then a model.")
MODEL_NAME: Final = Key(name="model", shape=MODEL, about="The model, where one is asked.")
EXTRACTION_KEYS: Final = (EXTRACT, MODEL_NAME)

# the steps behind
COMPACT: Final = Key(name="strategy", shape=Choice(options=("off", *STRATEGIES)), about="How hard a history is shortened.")
HISTORY_SHARE: Final = Key(
    name="share", shape=Number(low=0.05, high=0.95), about="The share of a budget that history may take before it is shortened."
)
KEEP_TURNS: Final = Key(name="keep_turns", shape=Whole(low=0, high=1000), about="The latest turns that stay word for word.")
LEAST_KEPT: Final = Key(
    name="threshold",
    shape=Number(low=0.5, high=1),
    about="The share of the claims, by weight, that a digest must keep to be served.",
)
COMPACTION_KEYS: Final = (COMPACT, HISTORY_SHARE, KEEP_TURNS, LEAST_KEPT)

ANTICIPATE: Final = Key(name="mode", shape=Choice(options=("off", "on")), about="Whether needs are predicted at all.")
MOST_BUNDLES: Final = Key(name="most", shape=Whole(low=1, high=100), about="The most bundles held ready for one conversation.")
KEEP_BUNDLES: Final = Key(name="keep", shape=Span(), about="How long a bundle stays ready.")
ANTICIPATION_KEYS: Final = (ANTICIPATE, MOST_BUNDLES, KEEP_BUNDLES)

# the file
AGENT: Final = Key(name="agent", shape=ID, about="Whose memory rules these are.")
ARCHETYPES: Final = Key(name="archetypes", shape=Listed(of=NAME), about="The archetypes it was made from, for the record.")
TIMEZONE: Final = Key(name="timezone", shape=ZONE, about="The zone in which dates are meant that name none.")
LANGUAGES: Final = Key(
    name="languages",
    shape=Listed(of=LANGUAGE),
    about="The languages of which memories are made; left out, any. A sentence that is surely in another one, by its script or "
    "its function words, gives none (`other_language`) and stays in its record.",
)
WEIGHTED: Final = Mapped(of=Number(low=0, high=100), names=WEIGHTS, about="retrieval weight")
RETRIEVAL_WEIGHTS: Final = Key(
    name="weights",
    shape=WEIGHTED,
    about="Retrieval weights that differ from the usual ones.",
)
QUESTION_WEIGHTS: Final = Key(
    name="question_weights",
    shape=Mapped(of=WEIGHTED, names=tuple(QUESTIONS), about="kind of question", once=True),
    about="Retrieval weights for one kind of question; of a question of several kinds, the last named here decides.",
)
PRIVATE: Final = Key(name="private_conversations", shape=Flag(), about=IN_ONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the file: a mapping with these `keys`, or with `named` one such mapping for every name.

    `gone` are keys it does not have, and what to do instead.
    """

    name: str
    about: str
    keys: tuple[Key[object], ...] = ()
    named: str = ""
    gone: Mapping[str, str] = field(default_factory=dict)


EXTRACTION: Final = Section(name="extraction", about="How memories are read out of records.", keys=EXTRACTION_KEYS)
KINDS: Final = Section(
    name="kinds",
    about="The kinds of memory, by name. A standard kind has what it does not say from the default architecture.",
    keys=KIND_KEYS,
    named="kind",
    gone=GONE,
)
ENTITIES: Final = Section(name="entities", about="The types of things that have names.", keys=ENTITY_KEYS, named="entity type")
ADMISSION: Final = Section(name="admission", about="What may become a memory at all.", keys=ADMISSION_KEYS)
COMPACTION: Final = Section(name="compaction", about="How long histories are shortened.", keys=COMPACTION_KEYS)
ANTICIPATION: Final = Section(name="anticipation", about="What is made ready before it is asked for.", keys=ANTICIPATION_KEYS)
PII_KEYS: Final = tuple(Key(name=kind, shape=Member(Keep), about=about) for kind, about in PII_KINDS.items())
PII_SECTION: Final = Section(
    name="pii",
    about="What is done with personal data and secrets before anything is written; left out, as by default.",
    keys=PII_KEYS,
)

FILE: Final[tuple[Key[object] | Section, ...]] = (
    AGENT,
    DESCRIPTION,
    ARCHETYPES,
    TIMEZONE,
    LANGUAGES,
    EXTRACTION,
    KINDS,
    ENTITIES,
    ADMISSION,
    RETRIEVAL_WEIGHTS,
    QUESTION_WEIGHTS,
    COMPACTION,
    ANTICIPATION,
    PII_SECTION,
    PRIVATE,
)
"""What a file may hold, in the order it is written."""
