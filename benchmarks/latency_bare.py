"""The least that any retrieve over this file has to do: read a user's rows, score them, read the texts of the best.

The bare loop has no cache, no thread, no scopes, no checks and no explanations, and is told beforehand where the user's rows
lie and which hashes the question has. Its scores are plain BM25 and cosine, each scaled by its best, added.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import apsw
import numpy as np
from numpy.typing import NDArray

from benchmarks.latency_data import DIM, Question, user_name
from benchmarks.latency_peers import LIMIT
from muniment.shelf import HEAD, Floats, Hashes, term_hashes, unpack_vectors
from muniment.text.terms import question_terms

CACHE_KIB = 8192  # of pages, as each reader of the store has
K1, B = 1.2, 0.75
ROWS = "SELECT head, terms, vector FROM entry WHERE id BETWEEN ? AND ?"
TEXT = "SELECT ref, text FROM record WHERE id = ?"
USERS = "SELECT user, no FROM scope"


class Bare:
    """Answers questions with a connection of its own."""

    def __init__(self, path: Path, questions: Sequence[Question]) -> None:
        self._db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        self._db.pragma("cache_size", -CACHE_KIB)
        numbers = dict(self._db.execute(USERS).fetchall())
        self._first = {question.user: numbers[user_name(question.user)] << 24 for question in questions}
        self._hashes = {
            question.number: [term_hashes(term.forms) for term in question_terms(question.text)] for question in questions
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._db.close()

    def ask(self, question: Question) -> list[int]:
        first = self._first[question.user]
        rows = self._db.execute(ROWS, (first, first | 0xFFFFFF)).fetchall()
        vectors = unpack_vectors(b"".join([row[2] for row in rows]), DIM)
        scores = scaled(vectors @ question.vector) + scaled(words(rows, self._hashes[question.number]))
        best = np.argpartition(scores, -LIMIT)[-LIMIT:]
        seqs = np.frombuffer(b"".join([row[0] for row in rows]), HEAD)["seq"]
        places = seqs[best[np.argsort(-scores[best])]].tolist()
        texts = [self._db.execute(TEXT, (first | seq,)).fetchall()[0] for seq in places]
        return [int(ref) for ref, _ in texts]


def words(rows: Sequence[tuple[bytes, bytes, bytes]], question: Sequence[Hashes]) -> Floats:
    """BM25 of each row."""
    counts = np.array([len(row[1]) >> 3 for row in rows])
    terms = np.frombuffer(b"".join([row[1] for row in rows]), np.uint64)
    owners = np.repeat(np.arange(len(rows)), counts)
    scores = np.zeros(len(rows), np.float32)
    norm = K1 * (1 - B + B * counts / counts.mean())
    for forms in question:
        match = terms == forms[0]
        for form in forms[1:]:
            match |= terms == form
        tf = np.bincount(owners[match], minlength=len(rows))
        df = np.count_nonzero(tf)
        if df:
            scores += np.log(1 + (len(rows) - df + 0.5) / (df + 0.5)) * tf * (K1 + 1) / (tf + norm)
    return scores


def scaled(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scores with their best at 1."""
    most = scores.max()
    return scores / most if most > 0 else scores
