"""The house rules that a machine can check: which room may know which, how large things may grow, where names may appear."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "muniment"
FILES = sorted(SRC.rglob("*.py"))

# What each room may import from the package. A room not named here may import nothing of it.
VALUES = {"types", "errors"}
PURE = VALUES | {"bundle", "compilation", "shelf", "text", "knowledge"}
ADAPTER = PURE | {"ports"}
PRIMITIVE = ADAPTER
MAY_IMPORT = {
    "errors": set(),
    "types": {"errors"},
    "bundle": VALUES | {"knowledge"},
    "compilation": VALUES | {"bundle"},
    "shelf": {"types"},
    "text": VALUES,
    "knowledge": VALUES | {"text"},
    "ports": PURE,
    "registry": PURE,
    "compile": PURE | {"registry"},
    "assemble": PURE,
    "seedfiles": PURE | {"registry"},
    "probe": ADAPTER | {"registry", "compile", "providers"},
    "architect": PRIMITIVE,
    "compact": PRIMITIVE,
    "curate": PRIMITIVE,
    "scope": VALUES | {"knowledge", "ports"},
    "browse": ADAPTER,
    "ingest": PRIMITIVE,
    "retrieve": PRIMITIVE,
    "forget": PRIMITIVE,
    "stores": ADAPTER,
    "providers": ADAPTER,
    "plugins": ADAPTER | {"stores", "providers"},
    "settings": VALUES | {"scope"},
    "testing": ADAPTER | {"providers"},
    "engine": None,  # the composition root knows every room but the edges
    "opening": None,
    "sync": None,
    "__init__": None,
    "cli": None,
    "__main__": None,
}
EDGES = {"cli", "__main__", "sync", "testing"}
IMPURE = {"asyncio", "os", "time", "random", "secrets", "uuid", "threading", "socket", "subprocess", "pathlib", "io", "tempfile"}


@pytest.fixture(scope="module", autouse=True)
def _trees_go_with_these_tests():
    yield
    for kept in (tree, nodes, imports):
        kept.cache_clear()


def room(path: Path) -> str:
    return path.relative_to(SRC).parts[0].removesuffix(".py")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(tree(path)))


@cache
def imports(path: Path) -> list[str]:
    out = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            out += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            out += [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "muniment" else [node.module]
    return out


def rooms_imported(path: Path) -> set[str]:
    return {name.split(".")[1] for name in imports(path) if name.startswith("muniment.")}


def is_pure(path: Path) -> bool:
    pure = {"registry", "compile", "bundle", "compilation", "knowledge", "text", "types", "errors", "shelf", "assemble"}
    return room(path) in pure or path.name.startswith("rules")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SRC)))
def test_imports_point_one_way(path):
    here = room(path)
    assert here in MAY_IMPORT, f"{here} is a new room: say in MAY_IMPORT what it may know"
    allowed = MAY_IMPORT[here]
    known = rooms_imported(path) - {here}
    if allowed is not None:
        assert known <= allowed, f"{here} may not import {sorted(known - allowed)}"
    elif here in {"engine", "opening", "__init__"}:
        assert not known & (EDGES - {"sync"}), "nothing imports an edge"


@pytest.mark.parametrize("path", [p for p in FILES if is_pure(p)], ids=lambda p: str(p.relative_to(SRC)))
def test_pure_rooms_know_no_clock_chance_or_disk(path):
    allowed = {
        "text": {"threading"},  # stemmers are not thread-safe
        "registry": {"threading", "uuid"},  # one lock per registry; ids and secrets where the caller gives no source of them
    }.get(room(path), set())
    assert not {name.split(".")[0] for name in imports(path)} & (IMPURE - allowed)
    calls = {ast.unparse(n.func) for n in nodes(path) if isinstance(n, ast.Call)}
    assert not calls & {"datetime.now", "datetime.today", "date.today", "open", "print", "input"}


def definitions(kinds):
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, kinds):
                yield path, node


def size(node) -> int:
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    return node.end_lineno - first + 1


def test_sizes_stay_habitable():
    long_files = [(p.name, n) for p in FILES if (n := len(p.read_text().splitlines())) > 600]
    functions = definitions((ast.FunctionDef, ast.AsyncFunctionDef))
    long_functions = [(p.name, n.name, size(n)) for p, n in functions if size(n) > 80]
    classes = list(definitions(ast.ClassDef))
    long_classes = [(p.name, n.name, size(n)) for p, n in classes if size(n) > 300]
    crowded = [
        (p.name, n.name)
        for p, n in classes
        if sum(isinstance(m, ast.FunctionDef | ast.AsyncFunctionDef) and not m.name.startswith("__") for m in n.body) > 20
    ]
    assert (long_files, long_functions, long_classes, crowded) == ([], [], [], [])
    assert len((SRC / "engine.py").read_text().splitlines()) <= 300


def test_functions_take_few_positional_parameters():
    offenders = []
    for path, node in definitions((ast.FunctionDef, ast.AsyncFunctionDef)):
        positional = [a.arg for a in node.args.posonlyargs + node.args.args if a.arg not in {"self", "cls"}]
        if len(positional) > (5 if node.name.startswith("_") else 4):
            offenders.append((path.name, node.name, positional))
    assert offenders == []


def test_ports_are_small():
    protocols = [
        n for p, n in definitions(ast.ClassDef) if p.name == "ports.py" and any("Protocol" in ast.unparse(b) for b in n.bases)
    ]
    assert protocols
    assert [n.name for n in protocols if sum(isinstance(m, ast.FunctionDef | ast.AsyncFunctionDef) for m in n.body) > 8] == []


def test_imports_stand_at_the_top():
    """Only the lazy door and the plug-in table import inside functions, and adapters of optional extras."""
    offenders = []
    for path, function in definitions((ast.FunctionDef, ast.AsyncFunctionDef)):
        inner = [n for n in ast.walk(function) if isinstance(n, ast.Import | ast.ImportFrom)]
        if inner and path.name not in {"plugins.py", "__init__.py"} and room(path) not in {"providers", "cli"}:
            offenders.append((path.name, function.name))
    assert offenders == []


def test_backend_and_provider_names_stay_in_their_rooms():
    names = re.compile(r"\b(sqlite|apsw|postgres\w*|onnx\w*|minilm|bpe_openai|httpx|redis)\b", re.IGNORECASE)
    offenders = []
    for path in FILES:
        if room(path) in {"stores", "providers", "plugins"}:
            continue
        for node in nodes(path):
            if isinstance(node, ast.Name | ast.Attribute | ast.alias):
                word = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", "")
                if names.search(word):
                    offenders.append((path.name, word))
    assert offenders == []


def test_environment_is_read_in_settings_only():
    offenders = [
        path.name
        for path in FILES
        if path.name != "settings.py"
        and any(isinstance(n, ast.Attribute) and n.attr in {"environ", "getenv"} for n in nodes(path))
    ]
    assert offenders == []


def test_broad_excepts_are_rare_and_never_swallow():
    offenders, count = [], 0
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.ExceptHandler) and (
                node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"}
            ):
                count += 1
                used = node.name and any(isinstance(n, ast.Name) and n.id == node.name for s in node.body for n in ast.walk(s))
                raises = any(isinstance(n, ast.Raise) for s in node.body for n in ast.walk(s))
                if not (used or raises):
                    offenders.append((path.name, node.lineno))
    lines = sum(len(p.read_text().splitlines()) for p in FILES)
    assert offenders == []
    assert count <= max(3, lines / 1000)


def test_no_word_of_forbidden_names():
    banned = re.compile(r"(Manager|Helper|Handler|Utils)$")
    assert [n.name for _, n in definitions(ast.ClassDef) if banned.search(n.name)] == []
    assert [p.name for p in FILES if p.stem in {"utils", "common", "helpers", "base2"}] == []


def test_a_folder_exists_when_its_second_file_is_needed():
    lonely = [
        str(folder.relative_to(SRC))
        for folder in SRC.rglob("*")
        if folder.is_dir()
        and folder.name != "__pycache__"
        and len([f for f in folder.iterdir() if f.name not in {"__pycache__", "__init__.py"}]) < 1
    ]
    assert lonely == []


def test_nothing_patches_or_mocks():
    words = re.compile(r"\b(MagicMock|AsyncMock|unittest\.mock|mocker|monkeypatch\.setattr)\b")
    here = Path(__file__)
    assert [p.name for p in (ROOT / "tests").rglob("*.py") if p != here and words.search(p.read_text())] == []


def test_ruff_exceptions_have_reasons():
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    offenders = [line for line in lines if re.match(r'\s+"[A-Z]{1,4}\d*",?\s*$', line)]
    assert offenders == []
    bare = [(p.name, line) for p in FILES for line in p.read_text().splitlines() if re.search(r"# noqa(: [A-Z0-9, ]+)?$", line)]
    assert bare == []


def test_version_is_the_changelogs_newest():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    newest = re.search(r"^## \[?(\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest
    assert newest.group(1) == version
