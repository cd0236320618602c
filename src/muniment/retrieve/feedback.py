"""What was told of recall joins the candidates.

Rule of this file: one lookup of the first candidates, at exactly the scope that asks. An answer as of another moment does
without: what was told is added up, and no longer known by its day.
"""

from __future__ import annotations

from dataclasses import replace

from muniment.retrieve.asking import Asked, Means
from muniment.retrieve.joined import DEPTH, Joined
from muniment.retrieve.rules_feedback import with_feedback
from muniment.types import Scope


async def weighed(joined: Joined, *, scope: Scope, asked: Asked, means: Means) -> Joined:
    """The candidates in their order once what was told of them in `scope` counts too."""
    weight = means.weights.feedback
    if means.told is None or not weight or not joined.pairs or asked.where.known_at or asked.where.valid_at:
        return joined
    told = {one.record: one for one in await means.told(scope, [record.id for record, _ in joined.pairs[:DEPTH]])}
    if not told:
        return joined
    return replace(joined, pairs=with_feedback(joined.pairs, told, weight=weight, now=means.now))
