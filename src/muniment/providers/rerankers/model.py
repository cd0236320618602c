"""A language model as a reranker: it scores numbered passages, and what it says is checked item by item.

Rule of this file: a passage is one line of JSON in the prompt, so that no text can pass for another passage or for the end of the
list; an answer that names what was not there is dropped and told, never guessed at.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

from muniment.errors import ProviderError
from muniment.ports import Judgement, Model, Passage

MOST = 20
WEIGHT = 3.0
_TOP = 10
_CHARACTERS = 1200
_TOKENS_PER_PASSAGE = 24
_MOST_REPLY = 1 << 18
_ITEM = {
    "type": "object",
    "properties": {"passage": {"type": "integer"}, "score": {"type": "number"}},
    "required": ["passage", "score"],
    "additionalProperties": False,
}
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"scores": {"type": "array", "items": _ITEM}},
        "required": ["scores"],
        "additionalProperties": False,
    }
)


class ModelReranker:
    """Judges with a language model, one question for all passages. It closes the model only if it `owns` it.

    `weight` is what the best score is worth. Of a passage the first 1,200 characters are shown.
    """

    def __init__(self, model: Model, *, most: int = MOST, weight: float = WEIGHT, owns: bool = False) -> None:
        self.name = f"model:{model.name}"
        self.most = most
        self._model = model
        self._weight = weight
        self._owns = owns

    async def judge(self, query: str, passages: Sequence[Passage]) -> Judgement:
        """The scores that the model gave. Raises ProviderError when it fails or no part of its answer can be used."""
        instructions = files(__package__).joinpath("prompts", "judge-1.md").read_text(encoding="utf-8")
        answer = await self._model.ask(
            instructions, question(query, passages), schema=SCHEMA, max_tokens=40 + _TOKENS_PER_PASSAGE * len(passages)
        )
        scores = read_scores(answer.text, len(passages))
        if missing := sum(score is None for score in scores):
            if missing == len(passages):
                raise ProviderError(
                    f"the model {self._model.name} gave no usable scores.",
                    code="answer_unusable",
                    hint="Use another model, or another reranker.",
                )
            note = f"The model {self._model.name} gave no usable score for {missing} of {len(passages)} passages."
        else:
            note = ""
        return Judgement(scores=[None if s is None else self._weight * s / _TOP for s in scores], note=note)

    async def close(self) -> None:
        """Close the model, if it is this reranker's own."""
        if self._owns:
            await self._model.close()


def question(query: str, passages: Sequence[Passage]) -> str:
    """The question and the passages, numbered from 1, each as one line of JSON."""
    lines = [json.dumps({"question": query}, ensure_ascii=False)]
    for number, passage in enumerate(passages, 1):
        told = {"passage": number, "trusted": passage.trusted, "speaker": passage.speaker, "text": passage.text[:_CHARACTERS]}
        lines.append(json.dumps(told, ensure_ascii=False))
    return "\n".join(lines)


def read_scores(text: str, count: int) -> list[float | None]:
    """The score of each of `count` passages, 0 to 10, None where the answer has none that can be used, or two that differ."""
    scores: list[float | None] = [None] * count
    said: set[int] = set()
    for item in _items(text):
        place, score = item.get("passage"), item.get("score")
        if isinstance(place, bool) or not isinstance(place, int) or not 1 <= place <= count:
            continue
        fits = isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= _TOP
        if place in said and scores[place - 1] != score:
            fits = False
        said.add(place)
        scores[place - 1] = float(score) if fits else None  # type: ignore[arg-type]  # what fits is a number
    return scores


def _items(text: str) -> list[dict[str, object]]:
    """The entries of the list, whatever prose or fence stands around the JSON."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start or len(text) > _MOST_REPLY:
        return []
    try:
        found = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return []
    listed = found.get("scores") if isinstance(found, dict) else None
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
