"""Rerankers that judge as they were told to. They need no key, no network and no model.

Rule of this file: each keeps the contract of the port, except where its name says that it breaks it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from muniment.errors import ProviderError
from muniment.ports import Judgement, Passage


class TableReranker:
    """Scores looked up by a passage's text, 0 for one that is not in `table`. `asked` keeps every question with its passages."""

    name = "table"

    def __init__(self, table: Mapping[str, float | None], *, most: int = 30, note: str = "") -> None:
        self._table = table
        self._note = note
        self.most = most
        self.asked: list[tuple[str, tuple[Passage, ...]]] = []
        self.closed = False

    async def judge(self, query: str, passages: Sequence[Passage]) -> Judgement:
        """The scores of the table."""
        self.asked.append((query, tuple(passages)))
        return Judgement(scores=[self._table.get(passage.text, 0.0) for passage in passages], note=self._note)

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed = True


class FailingReranker:
    """Raises `error`, or ProviderError, whatever it is asked."""

    name = "failing"

    def __init__(self, error: Exception | None = None, *, most: int = 30) -> None:
        self._error = error or ProviderError("the reranker does not answer.", hint="This one fails on purpose.")
        self.most = most

    async def judge(self, _query: str, _passages: Sequence[Passage], /) -> Judgement:
        """Never an answer."""
        raise self._error

    async def close(self) -> None:
        """Nothing to release."""
