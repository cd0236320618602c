"""One string names a part; a wrong string shows the right one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from muniment import plugins
from muniment.errors import InputError, MunimentError, StoreUnusable
from muniment.plugins import open_embedder, open_store, open_tokens, shown_url
from muniment.providers.embedders.local import is_installed

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"

needs_local = pytest.mark.skipif(not is_installed(), reason="the extra `local` is not installed")


async def test_a_memory_store_opens(tmp_path):
    store = await open_store("memory://")
    assert (await store.stats(None)).records == 0
    await store.close()


async def test_a_sqlite_url_is_relative_with_three_slashes_and_absolute_with_four(tmp_path, monkeypatch):
    pytest.importorskip("muniment.stores.sqlite")
    monkeypatch.chdir(tmp_path)
    for url, path in [
        ("sqlite:///near.db", tmp_path / "near.db"),
        (f"sqlite:///{tmp_path}/far%20away.db", tmp_path / "far%20away.db"),
    ]:
        store = await open_store(url)
        await store.close()
        assert path.exists()


@pytest.mark.parametrize(
    ("url", "right"),
    [
        ("agent.db", "sqlite:///agent.db"),
        ("/var/lib/agent.db", "sqlite:////var/lib/agent.db"),
        (r"C:\data\agent.db", r"sqlite:///C:\data\agent.db"),
        ("sqlite:agent.db", "sqlite:///agent.db"),
        ("sqlite://agent.db", "sqlite:///agent.db"),
        ("sqlite:/var/lib/agent.db", "sqlite:////var/lib/agent.db"),
        ("sqlite:///", "memory://"),
        ("sqlite:///:memory:", "memory://"),
        ("sqlite:///~/agent.db", "sqlite:////full/path/file.db"),
        ("sqlite:///agent.db?mode=ro", "sqlite:///file.db"),
        ("sqlite:///a\x00b.db", "sqlite:///file.db"),
        ("memory://agent", "memory://"),
        ("memory:", "memory://"),
        ("SQLite:///agent.db", "'sqlite'"),
        ("sqllite:///agent.db", "'sqlite'"),
        ("mysql://ana:secret@host/db", "sqlite, postgresql"),
        ("postgresql://ana:secret@host", "postgresql://USER"),
        ("postgresql://ana:secret@host:port/db", "postgresql://USER"),
        ("postgres://ana:secret@[host/db", "postgresql://USER"),
        ("", "sqlite:///file.db"),
    ],
)
async def test_a_wrong_store_url_names_the_right_form(url, right):
    with pytest.raises(StoreUnusable) as caught:
        await open_store(url)
    assert right in caught.value.hint
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("sqlite:////a@b:c@d.db?x", "sqlite:////a@b:c@d.db?x"),
        ("postgresql://ana:se/cr@et@host:1/db?password=x", "postgresql://ana@host:1/db"),
        ("postgresql://ana@host/db", "postgresql://ana@host/db"),
        ("other://:secret@host", "other://@host"),
    ],
)
def test_a_url_is_shown_without_its_password(url, shown):
    assert shown_url(url) == shown


@pytest.mark.parametrize("name", [None, "none"])
def test_no_embedder_is_a_choice(name):
    assert open_embedder(name) is None


async def test_hashed_needs_nothing():
    embedder = open_embedder("hashed")
    assert (await embedder.query("kiln")).shape == (embedder.dim,)
    await embedder.close()


@needs_local
@pytest.mark.parametrize("name", ["local", "auto"])
async def test_auto_is_the_local_model_where_it_is_installed(name):
    embedder = open_embedder(name)
    assert embedder.dim == 384
    await embedder.close()


def test_N03_without_the_local_model_auto_searches_words_alone_and_local_says_what_to_install(tmp_path):
    """In a process of its own that cannot see the optional packages."""
    for package in (Path(plugins.__file__).parent, numpy := Path(np.__file__).parent, numpy.with_name("numpy.libs")):
        if package.exists():
            (tmp_path / package.name).symlink_to(package)
    code = f"""
import sys
sys.path[:] = [{str(tmp_path)!r}] + [p for p in sys.path if "site-packages" not in p]
from muniment.errors import MissingExtra
from muniment.plugins import open_embedder
assert open_embedder("auto") is None
for name, extra in [("local", "local"), ("onnx:a#b", "local"), ("https://host/v1#m?dim=4", "http")]:
    try:
        open_embedder(name)
    except MissingExtra as error:
        assert f"muniment[{{extra}}]" in error.hint, error.hint
    else:
        raise AssertionError(name)
"""
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("locl", "'local'"),
        ("Local", "'local'"),
        ("", "auto, none, local"),
        ("sentence-transformers", "auto, none, local"),
        ("local:big", "Write local."),
        ("none:", "Write none."),
        ("hashed:512", "Write hashed."),
        ("auto:x", "Write auto."),
        ("onnx:model.onnx", "onnx:/path/model.onnx#/path/tokenizer.json"),
        ("onnx:#tokenizer.json", "onnx:/path/model.onnx#/path/tokenizer.json"),
        ("openai:text-embedding-3-small", "OPENAI_API_KEY"),
        ("http://host/v1", "https://host/v1#MODEL"),
        ("https://host/v1#m", "?dim=N"),
        ("https://host/v1#m?dim=", "?dim=N"),
        ("https://host/v1#m?dim=big", "?dim=N"),
        ("https://host/v1#m?dim=4&dimensions=4", "?dim=N"),
        ("https://host/v1#m?size=4", "?dim=N"),
        ("https://#m?dim=4", "https://host/v1"),
    ],
)
def test_a_wrong_embedder_name_says_what_is_right(name, hint):
    with pytest.raises(InputError) as caught:
        open_embedder(name)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("openai:text-embedding-3-small", "http:api.openai.com/v1:text-embedding-3-small:1536"),
        ("openai:text-embedding-3-large?dimensions=256", "http:api.openai.com/v1:text-embedding-3-large:256"),
        ("https://host/v1#org/model:tag?dim=768", "http:host/v1:org/model:tag:768"),
        ("http://127.0.0.1:11434/v1#nomic?dim=768", "http:127.0.0.1:11434/v1:nomic:768"),
        ("http:https://host/v1#m?dim=4", "http:host/v1:m:4"),
    ],
)
async def test_a_service_is_named_by_address_model_and_size(name, identity):
    pytest.importorskip("httpx")
    embedder = open_embedder(name, key="sk-test-1")
    assert embedder.identity == identity
    assert "sk-test-1" not in repr(embedder)
    await embedder.close()


@pytest.mark.parametrize("name", ["estimate", "auto", "o200k", "cl100k"])
def test_token_counters_are_named(name):
    pytest.importorskip("muniment.providers.tokens")
    if name in {"o200k", "cl100k"}:
        pytest.importorskip("bpe_openai")
    counter = open_tokens(name)
    assert counter.count("some words of a text") > 0


@pytest.mark.parametrize(("name", "hint"), [("o200", "'o200k'"), ("gpt", "auto, estimate"), ("", "auto, estimate")])
def test_a_wrong_counter_name_says_what_is_right(name, hint):
    with pytest.raises(InputError) as caught:
        open_tokens(name)
    assert hint in caught.value.hint


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package that offers parts, as pip would: a module and its entry points on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def installed(name, *, entries, code=""):
        (tmp_path / f"{name}.py").write_text(code)
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = "".join(f"[{group}]\n{entry} = {target}\n" for group, entry, target in entries)
        (info / "entry_points.txt").write_text(lines)

    return installed


CODE = """
from muniment.providers.embedders.hashed import HashedEmbedder
from muniment.stores.memory import MemoryStore

async def store(url):
    made = MemoryStore()
    made.url = url
    return made

def embedder(name, key):
    made = HashedEmbedder(32)
    made.asked = (name, key)
    return made

class Words:
    name, exact = "words", True
    def __init__(self, name): pass
    def count(self, text): return len(text.split())
"""


async def test_an_installed_package_offers_parts_under_its_own_names(install):
    install(
        "clayware",
        code=CODE,
        entries=[
            ("muniment.stores", "clay", "clayware:store"),
            ("muniment.embedders", "glaze", "clayware:embedder"),
            ("muniment.tokens", "words", "clayware:Words"),
        ],
    )
    store = await open_store("clay://host/shelf")
    assert store.url == "clay://host/shelf"
    await store.close()
    assert open_embedder("glaze:matt", key="k").asked == ("glaze:matt", "k")
    assert open_tokens("words").count("two words") == 2
    with pytest.raises(InputError) as caught:
        open_embedder("glase")
    assert "'glaze'" in caught.value.hint


async def test_a_package_cannot_take_the_name_of_a_built_in_part(install):
    install("usurper", code="raise SystemExit", entries=[("muniment.embedders", "hashed", "usurper:embedder")])
    assert open_embedder("hashed").dim == 256


def test_two_packages_with_one_name_are_an_error(install):
    for name in ("first_ware", "second_ware"):
        install(name, code=CODE, entries=[("muniment.embedders", "glaze", f"{name}:embedder")])
    with pytest.raises(InputError) as caught:
        open_embedder("glaze")
    assert caught.value.reason == "plugin_ambiguous"


@pytest.mark.parametrize("target", ["broken_ware:embedder", "absent_ware:embedder"])
def test_a_package_that_does_not_load_is_a_clear_error(install, target):
    install("broken_ware", entries=[("muniment.embedders", "glaze", target)])
    with pytest.raises(MunimentError) as caught:
        open_embedder("glaze")
    assert caught.value.reason == "plugin_broken"


def test_every_built_in_name_is_documented():
    text = PAGE.read_text(encoding="utf-8")
    for table in (plugins._STORES, plugins._EMBEDDERS, plugins._TOKENS):
        for name in table:
            assert re.search(rf"`{name}\b", text), name
