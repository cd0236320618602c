"""A second opinion on a digest that was verified by rules: an entailment model, or a language model that is asked.

Rule of this file: the rules come first. A model can only be stricter than they are, or find a line for a claim that they hold
lost; what lays down a rule is never kept on its word. When it fails, the verification stays as it was and says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from math import isfinite
from typing import Final

from muniment.errors import ProviderError
from muniment.knowledge.digests import Alteration, CheckedClaim, ClaimFate, ClaimKind, DigestLine, Verification
from muniment.ports import Entailment, Model

PROMPT: Final = "entails-1"
SURE: Final = 0.9
"""From here on a model finds a claim in a line."""
DOUBTS: Final = 0.1
"""Up to here a model does not find a line in its records."""
MOST: Final = 32
_LINES = 3
_TOKENS = 40
_CHARACTERS = 8_000
_SCHEMA = '{"type":"object","properties":{"share":{"type":"number"}},"required":["share"]}'
_WORD = re.compile(r"\w{3,}")


async def second_opinion(
    checked: Verification, lines: Sequence[DigestLine], premises: Sequence[str], *, judge: Entailment, most: int = MOST
) -> Verification:
    """The verification with what `judge` has to say. `premises` are, for each line, the words of the records it was made from.

    At most `most` claims, the heaviest lost ones, and `most` lines that are not verbatim are put to it. Never raises for what
    the judge does: a note tells that it failed.
    """
    if len(premises) != len(lines):
        raise ValueError(f"{len(lines)} lines have {len(premises)} premises.")
    try:
        settled = [one async for one in _settled(checked, lines, judge, most)]
        doubted = [one async for one in _doubted(lines, premises, judge, most)]
    except ProviderError as error:
        return replace(checked, notes=(*checked.notes, f"no second opinion of {judge.name}: {error}"))
    found = {id(old): new for old, new in settled}
    claims = tuple(found.get(id(one), one) for one in checked.claims)
    whole = sum(one.claim.weight for one in claims)
    kept = sum(one.claim.weight for one in claims if one.fate is ClaimFate.KEPT)
    score = 1.0 if kept == whole else kept / whole
    return replace(checked, claims=claims, score=score, alterations=(*checked.alterations, *doubted))


async def _settled(
    checked: Verification, lines: Sequence[DigestLine], judge: Entailment, most: int
) -> AsyncIterator[tuple[CheckedClaim, CheckedClaim]]:
    lost = [one for one in checked.claims if one.fate is ClaimFate.LOST and one.claim.kind is not ClaimKind.CONSTRAINT]
    for one in sorted(lost, key=lambda claim: -claim.claim.weight)[:most]:
        for number in _likely(one.claim.text, lines):
            if await _asked(judge, lines[number].text, one.claim.text) >= SURE:
                yield one, replace(one, fate=ClaimFate.KEPT, line=number, why=f"{judge.name} finds it there")
                break


async def _doubted(
    lines: Sequence[DigestLine], premises: Sequence[str], judge: Entailment, most: int
) -> AsyncIterator[Alteration]:
    reworded = [number for number, line in enumerate(lines) if not line.verbatim]
    for number in reworded[:most]:
        if await _asked(judge, premises[number], lines[number].text) <= DOUBTS:
            yield Alteration(line=number, text=lines[number].text, why=f"{judge.name} does not find it in its records")


async def _asked(judge: Entailment, premise: str, claim: str) -> float:
    share = await judge.entails(premise, claim)
    if not isfinite(share) or not 0 <= share <= 1:
        raise ProviderError(f"it answered {share}.", code="answer_unusable", hint="An entailment is a share from 0 to 1.")
    return share


def _likely(claim: str, lines: Sequence[DigestLine]) -> Iterator[int]:
    """The lines that share most words with a claim."""
    words = set(_WORD.findall(claim.casefold()))
    shared = [(len(words & set(_WORD.findall(line.text.casefold()))), number) for number, line in enumerate(lines)]
    yield from (number for many, number in sorted(shared, key=lambda one: (-one[0], one[1]))[:_LINES] if many)


class AskedModel:
    """An entailment judged by a language model, one question for each pair."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._prompt = (files("muniment.compact") / "prompts" / f"{PROMPT}.md").read_text(encoding="utf-8")

    @property
    def name(self) -> str:
        """Which model it is, and which question."""
        return f"{self._model.name} ({PROMPT})"

    async def entails(self, premise: str, claim: str) -> float:
        """What the model answers. Raises ProviderError for no answer, or one that is no share."""
        asked = json.dumps({"premise": premise[:_CHARACTERS], "claim": claim[:_CHARACTERS]}, ensure_ascii=False)
        answer = await self._model.ask(self._prompt, asked, schema=_SCHEMA, max_tokens=_TOKENS)
        share = _share(answer.text)
        if share is None:
            raise ProviderError("it gave no usable answer.", code="answer_unusable", hint="Use another model, or none.")
        return share


def _share(text: str) -> float | None:
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None
    share = found.get("share") if isinstance(found, dict) else None
    return float(share) if isinstance(share, int | float) and not isinstance(share, bool) else None
