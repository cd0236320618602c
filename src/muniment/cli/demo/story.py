"""The packaged conversations, and who asks what in the demo. All names and words are invented.

Rule of this file: values only. What the engine makes of them is in `acts`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from muniment.ingest.formats import read_turns
from muniment.types import Scope, Turn

PACKAGED = "conversations.json"
CLIENT = "foyer"
KESTREL = Scope(client=CLIENT, customer="kestrel-theatre")
MARA = Scope(client=CLIENT, customer="kestrel-theatre", user="mara")
TEO = Scope(client=CLIENT, customer="kestrel-theatre", user="teo")
INES = Scope(client=CLIENT, customer="halden-cinema", user="ines")
AGENT = "support"
NAMES = {MARA: "Mara", TEO: "Teo", INES: "Inês", KESTREL: "everyone"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation and whose memory it belongs to."""

    conversation: str
    scope: Scope
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Who asks what, and a remark on what to look for in the evidence."""

    scope: Scope
    text: str
    remark: str


QUESTIONS = (
    Question(
        scope=MARA,
        text="Which plan are we on, and since when?",
        remark="She said it twice, once as “yesterday”. Each piece of evidence carries the day it was said on.",
    ),
    Question(
        scope=MARA,
        text="Do we pay monthly or yearly?",
        remark="She changed her mind. Both statements are kept, and their dates tell which one holds.",
    ),
    Question(
        scope=TEO,
        text="Who signs a refund of 300 while Bea is away?",
        remark="Teo reads what the theatre shares. Joss, JP and Joscelin Park are one person.",
    ),
)

WALL = "Which plan are we on, and do we pay monthly or yearly?"
ASKERS = (MARA, TEO, INES)

MESSAGE = "Bea is asking me what the next invoice will say. Which plan, and paid how?"
INSTRUCTIONS = (
    "You are the support agent of Foyer, a ticketing service. Answer from the evidence, and say on which day you were told."
)
RUNNING = "billing"
BUDGET = 640
RESERVE = 120

FORGOTTEN = "frozen-scanners"
WORDS = "colour-blind"
AFTERWARDS = "Is somebody at the door colour-blind?"


def packaged_bytes() -> bytes:
    """The file itself, in a form that `muniment ingest` reads as well."""
    return (files("muniment.cli.demo") / PACKAGED).read_bytes()


@cache
def sessions() -> tuple[Session, ...]:
    """The packaged conversations, oldest first."""
    turns = read_turns(packaged_bytes(), name=PACKAGED).turns
    return tuple(
        Session(
            conversation=told["id"],
            scope=Scope(**told["scope"]),
            turns=tuple(turn for turn in turns if turn.conversation == told["id"]),
        )
        for told in json.loads(packaged_bytes())["conversations"]
    )
