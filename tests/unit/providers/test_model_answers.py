"""Models behind the port: any chat model off the event loop, and those of pydantic-ai. What they cost, and what errors tell."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from little_service import KEY, completion, reply, serving

from muniment import plugins
from muniment.errors import InputError, MissingExtra, ProviderError
from muniment.ports import Answer
from muniment.providers.models.answers import ChatAnswers
from muniment.providers.models.chat import Reply

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"memories": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}},
        "required": ["memories"],
        "additionalProperties": False,
    }
)


async def ask(model):
    return await model.ask("List them.", "the turns", schema=SCHEMA, max_tokens=50)


async def failure(model):
    with pytest.raises(ProviderError) as caught:
        await ask(model)
    assert caught.value.hint
    assert KEY not in f"{caught.value!s} {caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r}"
    return caught.value


class Told:
    """A chat model that keeps what it was told, and on which thread."""

    name = "told"

    def __init__(self, gate=None):
        self.told, self.closed, self.gate = [], False, gate

    def answer(self, messages, tools=(), *, max_tokens, seed, schema=""):
        self.told.append((messages, max_tokens, schema, threading.current_thread()))
        if self.gate:
            self.gate.wait(10)
        return Reply(text="[]", prompt_tokens=4, completion_tokens=1)

    def close(self):
        self.closed = True


async def test_a_chat_model_is_asked_off_the_event_loop_with_the_schema():
    chat = Told()
    model = ChatAnswers(chat)
    assert await ask(model) == Answer(text="[]", prompt_tokens=4, completion_tokens=1)
    [(messages, most, schema, thread)] = chat.told
    assert [message["content"] for message in messages] == ["List them.", "the turns"]
    assert (most, schema) == (50, SCHEMA)
    assert thread is not threading.current_thread()
    await model.close()
    assert chat.closed
    assert (await failure(model)).reason == "closed"


async def test_a_question_that_is_given_up_holds_up_no_loop():
    gate = threading.Event()
    model = ChatAnswers(Told(gate))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await ask(model)
    gate.set()
    await model.close()


async def test_a_service_is_opened_by_name_and_told_what_to_do():
    pytest.importorskip("httpx", reason="the extra `http` is not installed")
    with serving(reply(completion('{"memories": []}'))) as service:
        model = await asyncio.to_thread(plugins.open_model, f"openai:tiny@{service.url}", key=KEY)
        assert (await ask(model)).text == '{"memories": []}'
        assert service.asked[0]["response_format"]["type"] == "json_schema"
        assert service.headers[0]["Authorization"] == f"Bearer {KEY}"
        await model.close()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("openia:tiny", "model_unknown"),
        ("", "model_unknown"),
        ("none:x", "model_invalid"),
        ("gguf:", "model_invalid"),
        ("gguf:/nowhere.gguf", "model_missing"),
        ("openai:tiny", "key_missing"),
        ("openai:tiny@http://169.254.169.254/v1", "address_refused"),
    ],
)
def test_a_name_that_stands_for_no_model_says_what_to_write(name, code):
    with pytest.raises(InputError) as caught:
        plugins.open_model(name)
    assert caught.value.reason == code
    assert caught.value.hint


def test_no_model_is_a_choice():
    assert plugins.open_model(None) is plugins.open_model("none") is None


class TestAgents:
    """Through pydantic-ai, with its own models that answer as they are told."""

    @pytest.fixture(autouse=True)
    def _installed(self):
        pytest.importorskip("pydantic_ai", reason="the extra `models` is not installed")

    def agent(self, *answers, **options):
        from pydantic_ai.models.function import FunctionModel  # noqa: PLC0415  # an extra

        from muniment.providers.models.agents import AgentModel  # noqa: PLC0415  # beside it

        left = list(answers)

        def play(messages, info):
            said = left.pop(0)
            if isinstance(said, Exception):
                raise said
            return said(info) if callable(said) else said

        return AgentModel(FunctionModel(play, model_name="tiny"), **{"pause": 0.001, **options}), left

    def filled(self, items):
        from pydantic_ai.messages import ModelResponse, ToolCallPart  # noqa: PLC0415  # an extra

        return lambda info: ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, {"memories": items})])

    def words(self, text):
        from pydantic_ai.messages import ModelResponse, TextPart  # noqa: PLC0415  # an extra

        return ModelResponse(parts=[TextPart(text)])

    def refused(self, status, **headers):
        from pydantic_ai.exceptions import ModelHTTPError  # noqa: PLC0415  # an extra

        return ModelHTTPError(status, "tiny", {"error": f"bad key {KEY}"}, **headers)

    async def test_the_answer_is_json_of_the_schema_with_its_cost(self):
        model, _ = self.agent(self.filled([{"a": "Ünal"}]))
        answer = await ask(model)
        assert json.loads(answer.text) == {"memories": [{"a": "Ünal"}]}
        assert answer.prompt_tokens > 0
        assert answer.completion_tokens > 0
        assert "tiny" in model.name

    async def test_a_model_that_writes_words_is_not_asked_again_and_its_words_count(self):
        model, left = self.agent(self.words("Sorry, I cannot help with that."), self.filled([]))
        answer = await ask(model)
        assert answer.text == "Sorry, I cannot help with that."
        assert answer.completion_tokens > 0
        assert len(left) == 1

    async def test_vector_79_what_fails_in_passing_is_tried_again_within_bounds(self):
        model, left = self.agent(self.refused(503), self.refused(429), self.filled([]))
        assert json.loads((await ask(model)).text) == {"memories": []}
        assert left == []
        model, left = self.agent(*[self.refused(500)] * 9)
        assert (await failure(model)).reason == "service_refused"
        assert len(left) == 6

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
    async def test_a_lasting_refusal_is_not_repeated_and_tells_no_key(self, status):
        model, left = self.agent(self.refused(status), self.filled([]))
        error = await failure(model)
        assert (error.reason, str(status) in error.message, len(left)) == ("service_refused", True, 1)

    async def test_vector_79_a_model_that_hangs_runs_into_the_time_limit(self):
        from pydantic_ai.models.function import FunctionModel  # noqa: PLC0415  # an extra

        from muniment.providers.models.agents import AgentModel  # noqa: PLC0415  # beside it

        async def hang(messages, info):
            await asyncio.Event().wait()

        model = AgentModel(FunctionModel(hang), timeout=0.05, attempts=1)
        assert (await failure(model)).reason == "timeout"

    async def test_a_closed_model_says_so(self):
        model, _ = self.agent(self.filled([]))
        await model.close()
        assert (await failure(model)).reason == "closed"

    @pytest.mark.parametrize("name", ["ai:", "ai:x", "ai:anthropic", "ai:nobody:x", ":::", "ai::x"])
    def test_a_name_pydantic_ai_does_not_know_says_what_to_write(self, name):
        with pytest.raises(InputError) as caught:
            plugins.open_model(name, key=KEY)
        assert caught.value.hint
        assert KEY not in f"{caught.value} {caught.value.__cause__!r}"

    async def test_a_providers_model_opens_with_our_key_or_names_the_missing_package(self):
        try:
            model = plugins.open_model("ai:openai:tiny", key=KEY)
        except MissingExtra as missing:
            assert "openai" in missing.hint  # noqa: PT017  # either outcome is right, and each is checked
        else:
            assert KEY not in repr(model)
            await model.close()
