"""The error tree: as drawn, with stable codes and next steps, and no class that nothing raises or nothing tests."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path

import pytest

from muniment import errors
from muniment.errors import MunimentError, ScopeError, StoreError, install

ROOT = Path(__file__).parents[2]
CLASSES = {name: cls for name, cls in vars(errors).items() if inspect.isclass(cls) and issubclass(cls, MunimentError)}
LEAVES = sorted(name for name, cls in CLASSES.items() if not cls.__subclasses__())


def drawn() -> dict[str, str]:
    """Each class of the drawing and the class it hangs on."""
    above: list[tuple[int, str]] = []
    tree = {}
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"([│├└─ ]*)([A-Z]\w+)(?: {2,}\S|$)", line)
        if match:
            depth, name = len(match[1]), match[2]
            above = [(d, n) for d, n in above if d < depth]
            tree[name] = above[-1][1] if above else "Exception"
            above.append((depth, name))
    return tree


def test_the_tree_is_as_drawn():
    assert drawn() == {name: cls.__bases__[0].__name__ for name, cls in CLASSES.items()}


def test_every_error_has_one_code_of_its_own_and_says_what_happened():
    codes = [cls.code for cls in CLASSES.values()]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", code) for code in codes)
    assert [name for name, cls in CLASSES.items() if not cls.__dict__.get("__doc__")] == []


@cache
def names_raised() -> set[str]:
    """Classes that the package raises, or builds for a caller to raise."""
    calls = [
        n
        for path in (ROOT / "src").rglob("*.py")
        for n in ast.walk(ast.parse(path.read_text()))
        if isinstance(n, ast.Call | ast.Raise)
    ]
    named = [n.func if isinstance(n, ast.Call) else n.exc for n in calls]
    return {ast.unparse(name).rpartition(".")[2] for name in named if name is not None}


@cache
def names_tested() -> set[str]:
    """Classes that a test expects: as an argument of pytest.raises, in an isinstance, or in a table of expectations."""
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "src/muniment/testing/conformance").rglob("*.py")]
    return {
        node.id
        for path in files
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(("raises", "isinstance", "param", "parametrize"))
        for node in ast.walk(call)
        if isinstance(node, ast.Name)
    }


@pytest.mark.parametrize("name", LEAVES)
def test_every_error_is_raised_somewhere(name):
    assert name in names_raised()


@pytest.mark.parametrize("name", LEAVES)
def test_every_error_is_expected_by_a_test(name):
    assert name in names_tested()


def test_an_error_reads_as_place_message_and_next_step():
    error = StoreError("the disk is on fire.", place="data.db", hint="Call somebody.")
    assert str(error) == "data.db: the disk is on fire. Call somebody."
    assert (error.message, error.hint, error.place, error.reason) == (
        "the disk is on fire.",
        "Call somebody.",
        "data.db",
        "store_error",
    )
    assert str(StoreError("the disk is on fire.")) == "the disk is on fire."


def test_a_code_may_be_narrowed_without_losing_its_class():
    error = ScopeError("no scope was given.", code="scope_required")
    assert (error.code, error.reason, ScopeError.code) == ("scope_required", "scope_required", "scope_invalid")


def test_one_except_catches_everything_raised_on_purpose():
    assert all(issubclass(cls, MunimentError) for cls in CLASSES.values())
    assert not issubclass(MunimentError, OSError | ValueError)


def test_an_extra_is_installed_from_the_registry_or_from_a_clone():
    assert install("http") == "pip install 'muniment[http]' (in a clone: pip install '.[http]')"
