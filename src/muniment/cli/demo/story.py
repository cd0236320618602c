"""The packaged conversations, and who asks what in the demo. All names and words are invented.

Rule of this file: values only. What the engine makes of them is in `acts`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

from muniment.ingest.formats import read_turns
from muniment.types import Role, Scope, Turn

PACKAGED = "conversations.json"
CLIENT = "foyer"
KESTREL = Scope(client=CLIENT, customer="kestrel-theatre")
MARA = Scope(client=CLIENT, customer="kestrel-theatre", user="mara")
TEO = Scope(client=CLIENT, customer="kestrel-theatre", user="teo")
INES = Scope(client=CLIENT, customer="halden-cinema", user="ines")
SARAH = Scope(client=CLIENT, customer="lakeside-hall", user="sarah")
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
    """Who asks what, how many hits to look at, and a remark on what they show."""

    scope: Scope
    text: str
    limit: int
    remark: str


QUESTIONS = (
    Question(
        scope=MARA,
        text="Since when are we on the Ensemble plan?",
        limit=2,
        remark="She said it twice, once as “yesterday”; each piece has its own date.",
    ),
    Question(
        scope=MARA,
        text="Is our billing monthly or yearly?",
        limit=2,
        remark="She changed her mind. Both are kept, and the dates tell which one holds.",
    ),
)

KEPT_OUT = "tern-Kite-4471"
TALK = (
    ("2026-04-01T09:00", "Sarah Chen", "Hi! I manage the Lakeside Hall. We are on the Solo plan."),
    ("2026-04-01T09:01", "", "HEARTBEAT_OK"),
    ("2026-04-01T09:02", "Sarah Chen", f"My password is {KEPT_OUT}."),
    ("2026-04-01T09:03", "Sarah Chen", "Thanks!"),
    ("2026-04-02T10:00", "Ben Okafor", "Dr. Chen likes her letters short. SC is on the invoices."),
    ("2026-04-20T09:04", "Sarah Chen", "We upgraded to the Ensemble plan. Sarah prefers invoices by e-mail."),
)
"""When, who (the agent where nobody is named), and what: with noise, a secret, several names for one person, a change."""
NOW = "Which plan are we on?"

WALL = "Which plan are we on?"
ASKERS = (MARA, TEO, INES)
REACH = {
    MARA: "her own and the shared thread",
    TEO: "his own and the shared thread",
    INES: "her own",
}

MESSAGE = "The accountant is asking again: who gets the monthly sales report, and in which form?"
INSTRUCTIONS = (
    "You are the support agent of Foyer, a ticketing service. Answer from the evidence, and say on which day you were told."
)
RUNNING = "billing"
BUDGET = 340
RESERVE = 80

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


def talk() -> tuple[Turn, ...]:
    """The conversation of which act 2 tells what was made of it."""
    return tuple(
        Turn(
            text=text,
            speaker=who or "Foyer support",
            role=Role.USER if who else Role.ASSISTANT,
            said_at=datetime.fromisoformat(at).replace(tzinfo=UTC),
        )
        for at, who, text in TALK
    )
