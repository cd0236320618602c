"""Turns to measure speed with: made from templates, or read from public sets of talk.

Rule of this file: a seed gives the same turns everywhere; nothing here is scored. What is made mixes facts, events, decisions,
promises, questions, small talk and answers of an assistant, some 20 words each, and hardly ever says the same twice.
"""

# ruff: noqa: SIM905  lists of words read best as text

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from muniment.types import Role, Turn

TALK = 20
"""Turns of one conversation."""
_SINCE = datetime(2025, 1, 1, 9, tzinfo=UTC)

_NAMES = """Anna Ben Carla David Elena Farid Grace Hugo Ines Jonas Katya Liam Mona Nils Olga Pavel Rosa Samir Tara Viktor Wanda
Yusuf Zoe Bruno Clara Dmitri Esther Fatima Georg Hana""".split()
_TOWNS = """Porto Leeds Ghent Turin Malmo Krakow Nantes Bergen Graz Seville Bologna Utrecht Tallinn Aarhus Zagreb Cork Bilbao
Dresden Lyon Verona""".split()
_THINGS = """bicycle camera kettle violin laptop tent sofa printer telescope drill ladder notebook suitcase microscope blender
piano router jacket lamp canoe""".split()
_FOODS = "noodles olives porridge dumplings lentils pancakes mushrooms salmon curry figs cheese bread soup rice plums".split()
_WORK = "nurse carpenter teacher lawyer chemist plumber editor pilot baker librarian surveyor translator gardener welder".split()
_DOINGS = "hiking chess pottery rowing knitting climbing painting fencing sailing baking cycling singing archery yoga".split()
_TOOLS = "Postgres Redis Kafka Nginx Terraform Django Svelte Rust Grafana Ansible Celery Vault Consul Airflow".split()
_DAYS = "yesterday|last week|last Friday|two days ago|on Monday|this morning|in March|last summer|three weeks ago|tonight".split(
    "|"
)

_USER = (
    "I moved to {town} {day} because my friend {name} found me a flat there with room for the {thing}, number {n}.",
    "My sister {name} works as a {work} in {town} and she has been looking for a new {thing} since {day}, she says.",
    "We decided to use {tool} instead of {tool2} for project {n}, mostly because the team in {town} knows it better.",
    "Could you tell me how many {thing}s I would need for {n} people, and whether {name} should bring {food} as well?",
    "I really love {doing} and {doing2}, but I don't like {food} at all, and {name} always cooks it on Sundays for us.",
    "Honestly it was a long day, the train from {town} was {n} minutes late and I only had {food} for dinner again.",
    "I will send {name} the report about the {thing} by Friday, remind me that it needs section {n} on {tool} too.",
    "Thanks a lot, that helps, although I am still not sure that the {thing} is worth {n} euros at the end of the day.",
    "{name} and I went to {town} {day} and bought a {thing} that cost {n} euros, which was more than we had planned.",
    "Actually, I meant {town} and not {town2}, {name} lives in the other one and only visits us every {n} weeks or so.",
    "If the weather were better I might try {doing} in {town} next month, maybe together with {name} and her {n} cousins.",
    "My favourite food is {food}, but since {day} I have been eating {food2} with {name} nearly every {n} days or so.",
)
_OTHER = (
    "That sounds lovely! {town} is well known for its {food}, and many people there are fond of {doing}. Do you want {n} ideas?",
    "Here are a few options: a {thing} for about {n} euros, a used one from {town}, or one that {name} could lend you a while.",
    "I have booked table {n} for you and {name} in {town}. Let me know whether you would rather have {food} or {food2} there.",
    "To set up {tool}, install the package first, then start the service on port {n} and check the logs for errors as you go.",
    "It depends on what you need. {tool} is faster for small jobs, whereas {tool2} handles about {n} requests a second easily.",
    "Sorry to hear that. A walk or some {doing} may help, and {name} could bring the {thing} over so that you get {n} hours off.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One conversation."""

    name: str
    turns: tuple[Turn, ...]


def made(seed: int = 7) -> Iterator[Talk]:
    """Conversations without end, a user and an assistant in turns."""
    chance = random.Random(seed)
    at = _SINCE
    number = 0
    while True:
        turns = []
        for place in range(TALK):
            template = chance.choice(_OTHER if place % 2 else _USER)
            at += timedelta(minutes=7)
            role = Role.ASSISTANT if place % 2 else Role.USER
            turns.append(Turn(text=_filled(template, chance), role=role, said_at=at))
        yield Talk(name=f"made-{number}", turns=tuple(turns))
        number += 1


def _filled(template: str, chance: random.Random) -> str:
    pick = chance.choice
    return template.format(
        name=pick(_NAMES),
        town=pick(_TOWNS),
        town2=pick(_TOWNS),
        thing=pick(_THINGS),
        food=pick(_FOODS),
        food2=pick(_FOODS),
        work=pick(_WORK),
        doing=pick(_DOINGS),
        doing2=pick(_DOINGS),
        tool=pick(_TOOLS),
        tool2=pick(_TOOLS),
        day=pick(_DAYS),
        n=chance.randrange(2, 1000),
    )


def sources(folder: Path | None) -> dict[str, Iterator[Talk]]:
    """What there is to measure with: made turns, and those of each public set that lies in `folder`."""
    found = {"made": made()}
    if folder is not None:
        for name, file, read in (
            ("msc", "msc/valid.jsonl", _msc),
            ("locomo", "locomo/dev.json", _locomo),
            ("longmemeval", "longmemeval/dev.json", _longmemeval),
        ):
            if (path := folder / file).is_file():
                found[name] = read(path)
    return found


def first(talks: Iterator[Talk], turns: int) -> list[Talk]:
    """The first conversations, cut so that they have `turns` turns together, if there are so many."""
    out: list[Talk] = []
    left = turns
    for talk in talks:
        out.append(Talk(name=talk.name, turns=tuple(islice(talk.turns, left))))
        left -= len(out[-1].turns)
        if left <= 0:
            break
    return out


def _msc(path: Path) -> Iterator[Talk]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            said = [(Role.ASSISTANT if place else Role.USER, text) for pair in row["dialogue"] for place, text in enumerate(pair)]
            yield _talk(f"{row['id']}#{row['session']}", said)


def _locomo(path: Path) -> Iterator[Talk]:
    for sample in json.loads(path.read_text(encoding="utf-8")):
        talks = {key: value for key, value in sample["conversation"].items() if isinstance(value, list)}
        for key, value in talks.items():
            turns = tuple(
                Turn(text=turn["text"], role=Role.USER, speaker=turn["speaker"], said_at=_SINCE) for turn in value if turn["text"]
            )
            yield Talk(name=f"{sample['sample_id']}-{key}", turns=turns)


def _longmemeval(path: Path) -> Iterator[Talk]:
    raw = json.loads(path.read_text(encoding="utf-8"))
    for name, said in raw["sessions"].items():
        yield _talk(name, [(Role(turn["role"]), turn["content"]) for turn in said])


def _talk(name: str, said: list[tuple[Role, str]]) -> Talk:
    return Talk(name=name, turns=tuple(Turn(text=text, role=role, said_at=_SINCE) for role, text in said if text.strip()))
