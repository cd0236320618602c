"""What is in a registry, and where it came from, as values that print themselves.

Rule of this file: it only reads, and no block's id is in anything it returns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from muniment.errors import BlockError, shown
from muniment.registry.ledger import Ledger
from muniment.types import Block, Source


class TokenCounter(Protocol):
    """What counts tokens, such as a provider's tokens or `EstimatedTokens()`."""

    def count(self, text: str) -> int: ...


def check_counter(value: object) -> TokenCounter:
    """Return `value` if it counts tokens; text and lists have a `count` too, but of another kind."""
    if isinstance(value, str | bytes | Sequence) or not callable(getattr(value, "count", None)):
        raise BlockError(
            f"{shown(value)} is no token counter.",
            place="counter",
            code="range",
            hint="Give one with count(text): EstimatedTokens().",
        )
    return value  # type: ignore[return-value]  # as far as it shows before it is called


def counted(counter: TokenCounter, text: str) -> int:
    """What the counter says of the text. Raises `BlockError` (range) when that is not a number of tokens."""
    tokens: object = counter.count(text)
    if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
        raise BlockError(
            f"the counter gave {shown(tokens)}.",
            place="counter",
            code="range",
            hint="Return a whole number of tokens, 0 or more.",
        )
    return tokens


def whole_text(block: Block) -> str:
    """A block's text with what is put around it."""
    return f"{block.prefix}{block.text}{block.suffix}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts over one registry at one moment. `tokens` is None when no counter was given, `mean_priority` when it is empty.

    `characters` and `tokens` count every block by itself, with prefix and suffix; a prompt has separators and frames as well.
    """

    count: int
    sources: Mapping[str, int]
    bands: Mapping[str, int]
    tags: Mapping[str, int]
    authors: Mapping[str, int]
    groups: Mapping[str, int]
    characters: int
    tokens: int | None
    mean_priority: float | None
    accesses: int
    first: str | None

    def lines(self) -> tuple[str, ...]:
        """The summary for a terminal, one fact per line."""
        size = f"{self.characters:,} characters" + ("" if self.tokens is None else f", {self.tokens:,} tokens")
        mean = "" if self.mean_priority is None else f", mean priority {self.mean_priority:.2f}"
        counts = (("bands", self.bands), ("sources", self.sources), ("tags", self.tags), ("groups", self.groups))
        return (
            f"{self.count:,} blocks, {size}",
            f"shown {self.accesses:,} times{mean}",
            *(f"{title}: {_counted(values)}" for title, values in counts if values),
            *([f"authors: {len(self.authors)}"] if self.authors else []),
            *([f"first: {printable(self.first)}"] if self.first is not None else []),
        )

    def __str__(self) -> str:
        return "\n".join(self.lines())


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Blocks of one source, run and author: their names in registry order."""

    source: Source
    run: str | None
    author: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where the blocks came from, in order of first appearance."""

    origins: tuple[Origin, ...]

    @property
    def count(self) -> int:
        """How many blocks there are in all."""
        return sum(len(origin.names) for origin in self.origins)

    def lines(self) -> tuple[str, ...]:
        """One line per source, run and author."""
        return tuple(
            f"{origin.source}{f' of run {printable(origin.run)}' if origin.run is not None else ''}"
            f" by {origin.author[:8] or 'nobody'}: {len(origin.names)} ({', '.join(map(printable, origin.names))})"
            for origin in self.origins
        )

    def __str__(self) -> str:
        return "\n".join(self.lines())


def summary(ledger: Ledger, *, counter: TokenCounter | None = None) -> Summary:
    """Count what a registry holds now. With a `counter`, every block's tokens are counted, which may take a while."""
    if counter is not None:
        check_counter(counter)
    with ledger.lock:
        blocks = ledger.blocks
        accesses = sum(ledger.accesses(block.id) for block in blocks)
    texts = [whole_text(block) for block in blocks]
    return Summary(
        count=len(blocks),
        sources=_tally(blocks, lambda block: [block.source.value]),
        bands=_tally(blocks, lambda block: [block.band.name.lower()]),
        tags=_tally(blocks, lambda block: block.tags),
        authors=_tally(blocks, lambda block: [block.author]),
        groups=_tally(blocks, lambda block: [block.group.name] if block.group else []),
        characters=sum(map(len, texts)),
        tokens=sum(counted(counter, text) for text in texts) if counter is not None else None,
        mean_priority=sum(block.priority for block in blocks) / len(blocks) if blocks else None,
        accesses=accesses,
        first=blocks[0].name if blocks else None,
    )


def provenance(blocks: Iterable[Block], *, run: str | None = None, author: str | None = None) -> Provenance:
    """Which blocks came from where; only those of one `run` or `author` when given. A registry can be given as it is."""
    names: dict[tuple[Source, str | None, str], list[str]] = {}
    for block in blocks:
        if (run is None or block.run == run) and (author is None or block.author == author):
            names.setdefault((block.source, block.run, block.author), []).append(block.name)
    return Provenance(
        origins=tuple(
            Origin(source=source, run=of_run, author=by, names=tuple(found)) for (source, of_run, by), found in names.items()
        )
    )


def printable(text: str) -> str:
    """`text` on one line and without control characters; spelled out if it has any."""
    return text if text.isprintable() else repr(text)


def _tally(blocks: Sequence[Block], words: Callable[[Block], Sequence[str]]) -> Mapping[str, int]:
    return dict(Counter(word for block in blocks for word in words(block)))


def _counted(values: Mapping[str, int]) -> str:
    return ", ".join(f"{printable(word)} {count:,}" for word, count in values.items())
