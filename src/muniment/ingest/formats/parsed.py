"""What reading a file gives: whose histories it holds, their turns in order, and every item that could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

from muniment.errors import FormatError, InputError
from muniment.ingest.formats.messages import KNOWN_KEYS, read_message, unkept
from muniment.ingest.rules import refusal
from muniment.text.strict_json import Fault, first_fault
from muniment.types import ItemReceipt, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Turns that belong to one user. `suggested_user` is the name the file gives that user, None when it names nobody."""

    turns: tuple[Turn, ...]
    suggested_user: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A file as turns. `refused` has a receipt for every item that could not be read, `notes` says what else was left out."""

    format: str
    histories: tuple[History, ...]
    refused: tuple[ItemReceipt, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns as one user's. With several histories, conversations bear their history's name and stay apart."""
        if len(self.histories) == 1:
            return self.histories[0].turns
        return tuple(_prefixed(turn, history.suggested_user) for history in self.histories for turn in history.turns)


@dataclass(slots=True, kw_only=True)
class Collector:
    """Gathers what a reader finds: turns, receipts of what cannot be used, and the keys that are not kept."""

    name: str
    zone: tzinfo | None = None
    turns: list[Turn] = field(default_factory=list)
    refused: list[ItemReceipt] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)

    def beside(self) -> Collector:
        """A collector for another history of the same file: its own turns, the same receipts and dropped keys."""
        return replace(self, turns=[])

    def message(self, value: object, place: str, *, conversation: str | None = None, said_at: datetime | None = None) -> None:
        """Add the turns of one message, or its refusal; conversation and time are for turns that name none themselves."""
        try:
            for turn in read_message(sound(value), zone=self.zone):
                self.add(turn, place, conversation=conversation, said_at=said_at)
        except InputError as error:
            self.refuse(place, error)
        if isinstance(value, Mapping):
            self.dropped |= value.keys() - KNOWN_KEYS

    def add(self, turn: Turn, place: str, *, conversation: str | None = None, said_at: datetime | None = None) -> None:
        """Add one turn read at `place`, in this conversation and at this time unless it names its own."""
        self.turns.append(
            replace(
                turn,
                origin=turn.origin or self.name,
                place=place,
                conversation=conversation if turn.conversation is None else turn.conversation,
                said_at=turn.said_at or said_at,
            )
        )

    def refuse(self, place: str, error: InputError) -> None:
        """Keep the receipt of an item that cannot be read."""
        self.refused.append(refusal(place, error))

    def take_turns(self) -> tuple[Turn, ...]:
        """The turns gathered since the last call."""
        taken = tuple(self.turns)
        self.turns.clear()
        return taken

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, in sentences."""
        return (unkept(self.dropped),) if self.dropped else ()


def sound(value: object) -> object:
    """`value` if none of the fields that are read holds a fault. Raises FormatError for the first fault."""
    read = {key: item for key, item in value.items() if key in KNOWN_KEYS} if isinstance(value, Mapping) else value
    found = first_fault(read)
    if not found:
        return value
    path, fault = found
    raise FormatError(fault.message, place=path, code=fault.code, hint="The other items are read.")


def mapping(value: object) -> Mapping[str, object]:
    """`value` as an object with keys. Raises FormatError when it is none, or is a fault."""
    if isinstance(value, Fault):
        raise FormatError(value.message, code=value.code, hint="The other items are read.")
    if not isinstance(value, Mapping):
        raise FormatError("this is not an object with keys.", code="type", hint="The other items are read.")
    return value


def _prefixed(turn: Turn, owner: str | None) -> Turn:
    if owner is None:
        return turn
    return replace(turn, conversation=owner if turn.conversation is None else f"{owner}:{turn.conversation}")
