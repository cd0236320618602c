"""What is promised: the public names, that they are documented, and that pure use loads nothing more."""

from __future__ import annotations

import inspect
import subprocess
import sys

import muniment
from muniment import engine, sync


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


def test_registry_and_compile_load_no_store_engine_or_event_loop():
    code = (
        "import sys\n"
        "from muniment import Registry, compile\n"
        "registry = Registry()\n"
        "registry.write('Be brief.', name='rule')\n"
        "heavy = {'asyncio', 'apsw', 'numpy', 'onnxruntime', 'click', 'sqlite3'}\n"
        "rooms = ('stores', 'engine', 'sync', 'ports', 'providers', 'cli', 'retrieve', 'ingest')\n"
        "rooms = tuple('muniment.' + room for room in rooms)\n"
        "bad = [m for m in sys.modules if m in heavy or m.startswith(rooms)]\n"
        "assert not bad, bad\n"
    )
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
    assert surface_of(engine.open) == surface_of(sync.open)


def surface_of(function):
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]
