"""The best candidates judged anew by a reranker, where there is one.

Rule of this file: a reranker that fails, takes too long or answers what cannot be used changes nothing, and that is said. The
same candidates are judged whatever the limit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from muniment.errors import ProviderError
from muniment.ports import Passage, Reranker
from muniment.retrieve.asking import Means
from muniment.retrieve.joined import Joined, Pair
from muniment.retrieve.rules_rerank import reranked_pairs, usable
from muniment.types import Trust, words_of

SECONDS = 30.0
"""What a judgement may take, unless told otherwise."""


async def reranked(query: str, joined: Joined, means: Means, *, seconds: float = SECONDS) -> tuple[Joined, str]:
    """The candidates in their order once the reranker's judgement counts too, and what was amiss."""
    first = joined.pairs[: means.judged]
    if means.reranker is None or not first:
        return joined, ""
    scores, note = await _judged(means.reranker, query, [_passage(pair) for pair in first], seconds)
    if not scores:
        return joined, note
    return replace(joined, pairs=reranked_pairs(joined.pairs, scores, weight=means.weights.reranker)), note


async def _judged(reranker: Reranker, query: str, passages: Sequence[Passage], seconds: float) -> tuple[list[float | None], str]:
    failed = "Not judged by the reranker, which failed:"
    try:
        async with asyncio.timeout(seconds):
            judgement = await reranker.judge(query, passages)
        scores = [usable(score) for score in judgement.scores]
    except TimeoutError:
        return [], f"{failed} it took more than {seconds:g} seconds."
    except Exception as error:  # noqa: BLE001  # a reranker may be a stranger's code; its failure costs its judgement, no hit
        return [], f"{failed} {error.message if isinstance(error, ProviderError) else f'{type(error).__name__}.'}"
    if len(scores) != len(passages):
        return [], f"{failed} it gave {len(scores)} scores for {len(passages)} passages."
    unsaid = sum(score is None for score in scores)
    note = judgement.note or (f"The reranker gave no usable score for {unsaid} of {len(scores)} passages." if unsaid else "")
    return scores, note


def _passage(pair: Pair) -> Passage:
    record, one = pair
    start, end = one.passage
    text = record.text[start:end] or words_of(record)
    return Passage(text=text, speaker=record.speaker or "", trusted=record.trust is Trust.TRUSTED)
