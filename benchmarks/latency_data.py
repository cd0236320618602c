"""Seeded synthetic memories for the latency benchmark: Zipf words, clustered unit vectors, and questions with a known target.

The commonest words are English ones that carry grammar, so that a text is taken for English; the others are made up. One memory
in five begins with a statement, so that there is something to derive: facts, events and entities.
Rule of this file: everything follows from the number of users, in blocks, so that a million records never stand in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

DIM = 384
PER_USER = 300
FIRST = datetime(2025, 1, 1, tzinfo=UTC)
SPACING = timedelta(seconds=20)  # between two arrivals
STATED = 5  # one memory in so many begins with a statement
STATEMENTS = (
    "I moved to {}.",
    "My plan is {} now.",
    "I bought a {} yesterday.",
    "{} works at {}.",
    "We decided to use {} because of the price.",
)
DATED = 2  # one question in so many names the month its target was said in
BLOCK = 1000
PER_BLOCK = 10  # questions drawn from one block
WORDS = 30_000
CLUSTERS = 500
SPREAD = 0.7  # of a vector around its cluster's centre, per dimension, the centres having spread 1
NEARNESS = 0.02  # of a question's vector around its target's, the same way
WORD = re.compile(r"\w+")
GRAMMAR = WORD.findall(
    "the of and to in is that for was it with as on be at by this had not are but from or have an they which you were all she "
    "there would their we him been has when who will no more if out so what up its about than into them can only some could "
    "these then do any my now over such our me your i he his her how did where why"
)
SYLLABLES = WORD.findall(
    "ka lo mi ren sa tor vel nu pha dri gon bel xa quo zem ist ara eno ulu ish ver tam pol rik dan jo hes mar"
)

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of arrivals: row i is the memory of user `users[i]`, its `places[i]`-th, with this text and unit vector."""

    first: int
    users: list[int]
    places: list[int]
    texts: list[str]
    vectors: Floats


@dataclass(frozen=True, slots=True)
class Question:
    """A question of one user whose words and vector come from `target`, one of the user's own memories. `of` names the size."""

    number: int
    of: str
    user: int
    target: int
    text: str
    vector: Floats


def chance(*seed: object) -> np.random.Generator:
    """Random numbers that follow from `seed` alone, on every machine."""
    return np.random.default_rng(int.from_bytes(blake2b(repr(seed).encode(), digest_size=8).digest(), "little"))


@lru_cache(maxsize=1)
def vocabulary() -> tuple[NDArray[np.str_], NDArray[np.float64]]:
    """Words, commonest first, and the cumulative share of each in running text."""
    rng = chance("words")
    words = dict.fromkeys(GRAMMAR)
    while len(words) < WORDS:
        words["".join(SYLLABLES[i] for i in rng.integers(0, len(SYLLABLES), rng.integers(2, 5)))] = None
    share = 1.0 / (np.arange(WORDS) + 10.0)
    return np.array(list(words)), np.cumsum(share / share.sum())


@lru_cache(maxsize=1)
def centres() -> Floats:
    """The cluster centres."""
    return chance("centres").standard_normal((CLUSTERS, DIM), dtype=np.float32)


class Memories:
    """All memories of `users` users, `PER_USER` each, and of one more for each of `wide`, who has as many, in one random order.

    Users differ from size to size, so that files of several sizes share nothing.
    """

    def __init__(self, users: int, wide: Sequence[int] = ()) -> None:
        self.users = users
        self.sizes = [PER_USER] * users + list(wide)
        numbers = np.arange(len(self.sizes))
        self.owners = chance("arrival", users, *wide).permutation(np.repeat(numbers, self.sizes))
        order = np.argsort(self.owners, kind="stable")
        starts = np.cumsum([0, *self.sizes[:-1]])
        self.places = np.empty(len(order), np.int64)
        self.places[order] = np.arange(len(order)) - np.repeat(starts, self.sizes)

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def mark(self) -> str:
        """A name for these memories and no others, for files that are kept."""
        first = self.block(0)
        return f"{len(self)}-{blake2b(' '.join(first.texts).encode() + first.vectors.tobytes(), digest_size=4).hexdigest()}"

    def blocks(self) -> Iterator[Block]:
        """All arrivals in order."""
        return (self.block(first) for first in range(0, len(self), BLOCK))

    def block(self, first: int) -> Block:
        """The arrivals from `first`, a multiple of `BLOCK`."""
        rows = slice(first, min(first + BLOCK, len(self)))
        rng = chance("block", self.users, first)
        owners = self.owners[rows].tolist()
        words, shares = vocabulary()
        lengths = rng.integers(20, 41, len(owners))
        picked = words[np.searchsorted(shares, rng.random(int(lengths.sum())))].tolist()
        ends = np.cumsum(lengths).tolist()
        texts = [" ".join(picked[end - length : end]) for end, length in zip(ends, lengths.tolist(), strict=True)]
        texts = [stated(place) + text for place, text in zip(self.places[rows].tolist(), texts, strict=True)]
        around = SPREAD * rng.standard_normal((len(owners), DIM), dtype=np.float32)
        return Block(
            first, owners, self.places[rows].tolist(), texts, unit(centres()[rng.integers(0, CLUSTERS, len(owners))] + around)
        )

    def questions(self, count: int, size: int = PER_USER) -> list[Question]:
        """Questions about 2 to 4 words, a quarter of them from anywhere, each with a target among the memories of who asks.

        Those who ask have `size` memories.
        """
        rng = chance("questions", self.users, size)
        last = -(-len(self) // BLOCK)
        asking: list[Question] = []
        while len(asking) < count:
            block = self.block(int(rng.integers(0, last)) * BLOCK)
            rows = [row for row, user in enumerate(block.users) if self.sizes[user] == size]
            for row in rng.choice(rows, min(PER_BLOCK, count - len(asking))).tolist() if rows else ():
                asking.append(_question(len(asking), size_name(len(self)), block, row, rng))
        return asking


def stated(place: int) -> str:
    """The statement that a user's memory at this place begins with, or nothing."""
    if place % STATED:
        return ""
    words, _ = vocabulary()
    number = place // STATED
    names = [str(words[len(GRAMMAR) + (number * 7 + step) % 5000]).capitalize() for step in (0, 1)]
    return STATEMENTS[number % len(STATEMENTS)].format(*names) + " "


def said_at(arrival: int) -> datetime:
    """When the memory was said that arrives at this place."""
    return FIRST + arrival * SPACING


def _question(number: int, of: str, block: Block, row: int, rng: np.random.Generator) -> Question:
    words, shares = vocabulary()
    own = [word for word in block.texts[row].split() if word not in GRAMMAR and word.islower() and word.isalnum()]
    telling = 1 - shares[len(GRAMMAR) - 1]
    picked = [
        own[rng.integers(len(own))] if rng.random() < 0.75 else str(words[np.searchsorted(shares, 1 - telling * rng.random())])
        for _ in range(rng.integers(2, 5))
    ]
    near = unit(block.vectors[row] + NEARNESS * rng.standard_normal(DIM, dtype=np.float32))
    when = f" in {said_at(block.first + row):%B %Y}" if number % DATED else ""
    text = f"what was said about {' '.join(dict.fromkeys(picked))}{when}?"
    return Question(number, of, block.users[row], block.places[row], text, near)


def numbered(user: int, place: int) -> int:
    """One number per memory, the same for all sides."""
    return user << 24 | place


def user_name(user: int) -> str:
    """The id of a user's scope."""
    return f"user-{user}"


def unit(rows: Floats) -> Floats:
    """Rows of length 1."""
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), np.float32)


def size_name(records: int) -> str:
    """10200 is 10k, 1000200 is 1M."""
    rounded = float(f"{records:.1g}")
    if rounded >= 1e6:
        return f"{rounded / 1e6:.0f}M"
    return f"{rounded / 1e3:.0f}k" if rounded >= 1e3 else str(records)
