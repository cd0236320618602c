"""A month of an agent's log: ten thousand messages of which a few dozen state something true, and some of that changes.

Rule of this file: one seed gives one log. It knows nothing of how memories are made; only the frame of recalled text is the
product's own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from benchmarks import junk_words as words
from muniment.text.fence import fence
from muniment.types import Kind, Role, Turn

DAYS = 32
MESSAGES = 10_000
FACTS = 38
KNOWN_BY = 22
"""The day on which the last fact has been said or changed."""

_START = datetime(2026, 5, 1, 8, tzinfo=UTC)
_STOP = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "that",
        "have",
        "has",
        "had",
        "was",
        "were",
        "are",
        "is",
        "am",
        "not",
        "don",
        "does",
        "did",
        "very",
        "really",
        "just",
        "like",
        "likes",
        "love",
        "loves",
        "enjoy",
        "would",
        "want",
        "wants",
        "get",
        "got",
        "been",
        "being",
        "from",
        "about",
        "there",
        "their",
        "they",
        "them",
        "his",
        "her",
        "she",
        "him",
        "our",
        "your",
        "you",
        "also",
        "some",
        "any",
        "all",
        "can",
        "could",
        "who",
        "what",
        "when",
        "where",
        "which",
        "than",
        "then",
        "too",
        "much",
        "many",
        "lot",
        "lots",
        "one",
        "mine",
        "myself",
    ]
)
_OWN = re.compile(r"\b(?:I|my)\b")
_TAKEN = re.compile(
    r"\bI(?:'m| am) an? |\b(?:live|work|job|name|years? old|marr|wife|husband|dating|boyfriend|girlfriend|engaged|single"
    r"|study|favou?rite|vegan|vegetarian|color|colour|plan)",
    re.IGNORECASE,
)


@dataclass(slots=True, kw_only=True)
class Fact:
    """Something true: the words a memory of it must hold, how it is said, and from which day on. `current` until it changes."""

    words: tuple[str, ...]
    said: tuple[str, ...]
    day: int
    current: bool = True


@dataclass(slots=True, kw_only=True)
class Log:
    """Messages by day, and the facts in the order they are said."""

    days: list[list[Turn]]
    facts: list[Fact] = field(default_factory=list)


def generate(seed: int, data: Path | None = None, *, messages: int = MESSAGES) -> Log:
    """The log of one seed. With `data`, a third of the facts are a public chat's, and so is what tools and assistants say."""
    rng = Random(seed)
    facts = [*_changing(rng), *_steady(rng, data)]
    noise = _noise(data)
    per_day = [messages * (day + 1) // DAYS - messages * day // DAYS for day in range(DAYS)]
    writer = _Writer(rng, facts, noise)
    return Log(days=[writer.day(day, count) for day, count in enumerate(per_day)], facts=facts)


def read_log(path: Path) -> Log:
    """Somebody else's log: JSON lines of messages and facts, as the README tells."""
    turns: list[Turn] = []
    facts: list[Fact] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise SystemExit(f"{path}, line {number}: this is not JSON ({error}).") from error
        if "fact" in row:
            facts.append(Fact(words=tuple(row["fact"]), said=(), day=0, current=bool(row.get("current", True))))
        elif "text" in row:
            said_at = datetime.fromisoformat(row["said_at"]) if row.get("said_at") else None
            turns.append(
                Turn(
                    text=row["text"],
                    role=Role(row.get("role", "user")),
                    speaker=row.get("speaker"),
                    said_at=said_at.replace(tzinfo=said_at.tzinfo or UTC) if said_at else None,
                    conversation=row.get("conversation"),
                    ref=f"line-{number}",
                )
            )
        else:
            raise SystemExit(f"{path}, line {number}: a line has either text or fact.")
    days: dict[object, list[Turn]] = {}
    for turn in turns:
        days.setdefault(turn.said_at.date() if turn.said_at else None, []).append(turn)
    return Log(days=list(days.values()), facts=facts)


def _changing(rng: Random) -> Iterator[Fact]:
    for _, first, change, values in words.CHANGING:
        value, *others = rng.sample(values, len(values)) if "{v}" in first[0] else values
        changes = others[: rng.choice((1, 1, 2))]
        days = sorted(rng.sample(range(8, KNOWN_BY), len(changes)))
        yield Fact(words=(value,), said=tuple(way.replace("{v}", value) for way in first), day=rng.randrange(0, 7), current=False)
        for place, (new, day) in enumerate(zip(changes, days, strict=True)):
            said = tuple(way.replace("{v}", new) for way in change)
            yield Fact(words=(new,), said=said, day=day, current=place == len(changes) - 1)


def _steady(rng: Random, data: Path | None) -> list[Fact]:
    count = FACTS - len(words.CHANGING)
    own = [Fact(words=must, said=ways, day=rng.randrange(0, KNOWN_BY - 4)) for ways, must in words.STEADY]
    rng.shuffle(own)
    public = _public(rng, data, count // 2) if data else []
    return [*public, *own][:count]


def _public(rng: Random, data: Path, count: int) -> list[Fact]:
    """Facts of a public chat set, said in the words of the chat; only where all that matters stands in them."""
    path = data / "msc" / "valid.jsonl"
    if not path.is_file():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = [
        (content, said)
        for row in rows
        for memory, pair in zip(row["user_memory"], row["dialogue"], strict=False)
        for fact in memory
        for said in re.split(r"(?<=[.!?])\s+", pair[0])
        if fact.count(".") == 1 and "?" not in said and _OWN.search(said) and not _TAKEN.search(fact) and len(said) < 160
        if 2 <= len(content := content_words(fact)) <= 4 and all(holds(said, word) for word in content)
    ]
    rng.shuffle(found)
    taken = {word.casefold() for _, must in words.STEADY for word in must}
    out: list[Fact] = []
    for content, said in found:
        if len(out) == count:
            break
        if not taken & set(content):
            taken |= set(content)
            out.append(Fact(words=content, said=(said,), day=rng.randrange(0, KNOWN_BY - 4)))
    return out


def content_words(text: str) -> tuple[str, ...]:
    """The words of a fact that carry it, small, without the common ones."""
    found = re.findall(r"[a-z][a-z'-]{2,}", text.casefold())
    return tuple(dict.fromkeys(word for word in found if word not in _STOP and "'" not in word))


def holds(text: str, word: str) -> bool:
    """True when `text` has the word in some form: the same beginning, and an ending of at most three letters more or less."""
    low = word.casefold()
    return any(_alike(other, low) for other in re.findall(r"[^\W_]+(?:-[^\W_]+)*", text.casefold()))


def _alike(one: str, other: str) -> bool:
    short = min(len(one), len(other))
    if one.isdigit() or short <= 3:
        return one == other or (short == 3 and {one, other} == {one, f"{one}s"})
    same = short - 1 if short > 4 else short
    return abs(len(one) - len(other)) <= 3 and one[:same] == other[:same]


@dataclass(slots=True, kw_only=True)
class _Noise:
    tools: list[str]
    answers: list[str]


def _noise(data: Path | None) -> _Noise:
    noise = _Noise(tools=[], answers=[])
    path = data / "tau_bench" / "airline_trajectories_dev.jsonl" if data else None
    if path is not None and path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            for message in json.loads(line)["traj"]:
                text = message.get("content") or ""
                kept = {"tool": noise.tools, "assistant": noise.answers}.get(message["role"])
                if kept is not None and text and len(text) < 4000:
                    kept.append(text)
    return noise


class _Writer:
    """Writes day after day: scenes until the day is full, with the day's facts somewhere among them."""

    def __init__(self, rng: Random, facts: Sequence[Fact], noise: _Noise) -> None:
        self._rng = rng
        self._facts = facts
        self._noise = noise
        self._number = 0
        self._day = 0
        self._told: list[str] = []
        self._system = self._fill(rng.choice(words.SYSTEM))

    def day(self, day: int, count: int) -> list[Turn]:
        self._day, out = day, list[Turn]()
        self._system = self._fill(self._rng.choice(words.SYSTEM))
        due = [fact for fact in self._facts if fact.day == day]
        scenes = (self._task, self._task, self._heartbeat, self._heartbeat, self._recall, self._failure, self._small)
        while len(out) < count:
            if due and len(out) > count // 10:
                out.extend(self._fact(due.pop(0)))
            out.extend(self._rng.choice(scenes)())
        return [self._placed(turn, place, count) for place, turn in enumerate(out[:count])]

    def _placed(self, turn: Turn, place: int, count: int) -> Turn:
        self._number += 1
        at = _START + timedelta(days=self._day, seconds=place * 43_000 // count)
        return Turn(
            text=turn.text,
            role=turn.role,
            kind=turn.kind,
            said_at=at,
            conversation=f"day-{self._day:02d}-{place * 6 // count}",
            ref=f"m{self._number}",
            tool_call_id=turn.tool_call_id,
        )

    def _fill(self, text: str) -> str:
        picked = {name: self._rng.choice(options) for name, options in words.FILL.items()}
        return text.format(**picked, day=self._day % 9 + 1)

    def _say(self, role: Role, texts: Sequence[str]) -> Turn:
        return Turn(text=self._fill(self._rng.choice(texts)), role=role)

    def _prompt(self) -> Turn:
        return Turn(text=self._system, role=Role.SYSTEM)

    def _tool(self) -> Turn:
        pool = self._noise.tools
        text = self._rng.choice(pool) if pool and self._rng.random() < 0.6 else self._fill(self._rng.choice(words.TOOLS))
        return Turn(text=text, role=Role.TOOL, kind=Kind.TOOL_RESULT, tool_call_id=f"call-{self._rng.randrange(10**9)}")

    def _answer(self) -> Turn:
        pool = self._noise.answers
        if pool and self._rng.random() < 0.5:
            return Turn(text=self._rng.choice(pool), role=Role.ASSISTANT)
        return self._say(Role.ASSISTANT, words.ANSWERS)

    def _task(self) -> list[Turn]:
        asked = self._fill(self._rng.choice(words.REQUESTS))
        if self._rng.random() < 0.1:
            asked = f"{self._system}\n\n{asked}"
        if self._rng.random() < 0.05:
            asked += self._fill(words.SIGNATURE)
        out = [self._prompt(), Turn(text=asked)]
        out += [self._tool() for _ in range(self._rng.randrange(3))]
        out += [self._answer(), self._say(Role.USER, words.ACKS)]
        return out

    def _heartbeat(self) -> list[Turn]:
        asked, answered = self._rng.choice(words.HEARTBEATS)
        return [self._prompt(), Turn(text=self._fill(asked)), Turn(text=self._fill(answered), role=Role.ASSISTANT)]

    def _small(self) -> list[Turn]:
        return [self._say(Role.USER, words.CHATTER), self._answer()]

    def _failure(self) -> list[Turn]:
        """A request, an error, a refusal, and the request again."""
        asked = Turn(text=self._fill(self._rng.choice(words.REQUESTS)))
        failed = [self._say(Role.TOOL, words.ERRORS), self._say(Role.ASSISTANT, words.REFUSALS)]
        return [self._prompt(), asked, *failed, asked, self._say(Role.ASSISTANT, words.ERRORS), asked, self._answer()]

    def _recall(self) -> list[Turn]:
        """What was told before comes back: in the product's frame, as a plain list, or in the assistant's mouth."""
        if not self._told:
            return self._heartbeat()
        lines = self._rng.sample(self._told, min(len(self._told), self._rng.randrange(1, 7)))
        asked = self._fill(self._rng.choice(words.REQUESTS))
        way = self._rng.randrange(4)
        if way == 0:
            text = f"{fence(chr(10).join(lines), f'{self._rng.randrange(16**8):08x}')}\n\n{asked}"
        elif way == 1:
            text = "Relevant memories:\n" + "".join(f"- {line}\n" for line in lines) + f"\n{asked}"
        elif way == 2:
            text = "Here is what I remember about you:\n" + "".join(f"* {self._third(line)}\n" for line in lines) + f"\n{asked}"
        else:
            told = " ".join(self._second(line) for line in lines)
            return [self._prompt(), Turn(text=asked), Turn(text=f"As you told me: {told}", role=Role.ASSISTANT)]
        return [self._prompt(), Turn(text=text), self._answer(), self._say(Role.USER, words.ACKS)]

    def _third(self, line: str) -> str:
        return re.sub(r"\bI'm\b|\bI am\b", "user is", re.sub(r"\b[Mm]y\b", "user's", re.sub(r"\bI\b(?!'m)", "user", line)))

    def _second(self, line: str) -> str:
        return re.sub(r"\bI'm\b|\bI am\b", "you are", re.sub(r"\b[Mm]y\b", "your", re.sub(r"\bI\b(?!'m)", "you", line)))

    def _fact(self, fact: Fact) -> list[Turn]:
        said = self._rng.choice(fact.said)
        self._told.append(said)
        lead, tail = self._rng.choice(words.LEADS), self._rng.choice(words.TAILS)
        low = said if said.startswith(("I ", "I'")) or not lead else said[0].lower() + said[1:]
        turn = Turn(text=f"{lead}{low}{tail}")
        echo = Turn(text=f"Got it! {self._second(said)} Anything else?", role=Role.ASSISTANT)
        again = [turn] if self._rng.random() < 0.2 else []
        return [self._prompt(), turn, *again, echo, self._say(Role.USER, words.ACKS)]
