"""Conversations in the style of minutes, chat threads, e-mails, decision records and spoken talk, with the decisions in them.

Rule of this file: it reads a text file beside it. `## name number` opens a conversation, `@ speaker` a turn, `+N` days after the
one before; `=` right behind a turn names a decision of it: what | why | alternatives ; between ; them | what came of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from benchmarks.decisions_data import START, Gold, Talk, Turn

_OPENS = re.compile(r"@ (?P<speaker>.+?)(?: \+(?P<days>\d+))?")
_ROLES = ("user", "assistant")


def read_styles(path: Path, *, slice_: str) -> list[Talk]:
    """The conversations of one file, each of a user of its own; all bear `slice_`."""
    parts = path.read_text(encoding="utf-8").split("\n## ")
    # A heading inside a turn has no number at its end.
    heads: list[str] = []
    for part in ("\n" + parts[0]).split("\n## ") + parts[1:]:
        if re.fullmatch(r"\w+ \d+", part.partition("\n")[0]):
            heads.append(part)
        elif heads:
            heads[-1] += "\n## " + part
    return [_talk(number, head, slice_) for number, head in enumerate(heads)]


def _talk(number: int, text: str, slice_: str) -> Talk:
    name, _, body = text.partition("\n")
    turns: list[Turn] = []
    gold: list[Gold] = []
    at = START
    for speaker, days, said, told in _turns(body):
        at += timedelta(days=days, minutes=7)
        role = speaker if speaker in _ROLES else "user"
        turns.append(Turn(role=role, text=said, said_at=at, speaker=None if speaker in _ROLES else speaker))
        gold += [_gold(len(turns) - 1, line) for line in told]
    user = name.replace(" ", "-")
    return Talk(
        id=f"{slice_}-{user}",
        client="bench",
        customer=f"{slice_}-{number % 5}",
        user=user,
        turns=tuple(turns),
        gold=tuple(gold),
        slice=slice_,
    )


def _turns(body: str) -> Iterator[tuple[str, int, str, list[str]]]:
    speaker, days, said, told = "", 0, list[str](), list[str]()
    for line in [*body.splitlines(), "@ end"]:
        if opens := _OPENS.fullmatch(line):
            if speaker:
                yield speaker, days, "\n".join(said).strip(), told
            speaker, days, said, told = opens["speaker"], int(opens["days"] or 0), [], []
        elif line.startswith("= "):
            told.append(line[2:])
        else:
            said.append(line)


def _gold(turn: int, line: str) -> Gold:
    chosen, rationale, alternatives, outcome = (part.strip() for part in f"{line} ".split("|"))
    options = tuple(option.strip() for option in alternatives.split(";") if option.strip())
    return Gold(turn=turn, chosen=chosen, rationale=rationale, alternatives=options, outcome=outcome, about=chosen)
