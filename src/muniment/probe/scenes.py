"""One trial's texts: a fact with a name made up for it, texts on the same subject, and fillers from the same field of work.

Rule of this file: everything follows from the seed, the same on every machine. The made-up name is in the fact and nowhere else.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum

from muniment.probe.domains import Domain, Topic, domains

CRITICAL = "critical"
RELATED = "related"
FILLER = "filler"


class Order(StrEnum):
    """Whether all seeds of a domain meet the same fillers in the same order, or each its own."""

    FIXED = "fixed"
    SHUFFLED = "shuffled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text that becomes a block."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a trial is about. `answer` is the made-up name; a model that saw `critical` can tell it, any other cannot."""

    domain: str
    question: str
    reworded: str
    answer: str
    critical: Text
    related: tuple[Text, ...]
    fillers: tuple[Text, ...]


def scene(seed: int, *, fillers: int, order: Order = Order.SHUFFLED) -> Scene:
    """The scene of a seed. Seeds take turns with the domains, then with the topics of each; each has a name of its own."""
    fields = domains()
    domain = fields[seed % len(fields)]
    topic = domain.topics[seed // len(fields) % len(domain.topics)]
    answer = _made_up(random.Random(f"name:{seed}"), domain)  # noqa: S311  # repeatable trials, no secrets
    drawn = random.Random(f"fillers:{domain.name}:{seed if order is Order.SHUFFLED else 'fixed'}")  # noqa: S311  # the same
    return Scene(
        domain=domain.name,
        question=topic.question,
        reworded=topic.reworded,
        answer=answer,
        critical=Text(name=CRITICAL, text=topic.fact.format(name=answer)),
        related=tuple(Text(name=f"{RELATED}-{place}", text=text) for place, text in enumerate(topic.related)),
        fillers=_fillers(domain, fillers, drawn),
    )


def _fillers(domain: Domain, count: int, drawn: random.Random) -> tuple[Text, ...]:
    """Every pattern once before any comes again, then with another subject, so that no two blocks say the same."""
    patterns = drawn.sample(domain.fillers, len(domain.fillers))
    subjects = drawn.sample(domain.subjects, len(domain.subjects))
    texts = []
    for place in range(count):
        turn, which = divmod(place, len(patterns))
        subject = subjects[(which + turn) % len(subjects)]
        texts.append(patterns[which].format(subject=subject, number=drawn.randint(2, 60)))
    return tuple(Text(name=f"{FILLER}-{place}", text=text) for place, text in enumerate(texts))


_ONSETS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "dr", "kr", "tr", "pl")
_VOWELS = "aeiou"
_ENDS = ("", "l", "n", "r", "s", "x")


def _made_up(drawn: random.Random, domain: Domain) -> str:
    """Two invented words, none of which stands in a text of the domain."""
    known = " ".join(
        (*domain.fillers, *domain.subjects, *(words for topic in domain.topics for words in _words(topic)))
    ).casefold()
    while True:
        words = ["".join(_syllable(drawn) for _ in range(length)) for length in (3, 2)]
        if not any(word in known for word in words):
            return "_".join(words)


def _words(topic: Topic) -> tuple[str, ...]:
    return (topic.question, topic.reworded, topic.fact, *topic.related)


def _syllable(drawn: random.Random) -> str:
    return drawn.choice(_ONSETS) + drawn.choice(_VOWELS) + drawn.choice(_ENDS)
