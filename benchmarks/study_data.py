"""Search collections as the study asks them: documents, questions, and which documents answer each.

Rule of this file: a collection is known by what its files hold, not by its folder's name. Where a set is cut in halves, only its
questions are: every half has all documents.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LEAST_RELEVANT = 4
"""Cranfield's judgements go from 1, the best, to 4; what is below 1 names no answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the names of the documents that answer it."""

    id: str
    text: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Collection:
    """One set: its documents by name, and the questions asked of them."""

    name: str
    documents: Mapping[str, str]
    questions: tuple[Asked, ...]


def read(place: Path) -> list[Collection]:
    """Every collection below a folder, or that of one folder, or the one whose questions or documents a file holds."""
    folders = [place.parent] if place.is_file() else [place, *sorted(path for path in place.iterdir() if path.is_dir())]
    found = [collection for folder in folders if (collection := _collection(folder)) is not None]
    if place.is_file() and place.suffix == ".jsonl":
        return [Collection(one.name, one.documents, _questions(one.name, [place])) for one in found]
    return found


def _collection(folder: Path) -> Collection | None:
    files = sorted(folder.glob("queries*.jsonl"))
    for name, reader in _DOCUMENTS.items():
        path = folder / name
        if files and path.is_file():
            kind, documents = reader(json.loads(path.read_text(encoding="utf-8")))
            return Collection(kind, documents, _questions(kind, files))
    return None


def _codes(raw: Sequence[str]) -> tuple[str, dict[str, str]]:
    return "cosqa", _numbered(raw)


def _abstracts(raw: Sequence[Mapping[str, str]]) -> tuple[str, dict[str, str]]:
    return "cranfield", _numbered([item["text"] for item in raw])


def _paragraphs(raw: Sequence[str] | Mapping[str, Sequence[str]]) -> tuple[str, dict[str, str]]:
    """A list of them, or sentences by title: an article's title is the heading it stands under."""
    if isinstance(raw, Mapping):
        return "hotpotqa", {title: f"# {title}\n{''.join(sentences)}" for title, sentences in raw.items()}
    return "xquad", _numbered(raw)


_DOCUMENTS: dict[str, Callable[[Any], tuple[str, dict[str, str]]]] = {
    "codes.json": _codes,
    "documents.json": _abstracts,
    "paragraphs.json": _paragraphs,
}


def _numbered(texts: Sequence[str]) -> dict[str, str]:
    return {str(number): text for number, text in enumerate(texts) if text.strip()}


def _questions(kind: str, files: Iterable[Path]) -> tuple[Asked, ...]:
    lines = [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    asked = (Asked(str(line.get("id", line.get("index"))), line["query"], _gold(line)) for line in lines)
    return tuple(Asked(f"{kind}/{one.id}", one.text, one.gold) for one in asked if one.gold)


def _gold(line: Mapping[str, Any]) -> frozenset[str]:
    if "relevance" in line:
        return frozenset(name for name, grade in line["relevance"].items() if 1 <= grade <= LEAST_RELEVANT)
    gold = line["gold"]
    return frozenset(title for title, _ in gold) if isinstance(gold, list) else frozenset({str(gold)})
