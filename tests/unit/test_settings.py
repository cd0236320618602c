"""Settings come from one place, in a fixed order, and never by guessing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from muniment.errors import InputError, ScopeError
from muniment.settings import CONFIG, KEY, MODEL_KEY, NAMES, OPENAI_KEY, Settings, load, model_key

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"


@pytest.fixture
def read(tmp_path):
    """Load from exactly these sources, and nothing of the machine the test runs on."""

    def loaded(given=None, *, env=None, file=None, config=None):
        if file is not None:
            (tmp_path / "muniment.toml").write_text(file, encoding="utf-8")
        return load(given, config=config, environ=env or {}, folder=tmp_path)

    return loaded


def refused(read, **sources):
    with pytest.raises(InputError) as caught:
        read(sources.pop("given", None), **sources)
    assert caught.value.hint
    return caught.value


def test_nothing_set_gives_the_defaults_and_no_scope(read):
    assert read() == Settings(sources=read().sources)
    assert (read().client, read().customer, read().user) == (None, None, None)
    assert read().store == "sqlite:///muniment.db"


def test_by_hand_wins_over_environment_over_file_over_default(read):
    file = 'store = "sqlite:///file.db"\nuser = "file"\nagent = "file"\n'
    env = {"MUNIMENT_USER": "env", "MUNIMENT_AGENT": "env"}
    found = read({"agent": "hand", "tokens": None}, env=env, file=file)
    assert (found.agent, found.user, found.store, found.tokens) == ("hand", "env", "sqlite:///file.db", "auto")
    assert found.sources["agent"] == "agent"
    assert found.sources["user"] == "MUNIMENT_USER"
    assert "muniment.toml" in found.sources["store"]
    assert "tokens" not in found.sources


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_can_come_from_each_source(read, name):
    values = {"store": "memory://", "embedder": "hashed", "tokens": "estimate", "model": "none", "reranker": "late"}
    value = values.get(name, "ana")
    assert getattr(read({name: value}), name) == value
    assert getattr(read(env={f"MUNIMENT_{name.upper()}": value}), name) == value
    assert getattr(read(file=f'{name} = "{value}"'), name) == value


@pytest.mark.parametrize("name", [*NAMES, "config", "embedder_key"])
@pytest.mark.parametrize("empty", ["", "  "])
def test_vector_53_an_empty_variable_is_an_error_and_never_unset(read, name, empty):
    error = refused(read, env={f"MUNIMENT_{name.upper()}": empty})
    assert error.place == f"MUNIMENT_{name.upper()}"


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_value_in_the_file_or_by_hand_is_an_error(read, name):
    assert name in refused(read, file=f'{name} = ""').place
    assert refused(read, given={name: ""}, file="").place == name


@pytest.mark.parametrize(
    ("variable", "meant"),
    [("MUNIMENT_COSTUMER", "MUNIMENT_CUSTOMER"), ("MUNIMENT_USERS", "MUNIMENT_USER"), ("MUNIMENT_EMBEDER", "MUNIMENT_EMBEDDER")],
)
def test_a_misspelt_variable_cannot_widen_the_scope(read, variable, meant):
    assert meant in refused(read, env={variable: "acme", "MUNIMENT_CLIENT": "k"}).hint


def test_variables_of_others_are_left_alone(read):
    assert read(env={"MUNIMENT_DATA": "", "PATH": "", "USER": "root", OPENAI_KEY: ""}) == read()


def test_an_unknown_key_in_the_file_is_an_error_with_a_suggestion(read):
    error = refused(read, file='embeder = "local"')
    assert "embeder" in error.message
    assert "'embedder'" in error.hint
    assert "muniment.toml" in error.place
    assert "store" in refused(read, file='colour = "red"').hint


def test_an_unknown_name_by_hand_is_an_error(read):
    assert "'user'" in refused(read, given={"usr": "ana"}).hint


@pytest.mark.parametrize(
    ("file", "line"), [('store = "a"\nuser = \n', "line 2"), ('user = "a"\nuser = "b"\n', "line 2"), ('a = "', "line")]
)
def test_broken_toml_names_its_line(read, file, line):
    error = refused(read, file=file)
    assert line in error.message
    assert "muniment.toml" in error.place


@pytest.mark.parametrize("value", ["3", "true", '["ana"]', '{ name = "ana" }', "2026-01-01"])
def test_a_value_that_is_not_text_is_an_error(read, value):
    assert "user" in refused(read, file=f"user = {value}").message


def test_a_file_that_is_not_text_is_an_error(read, tmp_path):
    path = tmp_path / "odd.toml"
    path.write_bytes(b'user = "\xff"')
    assert refused(read, config=path).place == str(path)


def test_a_named_file_replaces_the_found_one_and_must_exist(read, tmp_path):
    named = tmp_path / "named.toml"
    named.write_text('\ufeffuser = "named"', encoding="utf-8")
    assert read(file='user = "found"').user == "found"
    assert read(config=named).user == "named"
    assert read(config=str(named)).user == "named"
    assert read(env={CONFIG: str(named)}).user == "named"
    assert refused(read, config=tmp_path / "absent.toml").reason == "config_missing"
    assert refused(read, env={CONFIG: str(tmp_path)}).reason == "config_missing"


@pytest.mark.parametrize("value", ["a/b", "..", " ana", "null", "e\u0301"])
def test_ids_are_checked_where_they_came_from(read, value):
    with pytest.raises(ScopeError) as caught:
        read(env={"MUNIMENT_USER": value})
    assert caught.value.place == "MUNIMENT_USER"


def test_a_key_comes_from_the_environment_and_goes_to_its_own_service(read):
    both = {KEY: "ours-123", OPENAI_KEY: "theirs-456"}
    assert read(env=both).embedder_key == "ours-123"
    assert read({"embedder": "openai:text-embedding-3-small"}, env=both).embedder_key == "ours-123"
    assert read({"embedder": "openai:text-embedding-3-small"}, env={OPENAI_KEY: "theirs-456"}).embedder_key == "theirs-456"
    assert read({"embedder": "https://models.example/v1#m"}, env={OPENAI_KEY: "theirs-456"}).embedder_key is None


def test_a_models_key_goes_to_its_own_service():
    both = {MODEL_KEY: "ours-123", OPENAI_KEY: "theirs-456"}
    assert model_key("openai:m", both) == model_key("openai:m@https://models.example/v1", both) == "ours-123"
    assert model_key("openai:m", {OPENAI_KEY: "theirs-456"}) == "theirs-456"
    assert model_key("openai:m@https://models.example/v1", {OPENAI_KEY: "theirs-456"}) is None
    with pytest.raises(InputError):
        model_key("openai:m", {MODEL_KEY: ""})


def test_vector_53_an_empty_key_of_the_service_that_was_chosen_is_an_error(read):
    assert refused(read, given={"embedder": "openai:m"}, env={OPENAI_KEY: ""}).place == OPENAI_KEY


@pytest.mark.parametrize("name", ["embedder_key", "openai_api_key"])
def test_a_key_is_not_taken_from_a_file_or_an_option(read, name):
    assert KEY in refused(read, file=f'{name} = "sk-secret-1"').hint
    assert "sk-secret-1" not in str(refused(read, given={name: "sk-secret-1"}))


def test_a_key_is_never_shown(read):
    found = read(env={KEY: "sk-secret-1"})
    assert "sk-secret-1" not in repr(found)
    assert "sk-secret-1" not in repr(found.sources)
    assert "sk secret" not in str(refused(read, env={KEY: "sk secret 1"}))


AWAY = [
    ("embedder", "openai:text-embedding-3-small"),
    ("embedder", "http://collector.example/v1#m?dim=4"),
    ("embedder", "onnx:model.onnx#tokenizer.json"),
    ("store", "postgresql://collector.example/memory"),
    ("model", "openai:m@https://collector.example/v1"),
    ("model", "gguf:model.gguf"),
    ("reranker", "onnx:model.onnx#tokenizer.json"),
    ("reranker", "model:openai:m@https://collector.example/v1"),
]


@pytest.mark.parametrize(("name", "value"), AWAY)
def test_vector_55_a_file_that_was_merely_found_sends_nothing_away(read, tmp_path, name, value):
    error = refused(read, file=f'{name} = "{value}"')
    assert error.reason == "setting_refused"
    assert f"MUNIMENT_{name.upper()}" in error.hint
    assert getattr(read(config=tmp_path / "muniment.toml"), name) == value
    assert getattr(read(env={CONFIG: str(tmp_path / "muniment.toml")}), name) == value


def test_settings_cannot_be_changed(read):
    with pytest.raises(FrozenInstanceError):
        read().user = "ana"
    with pytest.raises(TypeError):
        read().sources["user"] = "x"


def test_without_arguments_the_real_environment_and_folder_are_read(tmp_path):
    (tmp_path / "muniment.toml").write_text('customer = "globex"')
    code = "from muniment.settings import load; s = load(); print(s.user, s.customer)"
    env = {**{k: v for k, v in os.environ.items() if not k.startswith("MUNIMENT_")}, "MUNIMENT_USER": "ana"}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["ana", "globex"]


def documented():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.+?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: (variable, default) for name, variable, default in rows}


def test_every_setting_is_documented_with_its_variable_and_default():
    rows = documented()
    for setting in fields(Settings):
        if setting.name == "sources":
            continue
        variable, default = rows.pop(setting.name)
        assert variable == f"MUNIMENT_{setting.name.upper()}"
        assert default == ("not set" if setting.default is None else f"`{setting.default}`")
    assert rows == {}
    for variable in (CONFIG, KEY, MODEL_KEY, OPENAI_KEY):
        assert f"`{variable}`" in PAGE.read_text(encoding="utf-8")


def test_the_key_of_a_store_comes_by_hand_or_from_the_environment_and_never_from_a_file(read):
    assert read({"key": "mun_a_b"}, env={"MUNIMENT_KEY": "mun_c_d"}).key == "mun_a_b"
    found = read(env={"MUNIMENT_KEY": "mun_c_d"})
    assert found.key == "mun_c_d"
    assert "mun_c_d" not in repr(found)
    assert refused(read, env={"MUNIMENT_KEY": " "}).place == "MUNIMENT_KEY"
    error = refused(read, file='key = "mun_a_b"')
    assert "MUNIMENT_KEY" in error.hint
    assert "mun_a_b" not in str(error)
