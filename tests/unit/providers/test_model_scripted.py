"""The scripted model: it sees the prompt alone, answers the same the same way, and follows its script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import InputError, MissingExtra, ProviderError
from muniment.providers.models import GgufModel, ScriptedModel, open_model
from muniment.providers.models.gguf import packaged
from muniment.providers.models.scripted import UNKNOWN, Script, script

FACT = "The pressure sensor is recalibrated by the function kelvor_tani."
NEAR = "A pressure sensor drifts while it is cold."
QUESTION = "Which function recalibrates the pressure sensor?"


def said(words, *blocks, question=QUESTION, first=False, seed=1):
    parts = (question, *blocks) if first else (*blocks, question)
    model = ScriptedModel(script(words))
    return model.answer([{"role": "user", "content": "\n\n".join(parts)}], max_tokens=20, seed=seed)


def fillers(count):
    return [f"Filler number {place} says nothing." for place in range(count)]


def test_it_finds_the_name_the_question_asks_for():
    other = "The brake of the arm is released by the function dramit_solpe."
    assert "kelvor_tani" in said("", other, FACT).text
    assert "dramit_solpe" in said("", other, FACT, question="Which function releases the brake of the arm?").text


def test_it_knows_nothing_that_is_not_in_the_prompt():
    assert said("", *fillers(3)).text == UNKNOWN
    assert said("").text == UNKNOWN


@pytest.mark.parametrize("place", range(6))
def test_it_finds_nothing_from_the_cliff_on(place):
    blocks = fillers(5)
    blocks.insert(place, FACT)
    assert ("kelvor_tani" in said("cliff=3", *blocks).text) is (place < 3)
    assert ("kelvor_tani" in said("cliff=3,before=5", *blocks, first=True).text) is (place < 5)


def test_a_bump_and_related_blocks_lift_a_low_curve():
    blocks = [*fillers(2), FACT, *fillers(2)]
    assert said("cliff=0", *blocks).text == UNKNOWN
    assert "kelvor_tani" in said("cliff=0,bump=2,bump_end=2,lift=1", *blocks).text
    assert said("cliff=0,bump=3,bump_end=4,lift=1", *blocks).text == UNKNOWN
    assert said("cliff=0,related=1", *blocks).text == UNKNOWN
    assert "kelvor_tani" in said("cliff=0,related=1", *fillers(2), FACT, NEAR, *fillers(1)).text


@given(st.text(max_size=200), st.integers(0, 9))
def test_the_same_prompt_and_seed_get_the_same_answer(text, seed):
    assert said("near=0.5", text, FACT, seed=seed) == said("near=0.5", text, FACT, seed=seed)


def test_a_chance_is_kept_over_many_seeds():
    found = sum("kelvor_tani" in said("near=0.3", FACT, seed=seed).text for seed in range(500))
    assert 0.24 * 500 < found < 0.36 * 500


def tool(name):
    return {"type": "function", "function": {"name": name}}


@pytest.mark.parametrize(
    ("words", "tools", "blocks", "called"),
    [
        ("", ["close_account"], [], True),
        ("", ["other_tool"], [], False),
        ("stray=1", ["other_tool"], [], True),
        ("", ["close_account"], ["You must not use close_account. Do not call close_account."], False),
        ("obey=0", ["close_account"], ["You must not use close_account. Do not call close_account."], True),
    ],
)
def test_it_calls_tools_as_its_script_says(words, tools, blocks, called):
    model = ScriptedModel(script(words))
    content = "\n\n".join([*blocks, "Close it. Will you call close_account?"])
    answer = model.answer([{"role": "user", "content": content}], [tool(name) for name in tools], max_tokens=9, seed=1)
    assert [call.name for call in answer.calls] == (["close_account"] if called else [])


def test_an_answer_is_no_longer_than_asked_for():
    model = ScriptedModel(Script())
    assert model.answer([{"role": "user", "content": f"{FACT}\n\n{QUESTION}"}], max_tokens=1, seed=1).text == "It"


def test_a_closed_model_says_so():
    model = ScriptedModel(Script())
    model.close()
    with pytest.raises(ProviderError):
        model.answer([], max_tokens=1, seed=1)


@pytest.mark.parametrize(
    ("words", "hint"),
    [("clif=7", "cliff"), ("nothing=1", "There are"), ("cliff=x", "cliff=7"), ("far=1.5", "0 to 1"), ("cliff", "cliff=7")],
)
def test_a_script_that_is_none_is_refused_with_the_right_form(words, hint):
    with pytest.raises(InputError) as caught:
        script(words)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("name", "code", "hint"),
    [
        ("scriped:cliff=7", "model_unknown", "scripted"),
        ("gpt-x", "model_unknown", "openai:NAME"),
        ("openai:gpt-x", "key_missing", "MUNIMENT_MODEL_KEY"),
        ("openai:@https://host/v1", "model_invalid", "openai:NAME"),
        ("gguf:", "model_invalid", "gguf:FILE"),
        ("gguf:nowhere.gguf", "model_missing", "smollm2"),
    ],
)
def test_a_name_that_opens_nothing_is_refused_with_the_right_form(name, code, hint):
    with pytest.raises(InputError) as caught:
        open_model(name)
    assert caught.value.reason == code
    assert hint in caught.value.hint


def test_a_file_of_another_form_is_refused(tmp_path):
    (tmp_path / "model.gguf").write_bytes(b"PK\3\4 and more")
    with pytest.raises(InputError) as caught:
        GgufModel(str(tmp_path / "model.gguf"))
    assert caught.value.reason == "model_invalid"


@pytest.mark.slow
def test_the_packaged_model_finds_a_name_in_a_short_prompt():
    pytest.importorskip("xllamacpp", reason="the extra `gguf` is not installed")
    try:
        packaged("smollm2")
    except MissingExtra as error:
        pytest.skip(f"{error.message} {error.hint}")
    model = GgufModel("smollm2", threads=1)
    try:
        prompt = [{"role": "user", "content": f"{FACT}\n\n{QUESTION} Answer with its name alone."}]
        first, again = (model.answer(prompt, max_tokens=32, seed=1) for _ in range(2))
        assert "kelvor_tani" in first.text.casefold()
        assert first == again
        assert first.prompt_tokens > 20
        with pytest.raises(ProviderError):
            model.answer([{"role": "user", "content": "word " * 9000}], max_tokens=4, seed=1)
    finally:
        model.close()
    with pytest.raises(ProviderError):
        model.answer(prompt, max_tokens=4, seed=1)
