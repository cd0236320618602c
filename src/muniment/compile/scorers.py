"""The scorers that come with the gate: by words, by meaning, and both together. Any function of a task and blocks is one too.

Rule of this file: scores are added, never ranks: measured on tool choice as on retrieval, the sum is the better fusion.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.compile.score_dense import Dense, Embed, EmbedQuery
from muniment.compile.score_lexical import Lexical
from muniment.errors import BlockError, shown
from muniment.registry.groups import Scorer
from muniment.types import Block

__all__ = ["Dense", "Embed", "EmbedQuery", "Fused", "Lexical"]


class Fused:
    """A scorer by words and meaning: `lexical` plus `weight` times `dense`. Without `dense` it is `lexical` alone.

    Both are about 0 to 1 for the scorers of this file, so that they are added as they are (weight 1); between 0.7 and 2 the
    weight hardly matters. Give other scorers only if theirs are of that size. `lexical` defaults to `Lexical()`.
    """

    def __init__(self, dense: Scorer | None = None, *, lexical: Scorer | None = None, weight: float = 1.0) -> None:
        given: tuple[tuple[str, object], ...] = (("dense", dense), ("lexical", lexical))
        for place, scorer in given:
            if scorer is not None and not callable(scorer):
                hint = "Give a function of a task and blocks, for example Dense(embed)."
                raise BlockError(f"{shown(scorer)} is no scorer.", place=place, code="type", hint=hint)
        self._dense = dense
        self._lexical = Lexical() if lexical is None else lexical
        self._weight = weight

    def __call__(self, task: str, blocks: Sequence[Block]) -> Sequence[float]:
        """One score per block, in order."""
        words = self._lexical(task, blocks)
        if self._dense is None:
            return words
        meaning = self._dense(task, blocks)
        if len(words) != len(meaning):
            raise BlockError(
                f"one scorer gave {len(words):,} scores and the other {len(meaning):,} for the same blocks.",
                place="scorer",
                code="scores",
                hint="Return one finite number per block, in the order given.",
            )
        return [one + self._weight * other for one, other in zip(words, meaning, strict=True)]
