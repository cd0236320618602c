"""Writers of one file are killed at random moments; whatever they were told is kept is there, once, and all agrees."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_I03_killed_writers_lose_and_double_nothing_that_was_acknowledged(tmp_path):
    result = tmp_path / "kill.json"
    command = [sys.executable, str(ROOT / "benchmarks" / "kill.py"), "--kills", "10", "--seed", "7", "--json", str(result)]
    subprocess.run(command, check=True, timeout=300, cwd=tmp_path)
    found = {row["metric"]: row["value"] for row in json.loads(result.read_text())["results"]}
    assert found["kills"] == 10
    assert found["acked"] > 100
    assert found["enriched"] > 20
    faults = ("lost", "revived", "duplicates", "disagreements", "unfinished", "repeated", "unproved")
    assert {name: found[name] for name in faults} == dict.fromkeys(faults, 0)
