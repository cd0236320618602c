"""Every example in README and docs runs as it stands there."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from muniment.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


CONTINUED = {ROOT / "docs" / "tutorial-skills.md"}
"""Pages whose examples go on where the one before ended."""


def blocks(language):
    for page in PAGES:
        if page in CONTINUED:
            continue
        for n, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")), 1):
            if match.group(1) == language:
                yield pytest.param(match.group(2), id=f"{page.relative_to(ROOT)}:{n}")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the files the pages speak of, and no settings from outside."""
    (tmp_path / "chat.json").write_text(
        json.dumps(
            [
                {"role": "user", "content": "I upgraded to the Harbor plan."},
                {"role": "assistant", "content": "Noted, you are on Harbor now."},
            ]
        )
    )
    (tmp_path / "notes.md").write_text("# Notes\n\nThe office closes at noon on Fridays.\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def run_python(code, names=None):
    """Run an example as a program of its own, or on with the names of the one before it."""
    exec(compile(code, "<example>", "exec", dont_inherit=True), {"__name__": "__main__"} if names is None else names)


def run_console(lines):
    for line in lines.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if words[:1] == ["muniment"]:
            done = CliRunner().invoke(main, words[1:], input="")
            assert done.exit_code == 0, f"{line}\n{done.output}"
        elif words:
            subprocess.run(words, capture_output=True, timeout=120, check=True)


@pytest.mark.parametrize("code", list(blocks("python")))
def test_python_examples_run(code, folder):
    run_python(code)


@pytest.mark.parametrize("lines", list(blocks("console")))
def test_console_examples_run(lines, folder):
    run_console(lines)


@pytest.mark.parametrize("page", sorted(CONTINUED), ids=lambda page: page.name)
def test_a_page_that_goes_on_runs_from_its_first_example_to_its_last(page, folder):
    names = {"__name__": "__main__"}
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if match.group(1) == "console":
            run_console(match.group(2))
        else:
            run_python(match.group(2), names)


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_example_programs_run(example, folder, capsys):
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out
