"""A chat model without a model: it finds the answer where a curve over positions lets it, and calls tools as it is told to.

Rule of this file: like any model it sees the prompt alone, and answers the same prompt the same way. It takes paragraphs for
blocks, the paragraph with a question mark for the question, and the name with an underscore nearest to the question's words for
the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from hashlib import blake2b
from typing import Final

from muniment.errors import InputError, ProviderError
from muniment.providers.models.chat import Entry, Reply
from muniment.types import ToolCall

SCHEME: Final = "scripted"
UNKNOWN: Final = "I do not know."
_NAME: Final = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_WORD: Final = re.compile(r"[a-z]{4,}")
_LONG_WORD: Final = re.compile(r"[a-z]{6,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """Chances from 0 to 1, positions from 0.

    The answer is found with chance `near` in front of position `cliff`, and `far` from there on (`before` is the cliff when the
    question comes first; -1 is no cliff). `lift` is added from position `bump` to `bump_end`, and `related` when a block beside
    it shares a word of six letters or more with the question. A tool that is asked for is called; with chance `obey` not when a
    block forbids it; with chance `stray` also when it is not offered.
    """

    near: float = 1.0
    far: float = 0.0
    cliff: int = -1
    before: int = -1
    bump: int = -1
    bump_end: int = -1
    lift: float = 0.0
    related: float = 0.0
    obey: float = 1.0
    stray: float = 0.0


class ScriptedModel:
    """Plays a `Script`. Tokens are counted as words."""

    def __init__(self, script: Script, *, name: str = SCHEME) -> None:
        self.name = name
        self._script = script
        self._closed = False

    def answer(
        self,
        messages: Sequence[Entry],
        tools: Sequence[Entry] = (),
        *,
        max_tokens: int,
        seed: int,
        schema: str = "",  # noqa: ARG002  # a part of the port; a script knows no forms
    ) -> Reply:
        """The name asked for or `UNKNOWN`; or a call, when the question names a tool."""
        if self._closed:
            raise ProviderError("this model is closed.", code="closed", hint="Open it again.")
        prompt = "\n\n".join(str(message.get("content") or "") for message in messages)
        chance = _draw(prompt, seed)
        blocks = [block for block in prompt.split("\n\n") if block.strip()]
        asks = next((place for place in reversed(range(len(blocks))) if "?" in blocks[place]), len(blocks) - 1)
        question = blocks.pop(asks) if blocks else ""
        calls = self._calls(question, blocks, tools, chance)
        text = "" if calls else " ".join(self._say(question, blocks, chance, question_first=asks == 0).split()[:max_tokens])
        return Reply(
            text=text,
            calls=calls,
            prompt_tokens=sum(len(json.dumps(entry).split()) for entry in (*messages, *tools)),
            completion_tokens=len(text.split()) or 1,
        )

    def close(self) -> None:
        """Later calls raise."""
        self._closed = True

    def _say(self, question: str, blocks: Sequence[str], chance: float, *, question_first: bool) -> str:
        wanted = _words(question)
        known = [place for place, block in enumerate(blocks) if _NAME.search(block)]
        place = max(known, key=lambda place: len(wanted & _words(blocks[place])), default=None)
        if place is None or chance >= self._success(question, blocks, place, question_first=question_first):
            return UNKNOWN
        found = _NAME.search(blocks[place])
        return f"It is {found.group()}." if found else UNKNOWN

    def _success(self, question: str, blocks: Sequence[str], place: int, *, question_first: bool) -> float:
        script = self._script
        cliff = script.before if question_first and script.before >= 0 else script.cliff
        success = script.far if 0 <= cliff <= place else script.near
        if script.bump <= place <= script.bump_end:
            success += script.lift
        subject = set(_LONG_WORD.findall(question.casefold()))
        beside = (blocks[other] for other in (place - 1, place + 1) if 0 <= other < len(blocks))
        if any(subject & set(_LONG_WORD.findall(block.casefold())) for block in beside):
            success += script.related
        return success

    def _calls(self, question: str, blocks: Sequence[str], tools: Sequence[Entry], chance: float) -> tuple[ToolCall, ...]:
        named = _NAME.search(question)
        if named is None:
            return ()
        name = named.group()
        offered = any(f'"{name}"' in json.dumps(tool) for tool in tools)
        forbidden = any("do not" in block.casefold() and name in block for block in blocks)
        script = self._script
        willing = 1 - script.obey if offered and forbidden else 1.0 if offered else script.stray
        return (ToolCall(id="call-0", name=name, arguments="{}"),) if chance < willing else ()


def script(text: str) -> Script:
    """The script that `text` describes, such as `cliff=7,far=0.2`; empty text is a model that always finds the answer.

    Raises InputError for a name or number that is none.
    """
    values: dict[str, float] = {}
    whole = {field.name for field in fields(Script) if isinstance(field.default, int)}
    known = [field.name for field in fields(Script)]
    for part in filter(None, text.split(",")):
        name, mark, number = part.partition("=")
        if name not in known:
            near = get_close_matches(name, known, n=1)
            raise _wrong(
                f"a script has no {name[:40]!r}", f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}."
            )
        try:
            values[name] = int(number) if name in whole else float(number)
        except ValueError as error:
            raise _wrong(f"{part[:40]!r} gives no number", "Write it like cliff=7 or far=0.2.") from error
        if name not in whole and not 0 <= values[name] <= 1:
            raise _wrong(f"{part[:40]!r} is no chance", "A chance is a number from 0 to 1.")
        if not mark:
            raise _wrong(f"{part[:40]!r} gives no number", "Write it like cliff=7 or far=0.2.")
    return Script(**values)  # type: ignore[arg-type]  # whole numbers stand where whole numbers belong


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _draw(prompt: str, seed: int) -> float:
    """A number from 0 to 1 (excluded) that follows from the prompt and the seed."""
    digest = blake2b(prompt.encode("utf-8", "surrogatepass"), key=str(seed).encode()[:64], digest_size=8).digest()
    return int.from_bytes(digest) / 2**64


def _wrong(what: str, hint: str) -> InputError:
    return InputError(f"{what}.", place="model", code="model_invalid", hint=hint)
