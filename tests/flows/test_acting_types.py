"""What a type checker is told of an engine acting for a credential is the engine's own verbs, and nothing of it runs."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import muniment
from muniment.cli.acting_stub import stub
from muniment.scope.rules_needs import GROUPS, NEEDS

FILE = Path(muniment.__file__).parent / "verbs.pyi"
USED = """
import muniment
from muniment import Credential, Scope

async def work(credential: Credential) -> None:
    async with muniment.open("memory://") as engine:
        own = engine.acting(credential)
        reveal_type(await own.ingest({"user": "ana"}, ["hello"]))
        reveal_type((await own.memories.list(Scope(user="ana"))).memories)
        async for record in own.export({}):
            reveal_type(record)
        own.nothing
        own.work.nudge(1)
        await own.memories.share({})

def blocking(credential: Credential) -> None:
    with muniment.sync.open("memory://") as engine:
        reveal_type(engine.acting(credential).memories.add({"user": "ana"}, "hello"))
"""


def test_the_types_of_a_bounded_engine_are_those_of_its_verbs():
    """If not: `make docs`."""
    assert parts(FILE.read_text(encoding="utf-8")) == parts(stub())


def parts(text):
    """What a stub says, in whatever order its imports stand."""
    body = ast.parse(text).body
    imported = {(node.module, one.name) for node in body if isinstance(node, ast.ImportFrom) for one in node.names}
    return imported, [ast.unparse(node) for node in body if isinstance(node, ast.ClassDef)]


def test_every_verb_of_the_table_is_known_to_an_editor_and_nothing_runs_of_it():
    kinds = {node.name: node for node in ast.parse(FILE.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)}
    for prefix in ("Acting", "BlockingActing"):
        told = {member.name for member in kinds[f"{prefix}Engine"].body if hasattr(member, "name")}
        for group in GROUPS:
            told |= {f"{group}.{member.name}" for member in kinds[f"{prefix}{group.capitalize()}"].body}
        assert told == NEEDS.keys()
    assert importlib.util.find_spec("muniment.verbs") is None


@pytest.mark.slow
def test_a_type_checker_knows_the_verbs_and_refuses_what_is_none(tmp_path):
    (tmp_path / "used.py").write_text(USED, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--follow-imports=silent", "used.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    for said in (
        'Revealed type is "muniment.types.Receipt"',
        'Revealed type is "tuple[muniment.knowledge.values.Memory, ...]"',
        'Revealed type is "muniment.types.Record"',
        'Revealed type is "muniment.curate.memories.Amended"',
        '"ActingEngine" has no attribute "nothing"',
        '"ActingWork" has no attribute "nudge"',
        'Missing positional argument "memory" in call to "share"',
    ):
        assert said in done.stdout, done.stdout
