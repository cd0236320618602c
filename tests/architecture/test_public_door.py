"""What is promised: the public names, that they are documented, and that pure use loads nothing more."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import muniment
from muniment import engine, opening, sync


def test_public_names_are_sorted_and_real():
    assert muniment.__all__ == sorted(muniment.__all__)
    for name in muniment.__all__:
        assert getattr(muniment, name) is not None
    assert set(dir(muniment)) == set(muniment.__all__)


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(muniment, "Rampart")


def test_compile_stays_the_verb_whatever_was_imported():
    code = "import muniment.compile.render, muniment.engine, muniment; assert callable(muniment.compile)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_exported_names_have_docstrings():
    missing = [name for name in muniment.__all__ if not inspect.getdoc(getattr(muniment, name))]
    public = [m for cls in (engine.Engine, sync.Engine) for n, m in vars(cls).items() if not n.startswith("_") and callable(m)]
    assert missing == []
    assert [m.__qualname__ for m in public if not m.__doc__] == []


# What a start may not load: modules, with all that is inside them.
NEVER_AT_START = (
    "yaml",
    "apsw",
    "sqlite3",
    "httpx",
    "onnxruntime",
    "tokenizers",
    "importlib.metadata",
    "muniment.architect.proposing",
    "muniment.architect.rules_read",
    "muniment.architect.rules_usecase",
    "muniment.text.strict_yaml",
    "muniment.ingest.extract.rules_extract",
    "muniment.ingest.model.step",
    "muniment.cli.call",
    "muniment.probe",
    "muniment.seedfiles",
    "muniment.registry.lint",
    "muniment.registry.seeds",
    "muniment.stores",
    "muniment.sync",
    "muniment.testing",
)
NEVER_WITHOUT_AN_ENGINE = (
    *NEVER_AT_START,
    "asyncio",
    "numpy",
    "muniment.engine",
    "muniment.ports",
    "muniment.providers",
    "muniment.plugins",
    "muniment.retrieve",
    "muniment.ingest",
    "muniment.architect",
    "muniment.curate",
    "muniment.forget",
    "muniment.text.times",
)
STARTS = {
    "import muniment": (*NEVER_WITHOUT_AN_ENGINE, "click", "muniment.cli"),
    "from muniment import Registry, compile\nRegistry().write('Be brief.', name='rule')": (*NEVER_WITHOUT_AN_ENGINE, "click"),
    "import muniment.engine": (*NEVER_AT_START, "click", "muniment.cli"),
    "from muniment.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass": NEVER_WITHOUT_AN_ENGINE,
}


@pytest.mark.parametrize("start", STARTS, ids=["muniment", "blocks", "engine", "help"])
def test_a_start_loads_only_what_it_uses(start):
    code = f"{start}\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    barred = [name for name in done.stderr.split() for root in STARTS[start] if f"{name}.".startswith(f"{root}.")]
    assert barred == []


def test_no_rule_of_time_is_compiled_before_a_text_tells_time():
    code = "from muniment.text.times.resolving import _RULES\nassert _RULES and not [r for r in _RULES if 'pattern' in vars(r)]"
    subprocess.run([sys.executable, "-c", code], check=True)


def surface(cls):
    methods = {}
    for name, member in vars(cls).items():
        if not name.startswith("_") and inspect.isfunction(member):
            signature = inspect.signature(member)
            methods[name] = [(p.name, p.kind, p.default) for p in signature.parameters.values()]
    return methods


ASYNC_ONLY = {"close"}  # the context manager does these for the blocking engine


def test_the_blocking_engine_has_the_same_surface():
    ours, theirs = surface(engine.Engine), surface(sync.Engine)
    for name in ASYNC_ONLY:
        ours.pop(name)
    assert ours == theirs
    assert surface_of(opening.open) == surface_of(sync.open)


def surface_of(function):
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]
