"""Spans of talk to shorten, and questions whose answer stands word for word in a turn that proves it.

A LoCoMo file gives talks with questions; tau-bench runs, and every other file the product reads, give spans without. Rule of this
file: a question is taken only if its answer, in plain form, stands in one of its evidence turns, so that no judge is needed.
"""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from muniment.errors import InputError
from muniment.ingest.formats import read_turns
from muniment.ingest.rules import accept, content_digest, record_of
from muniment.types import Record, RecordId, Scope, Turn

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_SCOPE = Scope(user="compaction")
_TURN_ID = re.compile(r"D\d+:\d+")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_SPACED = str.maketrans(dict.fromkeys(string.punctuation, " "))


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """A question whose answer, in plain form, stands in the records `gold`."""

    id: str
    answer: str
    gold: frozenset[RecordId]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Records to shorten together, and what is asked of them."""

    name: str
    records: tuple[Record, ...]
    questions: tuple[Literal, ...] = ()

    def sessions(self) -> list[Stretch]:
        """The same, one stretch for each conversation in it."""
        found = []
        for name in dict.fromkeys(record.conversation for record in self.records):
            inside = tuple(record for record in self.records if record.conversation == name)
            ids = {record.id for record in inside}
            asked = tuple(one for one in self.questions if one.gold & ids)
            found.append(Stretch(name=f"{self.name}/{name}", records=inside, questions=asked))
        return found


def plain(text: object) -> str:
    """Small letters, no articles, no punctuation, single spaces."""
    return " ".join(_ARTICLES.sub(" ", str(text).lower()).translate(_SPACED).split())


def holds(text: str, answer: str) -> bool:
    """Whether `text` says `answer`, which is plain, word for word."""
    return f" {answer} " in f" {plain(text)} "


def read(path: Path) -> list[Stretch]:
    """The stretches of a file: each sample of LoCoMo, each tau-bench run, each conversation of any other file."""
    data = path.read_bytes()
    try:
        whole = json.loads(data)
    except json.JSONDecodeError:
        whole = None
    if isinstance(whole, list) and whole and isinstance(whole[0], Mapping) and "qa" in whole[0]:
        return [_sample(sample, f"{path.stem}/{number}") for number, sample in enumerate(whole, 1)]
    parsed = read_turns(data, name=path.name)
    names = list(dict.fromkeys(turn.conversation for turn in parsed.turns))
    return [
        Stretch(name=f"{path.stem}/{name}", records=records_of(turn for turn in parsed.turns if turn.conversation == name))
        for name in names
    ]


def records_of(turns: Iterable[Turn]) -> tuple[Record, ...]:
    """Turns as the records they would be kept as; one that would be refused is left out."""
    found: list[Record] = []
    again: Counter[bytes] = Counter()
    for turn in turns:
        try:
            taken = accept(turn, now=_NOW).turn
        except InputError:
            continue
        digest = content_digest(taken, _SCOPE)
        found.append(record_of(taken, scope=_SCOPE, agent="default", now=_NOW, digest=digest, nth=again[digest]))
        again[digest] += 1
    return tuple(found)


def _sample(sample: Mapping[str, object], name: str) -> Stretch:
    records = records_of(read_turns(json.dumps(sample["conversation"]).encode(), name=name).turns)
    asked = sample["qa"]
    by_ref = {record.ref: record for record in records}
    questions = _questions(asked if isinstance(asked, list) else [], by_ref)
    return Stretch(name=name, records=records, questions=tuple(questions))


def _questions(asked: Sequence[Mapping[str, object]], by_ref: Mapping[str | None, Record]) -> Iterable[Literal]:
    for number, one in enumerate(asked):
        answer = plain(one.get("answer", ""))
        cells = one.get("evidence")
        refs = {ref for cell in (cells if isinstance(cells, list) else []) for ref in _TURN_ID.findall(str(cell))}
        gold = {by_ref[ref].id for ref in refs if ref in by_ref and holds(by_ref[ref].text, answer)}
        if answer and gold:
            yield Literal(id=str(number), answer=answer, gold=frozenset(gold))
