"""The pages about the command line say what the commands do: the reference is made from them, the tutorial runs as it stands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from running_cli import Cli, environment

from muniment.cli.exits import MEANINGS, Exit, exit_of
from muniment.cli.reference import DOCUMENTS, page
from muniment.errors import (
    BudgetError,
    EmbedderError,
    EmbedderMismatch,
    FormatError,
    MissingExtra,
    NotFound,
    OutcomeUnknown,
    QueryError,
    ScopeError,
    StoreBusy,
    StoreFull,
    StoreReadOnly,
    StoreUnusable,
)

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODES = {
    Exit.USAGE: (ScopeError, FormatError, QueryError, BudgetError, MissingExtra),
    Exit.STORE: (StoreUnusable, StoreReadOnly, StoreFull, StoreBusy, OutcomeUnknown, EmbedderMismatch),
    Exit.PARTLY: (NotFound, EmbedderError),
}


def test_the_reference_is_what_the_commands_say():
    written = (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    assert written == page(), "run: python -m muniment.cli.reference > docs/reference/cli.md"


def test_every_exit_code_has_a_meaning_and_every_error_a_code():
    assert set(MEANINGS) == set(Exit)
    for code, errors in CODES.items():
        assert {exit_of(error("it went wrong.")) for error in errors} == {code}


def test_the_reference_names_every_command():
    assert re.findall(r"^## muniment ([\w -]+)$", page(), re.MULTILINE) == list(DOCUMENTS)


def is_plain(text):
    """Whether a block has commands of ours only, and nothing that takes a shell."""
    return all(line.startswith("muniment ") for line in text.splitlines() if line) and not re.search(r"[|$><&;\\]", text)


@pytest.mark.parametrize("embedder", ["none", pytest.param("auto", marks=pytest.mark.slow)])
def test_every_command_of_the_tutorial_runs_in_order_and_prints_what_is_shown(tmp_path, monkeypatch, embedder):
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "muniment"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -W error -m muniment "$@"\n')
    program.chmod(0o755)
    folder = tmp_path / "folder"
    folder.mkdir()
    cli = Cli(folder, monkeypatch, MUNIMENT_EMBEDDER=embedder, HOME=str(tmp_path))
    env = environment(tmp_path, MUNIMENT_EMBEDDER=embedder)
    env["PATH"] = f"{program.parent}:{env['PATH']}"
    printed = ""
    shown = 0
    for language, text in BLOCK.findall((DOCS / "tutorial.md").read_text(encoding="utf-8")):
        if language == "sh" and is_plain(text):
            ran = [cli(*shlex.split(line)[1:]) for line in text.splitlines() if line]
            printed = "".join(one.out + one.err for one in ran)
        elif language == "sh":
            done = subprocess.run(
                ["bash", "-e", "-c", text], cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False
            )
            assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
            printed = done.stdout + done.stderr
        else:
            shown += 1
            missing = [line for line in text.splitlines() if line not in printed.splitlines()]
            assert missing == [], printed
    assert shown > 5
