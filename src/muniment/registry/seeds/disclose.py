"""Skills shown step by step: a card that is always there, the text and the files beside it only where a gate lets them in.

Rule of this file: the card's band comes before everything gated, so no gate ever changes the bytes in front.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from typing import Final, Protocol

from muniment.errors import SeedError, shown
from muniment.registry.seeds.lines import trimmed
from muniment.registry.seeds.values import Resource, Seed, seeds_of
from muniment.types import Band, Trust

MOST_LISTED: Final = 6
"""Files that a card names; of more it tells the number and size."""
MOST_SHORT: Final = 120
"""Characters of a card's short form."""
_LEAST_SHORT: Final = 40

_LEGAL = re.compile(r"(?:licen[cs]e|notice|copying)(?:\.[a-z]+)?", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?](?=\s)")

Size = Callable[[str], int]


class Counts(Protocol):
    """Anything that counts the tokens of a text, such as EstimatedTokens."""

    def count(self, text: str, /) -> int:
        """How many tokens `text` has."""
        ...


def disclose(seeds: Iterable[Seed], *, tokens: Size | Counts | None = None) -> tuple[Seed, ...]:
    """These seeds with every skill as a card, its text, and each text file beside it; others stay as they are.

    The card stands in the stable band and passes every gate. The text and the files stand in the volatile band behind a
    gate, which scores them with their description; a file requires the text. A card tells the size of each, in tokens where
    a counter or a function is given, else in characters. Untrusted skills have their card in the session band. A skill whose
    card is among the seeds stays as it is.
    """
    found = seeds_of(seeds)
    keys = {seed.key for seed in found}
    size = _size(tokens)
    return tuple(part for seed in found for part in (_disclosed(seed, size) if _is_closed(seed, keys) else (seed,)))


def _is_closed(seed: Seed, keys: Container[str]) -> bool:
    return seed.is_skill and not seed.tool and f"{seed.key}.card" not in keys


def _size(tokens: Size | Counts | None) -> Size | None:
    if tokens is None:
        return None
    count = tokens if callable(tokens) else getattr(tokens, "count", None)
    if isinstance(tokens, type | str) or not callable(count):
        hint = "Give a function from a text to a number, or a counter such as EstimatedTokens()."
        raise SeedError(f"{shown(tokens)} cannot count tokens.", place="tokens", code="type", hint=hint)
    return count


def _disclosed(seed: Seed, tokens: Size | None) -> Iterator[Seed]:
    files = [resource for resource in seed.resources if not _LEGAL.fullmatch(resource.path.rsplit("/", 1)[-1])]
    yield _card(seed, files, tokens)
    yield replace(seed, band=Band.VOLATILE, gated=True, resources=())
    for resource in files:
        if resource.text and (text := trimmed(resource.text, 1)[0]):
            yield Seed(
                name=f"{seed.name}/{resource.path}",
                text=text,
                namespace=seed.namespace,
                description=f"{resource.path} of the skill {seed.name}",
                priority=seed.priority,
                tags=seed.tags,
                band=Band.VOLATILE,
                trust=seed.trust,
                requires=(seed.name, *seed.requires),
                path=f"{seed.path.rsplit('/', 1)[0]}/{resource.path}" if "/" in seed.path else resource.path,
                line=1,
            )


def _card(seed: Seed, files: list[Resource], tokens: Size | None) -> Seed:
    size: Size = tokens or len
    unit = "tokens" if tokens else "characters"
    about = " ".join(seed.description.split())
    lines = [f"Skill {seed.name} ({size(seed.text):,} {unit}): {about}"]
    readable = [(file.path, size(file.text)) for file in files if file.text]
    if readable:
        listed = [f"{path} ({count:,})" for path, count in readable[:MOST_LISTED]]
        rest = [count for _, count in readable[MOST_LISTED:]]
        lines.append(f"Files: {', '.join(listed)}{f', {len(rest)} more ({sum(rest):,})' if rest else ''}.")
    text, short = "\n".join(lines), _shortened(f"Skill {seed.name}: {about}")
    return Seed(
        name=f"{seed.name}.card",
        text=text,
        namespace=seed.namespace,
        short=short if len(short) < len(text) else "",
        priority=seed.priority,
        tags=seed.tags,
        band=Band.STABLE if seed.trust is Trust.TRUSTED else Band.SESSION,
        trust=seed.trust,
        gated=False,
        path=seed.path,
        line=seed.line,
    )


def _shortened(text: str) -> str:
    """As many whole sentences as fit, else as many whole words."""
    if len(text) <= MOST_SHORT:
        return text
    ends = [found.end() for found in _SENTENCE.finditer(text[:MOST_SHORT]) if found.end() >= _LEAST_SHORT]
    return text[: ends[-1]] if ends else f"{text[: MOST_SHORT - 1].rsplit(' ', 1)[0]}…"
