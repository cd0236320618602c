"""Asking a model what a batch of records says: one question per batch, bounded tries, smaller batches when an answer is no use.

Rule of this file: what failed is said, and what it cost as well. A call ends within its time, whatever the model does; a model
that gave no answer several times in a row is left alone for a while.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Final

from muniment.errors import ProviderError
from muniment.ingest.model.rules_checked import checked, sources
from muniment.ingest.model.rules_reply import Read, read_reply
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Candidate, Evidence, Extraction, Refusal
from muniment.ports import Model
from muniment.types import Record, RecordId, Role

PROMPT: Final = "extract-1"
BATCH_RECORDS: Final = 12
BATCH_CHARACTERS: Final = 12_000
MOST_CHARACTERS: Final = 24_000
"""Characters of one record that a model is given at most."""
TOKENS_AT_LEAST: Final = 400
TOKENS_PER_RECORD: Final = 200
ATTEMPTS: Final = 2
OPEN_AFTER: Final = 3
"""Questions in a row without a usable answer after which the model is left alone for a while."""

_TEXTS: Final = ("quote", "kind", "text", "subject", "attribute", "value", "when")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What came of one question: an answer, or why there is none, and whether a smaller question may do better."""

    read: Read | None = None
    why: str = ""
    tokens: int = 0
    divides: bool = False


@dataclass(slots=True)
class ModelReader:
    """Reads records with a language model, and closes nothing.

    Times are seconds. A call takes `seconds` at most; `rest` is how long a model is left alone that gave no usable answer several
    times in a row.
    """

    model: Model
    seconds: float = 90.0
    rest: float = 10.0
    _useless: int = field(default=0, repr=False)
    _rests_until: float = field(default=0.0, repr=False)
    _reading: set[asyncio.Task[object]] = field(default_factory=set, repr=False)

    async def read(self, records: Sequence[Record], architecture: Architecture) -> Mapping[RecordId, Extraction]:
        """What the model reads out of each record, in order. Records of the system are not asked about.

        Never raises for what a model does: a record that could not be read is marked so, with the reason in its note.
        """
        until = time.monotonic() + self.seconds
        found = {record.id: Extraction(record=record.id) for record in records}
        task = asyncio.current_task()
        self._reading |= {task} if task else set()
        try:
            for batch in _batches([record for record in records if record.role is not Role.SYSTEM and record.text.strip()]):
                found.update(await self._batch(batch, architecture, until))
        finally:
            self._reading -= {task} if task else set()
        return found

    def stop(self) -> None:
        """Cancel what is being read, in the event loop it is read in, so that a close need not wait for a model."""
        for task in tuple(self._reading):
            task.cancel()

    async def _batch(self, batch: Sequence[Record], architecture: Architecture, until: float) -> dict[RecordId, Extraction]:
        now = time.monotonic()
        if now >= until:
            return _failed(batch, _Told(why=f"the model {self.model.name} was not asked, since the time for it was over."))
        if now < self._rests_until:
            return _failed(
                batch, _Told(why=f"the model {self.model.name} was not asked: it gave no answer several times in a row.")
            )
        told = await self._ask(batch, architecture, until)
        if len(batch) > 1 and (told.divides or (told.read is not None and told.read.cut)):
            half = len(batch) // 2
            first = await self._batch(batch[:half], architecture, until)
            found = {**first, **await self._batch(batch[half:], architecture, until)}
            return _costing(found, batch[0].id, told.tokens)
        if told.read is None:
            self._useless += 1
            if self._useless >= OPEN_AFTER:
                self._rests_until = time.monotonic() + self.rest
            return _failed(batch, told)
        self._useless = 0
        found = await asyncio.to_thread(self._extractions, batch, told.read, architecture)
        return _costing(found, batch[0].id, told.tokens)

    async def _ask(self, batch: Sequence[Record], architecture: Architecture, until: float) -> _Told:
        """Ask, and once more when the answer is of no use. What fails on the way is the adapter's to try again."""
        name, fault, tokens = self.model.name, "", 0
        most = TOKENS_AT_LEAST + TOKENS_PER_RECORD * len(batch)
        for _ in range(ATTEMPTS):
            try:
                async with asyncio.timeout(until - time.monotonic()):
                    answer = await self.model.ask(
                        instructions(architecture), question(batch), schema=schema(architecture), max_tokens=most
                    )
                    tokens += answer.prompt_tokens + answer.completion_tokens
                    read = await asyncio.to_thread(read_reply, answer.text)
            except ProviderError as error:
                return _Told(why=f"{error.message} {error.hint}".strip(), tokens=tokens)
            except TimeoutError:
                return _Told(why=f"the model {name} did not answer in time.", tokens=tokens)
            if not read.fault:
                return _Told(read=read, tokens=tokens)
            fault = read.fault
        spent = f" It took {tokens} tokens." if tokens else ""
        return _Told(why=f"the model {name} gave no usable answer ({fault}).{spent}", tokens=tokens, divides=True)

    def _extractions(self, batch: Sequence[Record], answer: Read, architecture: Architecture) -> dict[RecordId, Extraction]:
        cut = "the model's answer broke off; what was whole of it is kept." if answer.cut else ""
        found = {record.id: Extraction(record=record.id, note=cut or _shortened(record)) for record in batch}
        asked = sources([_cut(record) for record in batch], architecture)
        extractor = f"{self.model.name}#{PROMPT}"
        for item in answer.items:
            one = checked(item, asked=asked, architecture=architecture, extractor=extractor)
            home = batch[0].id if one is None else one.evidence.record
            if isinstance(one, Candidate):
                found[home] = replace(found[home], candidates=(*found[home].candidates, one))
            else:
                refused = one or Refusal(reason="unknown_source", evidence=Evidence(record=home, start=0, end=0))
                found[home] = replace(found[home], refusals=(*found[home].refusals, refused))
        return found


def schema(architecture: Architecture) -> str:
    """The form of an answer under these rules, as JSON Schema; its kinds are those of the architecture."""
    parts: dict[str, object] = {"source": {"type": "integer"}, **{name: {"type": "string"} for name in _TEXTS}}
    kinds = [rule.name for rule in architecture.kinds if rule.enabled]
    if kinds:
        parts["kind"] = {"type": "string", "enum": kinds}
    parts |= {"negated": {"type": "boolean"}, "sure": {"type": "number"}}
    item = {"type": "object", "properties": parts, "required": list(parts), "additionalProperties": False}
    form = {"type": "object", "properties": {"memories": {"type": "array", "items": item}}, "required": ["memories"]}
    return json.dumps({**form, "additionalProperties": False})


def instructions(architecture: Architecture) -> str:
    """What a model is told to do under these rules: the prompt's file, and the kinds of memory there are."""
    told = files("muniment.ingest.model").joinpath("prompts", f"{PROMPT}.md").read_text(encoding="utf-8")
    kinds = "\n".join(f"- {rule.name}: {rule.description}" for rule in architecture.kinds if rule.enabled)
    return f"{told}\nKinds:\n{kinds}\n"


def question(batch: Sequence[Record]) -> str:
    """The turns, numbered, each as one line of JSON, so that no text can pass for the end of its turn."""
    talks = {talk: number for number, talk in enumerate(dict.fromkeys(record.conversation for record in batch), 1)}
    turns = []
    for number, record in enumerate(batch, 1):
        turn: dict[str, object] = {"turn": number, "talk": talks[record.conversation], "speaker": record.speaker}
        turn |= {"role": record.role.value, "trust": record.trust.value}
        if record.said_at:
            turn["said_at"] = record.said_at.isoformat()
        turns.append(json.dumps({**turn, "text": _cut(record).text}, ensure_ascii=False))
    return "\n".join(turns)


def _costing(found: dict[RecordId, Extraction], record: RecordId, tokens: int) -> dict[RecordId, Extraction]:
    """The cost of a question stands with the first record it asked about."""
    return {**found, record: replace(found[record], tokens=found[record].tokens + tokens)}


def _failed(batch: Sequence[Record], told: _Told) -> dict[RecordId, Extraction]:
    found = {record.id: Extraction(record=record.id, note=told.why, failed=True) for record in batch}
    return _costing(found, batch[0].id, told.tokens)


def _cut(record: Record) -> Record:
    return record if len(record.text) <= MOST_CHARACTERS else replace(record, text=record.text[:MOST_CHARACTERS])


def _shortened(record: Record) -> str:
    return f"the model was given the first {MOST_CHARACTERS} characters only." if len(record.text) > MOST_CHARACTERS else ""


def _batches(records: Sequence[Record]) -> list[list[Record]]:
    batches: list[list[Record]] = []
    size = 0
    for record in records:
        if not batches or len(batches[-1]) >= BATCH_RECORDS or size + len(record.text) > BATCH_CHARACTERS:
            batches.append([])
            size = 0
        batches[-1].append(record)
        size += len(record.text)
    return batches
