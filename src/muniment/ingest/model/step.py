"""Asking a model what a batch of records says: one question per batch, bounded tries, smaller batches when an answer ran away.

Rule of this file: what failed is said. A record whose answer never came has a note, and is tried again with its work.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files

from muniment.errors import ProviderError
from muniment.ingest.model.rules_checked import checked
from muniment.ingest.model.rules_reply import Read, read_reply
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Candidate, Evidence, Extraction, Refusal
from muniment.ports import Model
from muniment.types import Record, RecordId, Role

PROMPT = "extract-1"
BATCH_RECORDS = 12
BATCH_CHARACTERS = 12_000
MOST_TOKENS = 2_000
ATTEMPTS = 3
OPEN_AFTER = 3
"""Batches in a row without any answer after which the model is not asked again for the rest of a call."""

_ITEM = {
    "type": "object",
    "properties": {
        "source": {"type": "integer"},
        "quote": {"type": "string"},
        "kind": {"type": "string"},
        "text": {"type": "string"},
        "subject": {"type": "string"},
        "attribute": {"type": "string"},
        "value": {"type": "string"},
        "when": {"type": "string"},
        "negated": {"type": "boolean"},
        "sure": {"type": "number"},
    },
    "required": ["source", "quote", "kind", "text", "subject", "attribute", "value", "when", "negated", "sure"],
    "additionalProperties": False,
}
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"memories": {"type": "array", "items": _ITEM}},
        "required": ["memories"],
        "additionalProperties": False,
    }
)
_RETRIED = frozenset({"not_json", "wrong_schema", "schema_echo", "empty", "too_large", "refusal"})


@dataclass(slots=True)
class ModelReader:
    """Reads records with a language model. `pause` is the wait in seconds before a second try; it doubles."""

    model: Model
    pause: float = 0.5
    _dead: int = field(default=0, repr=False)

    async def read(self, records: Sequence[Record], architecture: Architecture) -> Mapping[RecordId, Extraction]:
        """What the model reads out of each record, in order. Records of the system are not asked about."""
        self._dead = 0
        found: dict[RecordId, Extraction] = {}
        asked = [record for record in records if record.role is not Role.SYSTEM and record.text.strip()]
        for batch in _batches(asked):
            found.update(await self._batch(batch, architecture))
        return found

    async def _batch(self, batch: Sequence[Record], architecture: Architecture) -> dict[RecordId, Extraction]:
        if self._dead >= OPEN_AFTER:
            return _failed(batch, "the model was not asked, since it gave no answer several times in a row.")
        answer, tokens, why = await self._ask(batch, architecture)
        if answer is None:
            self._dead += 1
            return _failed(batch, why)
        self._dead = 0
        if answer.cut and len(batch) > 1:
            half = len(batch) // 2
            return {**await self._batch(batch[:half], architecture), **await self._batch(batch[half:], architecture)}
        return self._extractions(batch, answer, architecture, tokens)

    async def _ask(self, batch: Sequence[Record], architecture: Architecture) -> tuple[Read | None, int, str]:
        tokens, why = 0, ""
        for attempt in range(ATTEMPTS):
            if attempt:
                await asyncio.sleep(self.pause * 2 ** (attempt - 1))
            try:
                answer = await self.model.ask(
                    _instructions(architecture), _question(batch), schema=SCHEMA, max_tokens=MOST_TOKENS
                )
            except ProviderError as error:
                why = f"{error.message} {error.hint}".strip()
                continue
            tokens += answer.prompt_tokens + answer.completion_tokens
            read = await asyncio.to_thread(read_reply, answer.text)
            if not read.fault:
                return read, tokens, ""
            why = f"the model {self.model.name} gave no usable answer ({read.fault})."
        return None, tokens, why

    def _extractions(
        self, batch: Sequence[Record], answer: Read, architecture: Architecture, tokens: int
    ) -> dict[RecordId, Extraction]:
        made = Extraction(record=batch[0].id)
        found = {record.id: replace(made, record=record.id) for record in batch}
        extractor = f"{self.model.name}#{PROMPT}"
        for item in answer.items:
            one = checked(item, records=batch, architecture=architecture, extractor=extractor)
            home = batch[0].id if one is None else one.evidence.record
            if isinstance(one, Candidate):
                found[home] = replace(found[home], candidates=(*found[home].candidates, one))
            else:
                refused = one or Refusal(reason="unknown_source", evidence=Evidence(record=home, start=0, end=0))
                found[home] = replace(found[home], refusals=(*found[home].refusals, refused))
        note = "the model's answer broke off; what was whole of it is kept." if answer.cut else ""
        first = batch[0].id
        return {**found, first: replace(found[first], tokens=tokens, note=note)}


def _failed(batch: Sequence[Record], why: str) -> dict[RecordId, Extraction]:
    return {record.id: Extraction(record=record.id, note=why) for record in batch}


def _instructions(architecture: Architecture) -> str:
    told = files("muniment.ingest.model").joinpath("prompts", f"{PROMPT}.md").read_text(encoding="utf-8")
    kinds = "\n".join(f"- {rule.name}: {rule.description}" for rule in architecture.kinds if rule.enabled)
    return f"{told}\nKinds:\n{kinds}\n"


def _question(batch: Sequence[Record]) -> str:
    """The turns, numbered, each as JSON, so that no text can pass for the end of its turn."""
    turns = []
    for number, record in enumerate(batch, 1):
        turn: dict[str, object] = {"turn": number, "speaker": record.speaker, "role": record.role.value}
        if record.said_at:
            turn["said_at"] = record.said_at.isoformat()
        turns.append(json.dumps({**turn, "trust": record.trust.value, "text": record.text}, ensure_ascii=False))
    return "\n".join(turns)


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
