"""The architecture an agent has while none was applied.

Rule of this file: everything is kept in the scope it was said in, nothing expires, and secrets are masked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from muniment.knowledge.architecture import Architecture, EntityRule, Keep, KindRule

ONE_VALUE: Final = (
    "name",
    "lives_in",
    "address",
    "works_at",
    "job",
    "studies_at",
    "plan",
    "subscription_status",
    "status",
    "relationship",
    "birthday",
    "age",
    "email",
    "phone",
    "language",
    "timezone",
    "employer_role",
    "uses:*",
)
"""Attributes of facts that hold one current value; a * stands for any ending."""

ONE_TASTE: Final = ("diet", "favourite:*", "likes:*")
"""The same of preferences."""

STANDARD_KINDS: Final = (
    KindRule(
        name="fact",
        description="What is so about a person or thing, and does not hang on one moment.",
        cues=("is", "lives", "works", "has", "owns", "name", "plan", "status"),
        functional=(*ONE_VALUE, *ONE_TASTE),
    ),
    KindRule(
        name="preference",
        description="What someone likes, dislikes, wants or avoids.",
        cues=("prefer", "like", "love", "hate", "favourite", "rather", "avoid", "allergic"),
        functional=(*ONE_TASTE, *ONE_VALUE),
    ),
    KindRule(
        name="event",
        description="Something that happened or will happen, at a time that can be told.",
        cues=("yesterday", "went", "visited", "met", "happened", "moved", "tomorrow", "on"),
    ),
    KindRule(
        name="decision",
        description="What was settled, by whom, why, what else was weighed, and what came of it.",
        cues=("decided", "chose", "agreed", "settled", "because", "instead", "approved"),
    ),
    KindRule(
        name="commitment",
        description="What someone said they would do, for whom and by when.",
        cues=("will", "promise", "by", "deadline", "due", "remind", "owe"),
    ),
    KindRule(
        name="procedure",
        description="How something is done here: steps, rules that worked, and what to do when they do not.",
        cues=("first", "then", "steps", "always", "never", "run", "whenever"),
        writers=("user", "assistant"),
    ),
    KindRule(
        name="instruction",
        description="How the user wants the agent to behave from now on.",
        cues=("please", "always", "never", "call", "answer", "reply", "from now on"),
        functional=("reply_language", "reply_style", "call_me"),
        writers=("user",),
    ),
)

STANDARD_ENTITIES: Final = (
    EntityRule(name="person", description="Someone with a name."),
    EntityRule(name="organisation", description="A company, team, school or other body."),
    EntityRule(name="place", description="A city, country, building or other place."),
    EntityRule(name="product", description="Something that is made, sold or used."),
    EntityRule(name="project", description="A piece of work that has a name."),
    EntityRule(name="code", description="A number or code that stands for one thing; another digit is another thing."),
)

SECRETS_MASKED: Final[Mapping[str, Keep]] = {
    "secret": Keep.MASK,
    "card": Keep.MASK,
    "iban": Keep.MASK,
    "national_id": Keep.MASK,
    "email": Keep.KEEP,
    "ip": Keep.KEEP,
    "phone": Keep.KEEP,
    "birth_date": Keep.KEEP,
    "address": Keep.KEEP,
}


def default_architecture(agent: str = "default") -> Architecture:
    """The rules of an agent that has no architecture of its own: version 0, rules only, nothing shared, nothing expires."""
    return Architecture(
        agent=agent,
        description="The rules every agent starts with.",
        kinds=STANDARD_KINDS,
        entities=STANDARD_ENTITIES,
        pii=SECRETS_MASKED,
    )
