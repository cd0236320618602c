"""A model that answers what it was told to, in order. It needs no key, no network and no model.

Rule of this file: it keeps the contract of the port; what it says is the test's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from muniment.errors import ProviderError
from muniment.ports import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the model was asked."""

    instructions: str
    prompt: str
    schema: str
    max_tokens: int


class ScriptedAnswers:
    """Gives `answers` in order: text as it stands, a mapping as JSON, an error raised. Afterwards it always gives `then`.

    `asked` keeps every question. Tokens are counted as words.
    """

    name = "scripted"

    def __init__(
        self, *answers: str | Mapping[str, object] | ProviderError, then: str | Mapping[str, object] | ProviderError = ""
    ) -> None:
        self._answers = list(answers)
        self._then = then or {"memories": []}
        self.asked: list[Question] = []
        self.closed = False

    async def ask(self, instructions: str, prompt: str, *, schema: str, max_tokens: int) -> Answer:
        """The next answer."""
        if self.closed:
            raise ProviderError("this model is closed.", code="closed", hint="Open it again.")
        self.asked.append(Question(instructions=instructions, prompt=prompt, schema=schema, max_tokens=max_tokens))
        said = self._answers.pop(0) if self._answers else self._then
        if isinstance(said, ProviderError):
            raise said
        text = said if isinstance(said, str) else json.dumps(said)
        return Answer(text=text, prompt_tokens=len(f"{instructions} {prompt}".split()), completion_tokens=len(text.split()))

    async def close(self) -> None:
        """Later calls of `ask` raise."""
        self.closed = True


def remembered(source: int, quote: str, text: str, **more: object) -> dict[str, object]:
    """One memory as a model would tell it: a plain fact about the user said outright, unless `more` says otherwise."""
    usual = {"kind": "fact", "subject": "user", "attribute": "", "value": "", "when": "", "negated": False, "sure": 1}
    return {"source": source, "quote": quote, "text": text, **usual, **more}


def memories(*items: Mapping[str, object]) -> dict[str, Sequence[Mapping[str, object]]]:
    """A model's whole answer that holds these memories."""
    return {"memories": list(items)}
