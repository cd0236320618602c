"""A chat model over HTTP: what is asked, what is believed, what errors tell. The service is a real one, on loopback."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from little_service import KEY, completion, reply, serving

from muniment.errors import InputError, ProviderError
from muniment.providers.models import HttpModel, open_model
from muniment.providers.models.http import ChatLimits

pytest.importorskip("httpx", reason="the extra `http` is not installed")

QUICK = ChatLimits(backoff=0.001, longest_wait=0.01, timeout=5)
ASKED = [{"role": "user", "content": "Which function?"}]


@pytest.fixture
def service():
    with serving(reply(completion())) as found:
        yield found


@pytest.fixture
def model(service):
    opened = HttpModel(service.url, "tiny", key=KEY, limits=QUICK)
    yield opened
    opened.close()


def ask(model, tools=()):
    return model.answer(ASKED, tools, max_tokens=16, seed=7)


def refusal(model, service, *replies):
    service.replies += replies
    with pytest.raises(ProviderError) as caught:
        ask(model)
    assert caught.value.hint
    assert KEY not in f"{caught.value!s} {caught.value.__cause__!r}"
    return caught.value.reason


def test_a_question_leaves_nothing_to_chance(model, service):
    answer = ask(model)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("kelvor_tani", 12, 3)
    assert service.asked == [{"model": "tiny", "messages": ASKED, "max_tokens": 16, "temperature": 0, "seed": 7}]
    assert service.paths == ["/v1/chat/completions"]
    assert service.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_calls_are_read_and_tools_are_sent(model, service):
    tool = {"type": "function", "function": {"name": "close_account", "parameters": {}}}
    call = {"id": "c1", "type": "function", "function": {"name": "close_account", "arguments": '{"target": "4711"}'}}
    service.replies.append(reply(completion(None, tool_calls=[call, {"function": 3}, "x"])))
    answer = ask(model, [tool])
    assert service.asked[0]["tools"] == [tool]
    [called] = answer.calls
    assert (answer.text, called.name, json.loads(called.arguments)) == ("", "close_account", {"target": "4711"})


def test_what_fails_in_passing_is_tried_again(model, service):
    service.replies += [reply({}, 503), reply({}, 429, **{"Retry-After": "0"})]
    assert ask(model).text == "kelvor_tani"
    assert len(service.asked) == 3


def test_retries_are_bounded(model, service):
    assert refusal(model, service, *[reply({}, 500)] * 9) == "service_refused"
    assert len(service.asked) == QUICK.attempts


@pytest.mark.parametrize("status", [400, 401, 403, 404, 302])
def test_a_refusal_that_will_stay_is_not_tried_again(model, service, status):
    assert (
        refusal(model, service, reply({"error": {"message": KEY}}, status, Location="http://127.0.0.1:1/")) == "service_refused"
    )
    assert len(service.asked) == 1


@pytest.mark.parametrize("content", [b"", b"<html>", [], {"choices": []}, {"choices": [{"message": "x"}]}, {"data": []}])
def test_something_else_than_an_answer_is_an_error(model, service, content):
    assert refusal(model, service, reply(content)) == "answer_malformed"


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": "many"}, {"prompt_tokens": -1, "completion_tokens": True}])
def test_tokens_that_make_no_sense_count_as_unknown(model, service, usage):
    service.replies.append(reply({**completion(), "usage": usage}))
    assert ask(model).prompt_tokens == 0


def test_an_endless_answer_is_cut_off(model, service):
    assert refusal(model, service, *[reply(b" " * 5_000_000)] * 4) == "answer_too_large"


def test_a_service_that_is_not_there_is_named(service):
    gone = HttpModel("http://127.0.0.1:9/v1", "tiny", limits=QUICK)
    assert refusal(gone, service) == "unreachable"
    gone.close()


def test_a_closed_model_says_so(model):
    model.close()
    with pytest.raises(ProviderError) as caught:
        ask(model)
    assert caught.value.reason == "closed"


def test_the_name_tells_the_model_and_never_the_key(model, service):
    assert model.name == f"http:{service.url.removeprefix('http://')}:tiny"
    assert KEY not in repr(model)


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("ftp://host/v1", "address_invalid"),
        ("https://user:word@host/v1", "address_invalid"),
        ("https://host/v1?key=1", "address_invalid"),
        ("https://", "address_invalid"),
        ("http://169.254.169.254/v1", "address_refused"),
        ("http://models.example/v1", "address_refused"),
    ],
)
def test_an_address_that_could_carry_the_key_away_is_refused(address, code):
    with pytest.raises(InputError) as caught:
        HttpModel(address, "tiny", key=KEY)
    assert caught.value.reason == code
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("key", ["", "two words", "schlüssel", "a\nb"])
def test_a_key_that_is_none_is_refused_and_not_shown(service, key):
    with pytest.raises(InputError) as caught:
        HttpModel(service.url, "tiny", key=key)
    assert caught.value.reason == "key_invalid"


def test_a_name_with_an_address_opens_that_service(service):
    opened = open_model(f"openai:tiny@{service.url}", key=KEY)
    assert ask(opened).text == "kelvor_tani"
    opened.close()


TOMORROW = format_datetime(datetime.now(UTC) + timedelta(days=1))


@pytest.mark.parametrize(
    "wait",
    ["0", "86400", "999999999999", "soon", "-1", "Mon, 99 Foo 2026", pytest.param(TOMORROW, id="tomorrow")],
)
def test_vector_79_a_service_cannot_make_us_wait_longer_than_our_limit(model, service, wait):
    service.replies.append(reply({}, 429, **{"Retry-After": wait}))
    assert ask(model).text == "kelvor_tani"
    assert len(service.asked) == 2


def test_vector_79_three_failures_then_an_answer_is_an_answer(model, service):
    service.replies += [reply({}, 500)] * 3
    assert ask(model).text == "kelvor_tani"


def test_vector_79_a_page_instead_of_an_answer_is_an_error_at_once(model, service):
    assert refusal(model, service, reply(b"<html><body>login</body></html>", 200)) == "answer_malformed"
    assert len(service.asked) == 1


def test_vector_79_an_answer_that_drips_is_cut_off(service):
    gate = threading.Event()

    def drip(_):
        def pieces():
            for _ in range(200):
                yield b" "
                if gate.wait(0.05):
                    return

        return 200, {}, pieces()

    slow = HttpModel(service.url, "tiny", limits=ChatLimits(timeout=0.3, attempts=1))
    assert refusal(slow, service, drip) in {"answer_too_large", "timeout"}
    gate.set()
    slow.close()


def test_vector_79_a_connection_that_breaks_off_is_tried_again(model, service):
    def broken(_):
        return 200, {"Content-Length": "500"}, [b'{"choices"']

    service.replies.append(broken)
    assert ask(model).text == "kelvor_tani"
    assert len(service.asked) == 2


def test_vector_79_all_tries_together_end_in_time(service):
    hasty = HttpModel(service.url, "tiny", limits=ChatLimits(backoff=60, longest_wait=60, total=5))
    assert refusal(hasty, service, *[reply({}, 503)] * 4) == "service_refused"
    assert len(service.asked) == 1
    hasty.close()


SCHEMA = '{"type": "object", "properties": {"memories": {"type": "array"}}}'


def test_a_schema_travels_as_the_form_of_the_answer(model, service):
    model.answer(ASKED, max_tokens=16, seed=7, schema=SCHEMA)
    assert service.asked[0]["response_format"]["json_schema"]["schema"] == json.loads(SCHEMA)


@pytest.mark.parametrize("status", [400, 422])
def test_a_service_that_takes_no_schema_is_asked_without_one_from_then_on(model, service, status):
    service.replies.append(reply({"error": "response_format"}, status))
    for _ in range(2):
        assert model.answer(ASKED, max_tokens=16, seed=7, schema=SCHEMA).text == "kelvor_tani"
    assert ["response_format" in body for body in service.asked] == [True, False, False]
