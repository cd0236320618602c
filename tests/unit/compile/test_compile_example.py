"""The shortest program of all: a registry, a budget, a prompt."""

from __future__ import annotations

import runpy
from pathlib import Path

EXAMPLE = Path(__file__).parents[3] / "examples" / "compile_only.py"


def test_the_example_prints_messages_within_its_budget(capsys):
    runpy.run_path(str(EXAMPLE))
    out = capsys.readouterr().out
    assert "'role': 'system'" in out
    assert "I cannot eat nuts." in out
    assert "of 120 tokens; left out: []" in out
