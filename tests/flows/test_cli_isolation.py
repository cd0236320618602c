"""Two worlds on the command line: every command answers as if there were no neighbour, with a key and without."""

from __future__ import annotations

import re

import pytest
from running_cli import Cli
from test_cli_keys import ABSENT, ANA, BEN, COMMANDS, NORTH, key_of

SAID = [
    "I live in Porto and my plan is Harbor.",
    "We decided to use Postgres instead of SQLite because Ben Ortega knows it.",
    "Dr. Vale at ana@example.org painted the red boat.",
]
NEIGHBOURS = {
    "sibling user": BEN,
    "sibling customer": ("--client", "acme", "--customer", "south", "--user", "ana"),
    "other client": ("--client", "rival", "--customer", "north", "--user", "ana"),
    "no client": ("--user", "ana"),
}
UPWARDS = {"decisions share", "decisions unshare", "memories share", "memories unshare"}
DRAWN = {"keys create", "keys list", "assemble"}
"""What shows ids, or frames in a prompt, that are drawn by lot."""
MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|\+00:00)")
"""Times of the machine's own clock."""
ID = re.compile(r"\b[a-z2-7]{16}\b")


def counted(text):
    """A text with its ids numbered as they come: those of what is stated by hand follow from the moment."""
    found = {}
    return ID.sub(lambda match: f"id {found.setdefault(match[0], len(found))}", text)


def answers(folder, monkeypatch, neighbour, *, crowded, keyed):
    """What each command prints for Ana in a folder of its own."""
    folder.mkdir()
    cli = Cli(folder, monkeypatch)
    scopes = [NORTH, ANA, *([neighbour] if crowded else [])]
    for scope in scopes:
        cli.said(*SAID, scope=scope)
    cli.said("The boat is red.", scope=ANA, name="chat.json")
    own = ("--key", key_of(cli, *ANA)) if keyed else ANA
    memory = cli.as_json("memories", "list", *ANA)["memories"][0]["id"]
    record = cli.as_json("list", *ANA)["records"][0]["id"]
    heard = []
    for name, words in COMMANDS.items():
        named = [record if name in {"show", "forget"} else memory if word == ABSENT else word for word in words]
        if crowded and name not in UPWARDS:
            cli(*name.split(), *named, *neighbour, "--json", code=None)
        ran = cli(*name.split(), *named, *own, "--json", code=None)
        told = ran.out + ran.err if name not in DRAWN else str(ran.json["bundle"]) if name == "assemble" else ""
        heard.append((name, ran.code, counted(MOMENT.sub("then", told))))
    return heard


@pytest.mark.parametrize("keyed", [False, True], ids=["scope", "key"])
@pytest.mark.parametrize("neighbour", NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_every_command_answers_as_if_there_were_no_neighbour(tmp_path, monkeypatch, neighbour, keyed):
    crowded, alone = (
        answers(tmp_path / str(world), monkeypatch, neighbour, crowded=world, keyed=keyed) for world in (True, False)
    )
    assert crowded == alone
