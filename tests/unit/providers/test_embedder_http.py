"""Embedding service over HTTP: what is asked, what is believed, what errors tell. The service is a real one, on loopback."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import numpy as np
import pytest
from little_service import KEY, reply, serving

from muniment.errors import EmbedderError, InputError
from muniment.providers.embedders.http import HttpEmbedder, HttpLimits, batches

pytest.importorskip("httpx", reason="the extra `http` is not installed")

QUICK = HttpLimits(backoff=0.001, longest_wait=0.01, timeout=5, query_timeout=5)


def vector(text, dim):
    """The text's length and its first letter, so that a swapped pair shows."""
    return [float(len(text)), float(ord(text[0]))] + [1.0] * (dim - 2)


def sound(body, *, dim=4, shuffle=False):
    dim = body.get("dimensions", dim)
    data = [{"index": i, "embedding": vector(text, dim)} for i, text in enumerate(body["input"])]
    return 200, {}, json.dumps({"data": data[::-1] if shuffle else data}).encode()


def with_data(*items):
    return reply({"data": list(items)})


@pytest.fixture
def service():
    with serving(sound) as found:
        yield found


@asynccontextmanager
async def opened(service, **options):
    embedder = HttpEmbedder(service.url, "tiny", **{"dim": 4, "limits": QUICK, "key": KEY, **options})
    try:
        yield embedder
    finally:
        await embedder.close()


async def refusal(service, *replies, **options):
    service.replies += replies
    async with opened(service, **options) as embedder:
        with pytest.raises(EmbedderError) as caught:
            await embedder.passages(["one", "three"])
    return caught.value


async def test_J02_the_size_asked_for_travels_with_every_request_and_is_checked(service):
    async with opened(service, dim=512, ask_dim=True) as embedder:
        assert (await embedder.query("kiln")).shape == (512,)
        assert (await embedder.passages(["kiln", "glaze"])).shape == (2, 512)
    assert [body["dimensions"] for body in service.asked] == [512, 512]
    assert service.asked[0]["model"] == "tiny"
    wrong = await refusal(service, lambda body: sound({"input": body["input"]}, dim=1536), dim=512, ask_dim=True)
    assert wrong.reason == "dim_mismatch"
    assert "1536" in str(wrong)
    assert "512" in str(wrong)


async def test_a_size_that_was_not_asked_for_is_not_sent(service):
    async with opened(service) as embedder:
        await embedder.query("kiln")
    assert "dimensions" not in service.asked[0]


async def test_vector_21_vectors_are_paired_by_index_not_by_place(service):
    service.replies.append(lambda body: sound(body, shuffle=True))
    async with opened(service) as embedder:
        shuffled, plain = await embedder.passages(["a", "bbbb", "cc"]), await embedder.passages(["a", "bbbb", "cc"])
    assert np.array_equal(shuffled, plain)


GOOD = {"index": 0, "embedding": [1.0, 0, 0, 0]}
OTHER = {"index": 1, "embedding": [0, 1.0, 0, 0]}


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (with_data(GOOD), "count_mismatch"),
        (with_data(GOOD, OTHER, OTHER), "count_mismatch"),
        (with_data(GOOD, GOOD), "order_unclear"),
        (with_data(GOOD, {**OTHER, "index": 2}), "order_unclear"),
        (with_data(GOOD, {**OTHER, "index": [1]}), "order_unclear"),
        (with_data(GOOD, {"embedding": [1.0, 0, 0, 0]}), "order_unclear"),
        (with_data(GOOD, "nothing"), "answer_malformed"),
        (with_data(GOOD, {**OTHER, "embedding": [0.0] * 3}), "dim_mismatch"),
        (with_data(GOOD, {**OTHER, "embedding": [0.0] * 4}), "zero_norm"),
        (with_data(GOOD, {**OTHER, "embedding": None}), "not_numbers"),
        (with_data(GOOD, {**OTHER, "embedding": "AAAA"}), "not_numbers"),
        (with_data(GOOD, {**OTHER, "embedding": ["x", 1, 2, 3]}), "not_numbers"),
        (
            reply(b'{"data": [{"index": 0, "embedding": [NaN, 1, 1, 1]}, {"index": 1, "embedding": [1, 1, 1, 1]}]}'),
            "non_finite",
        ),
        (
            reply(b'{"data": [{"index": 0, "embedding": [1e999, 1, 1, 1]}, {"index": 1, "embedding": [1, 1, 1, 1]}]}'),
            "non_finite",
        ),
        (reply({"data": None}), "answer_malformed"),
        (reply([1]), "answer_malformed"),
        (reply(b"<html>hello</html>"), "answer_malformed"),
        (reply(b"[" * 100_000), "answer_malformed"),
        (reply(b""), "answer_malformed"),
        (reply(b" " * 300_000), "answer_too_large"),
        (reply(b"", 302, Location="http://127.0.0.1:1/elsewhere"), "service_refused"),
    ],
)
async def test_an_answer_that_cannot_be_trusted_is_refused_whole(service, answer, code):
    error = await refusal(service, answer)
    assert error.reason == code
    assert error.hint
    assert len(service.asked) == 1


async def test_K02_batches_are_split_by_size_and_by_number(service):
    texts = [f"{i} " + "word " * 400 for i in range(60)] + [str(i) for i in range(200)]
    async with opened(service, limits=HttpLimits(batch_texts=100, batch_bytes=30_000)) as embedder:
        rows = await embedder.passages(texts)
    assert rows.shape == (260, 4)
    sizes = [(len(body["input"]), sum(len(text.encode()) for text in body["input"])) for body in service.asked]
    assert all(count <= 100 and size <= 30_000 for count, size in sizes)
    assert [text for body in service.asked for text in body["input"]] == texts


def test_K02_a_repository_of_a_million_tokens_fits_every_request():
    chunks = ["token " * 160] * 6_900
    assert max(sum(len(text.split()) for text in batch) for batch in batches(chunks)) < 100_000


def test_a_text_larger_than_a_batch_goes_alone_and_an_empty_one_is_sent_as_a_space():
    assert list(batches(["a", "b" * 200_000, "c", ""])) == [["a"], ["b" * 200_000], ["c", " "]]
    assert list(batches([])) == []


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_a_passing_failure_is_tried_again(service, status):
    service.replies += [reply(b"busy", status), reply(b"busy", status)]
    async with opened(service) as embedder:
        assert (await embedder.passages(["kiln"])).shape == (1, 4)
    assert len(service.asked) == 3


IN_AN_HOUR = format_datetime(datetime.now(UTC) + timedelta(hours=1))


@pytest.mark.parametrize("wait", ["3600", "999999999999", "soon", "-1", pytest.param(IN_AN_HOUR, id="a date")])
async def test_a_service_cannot_make_us_wait_longer_than_our_limit(service, wait):
    service.replies.append(reply(b"", 429, **{"Retry-After": wait}))
    async with opened(service) as embedder, asyncio.timeout(20):
        await embedder.query("kiln")
    assert len(service.asked) == 2


async def test_attempts_are_bounded_and_a_question_gives_up_sooner(service):
    service.replies += [reply(b"", 503)] * 20
    async with opened(service) as embedder:
        with pytest.raises(EmbedderError, match="503"):
            await embedder.passages(["kiln"])
        assert len(service.asked) == QUICK.attempts
        with pytest.raises(EmbedderError, match="503"):
            await embedder.query("kiln")
    assert len(service.asked) == QUICK.attempts + QUICK.query_attempts


@pytest.mark.parametrize(
    ("status", "content"),
    [(400, b""), (401, b""), (403, b""), (404, b""), (413, b""), (422, b""), (429, b'{"error": {"code": "insufficient_quota"}}')],
)
async def test_a_lasting_refusal_is_not_repeated_and_says_what_to_do(service, status, content):
    error = await refusal(service, reply(content, status))
    assert len(service.asked) == 1
    assert str(status) in error.message
    assert error.hint


async def test_the_key_is_sent_and_never_told(service):
    echo = json.dumps({"error": {"message": f"bad key {KEY} for text one", "code": f"bad_{KEY}"}}).encode()
    error = await refusal(service, reply(echo, 401))
    async with opened(service) as embedder:
        told = [str(error), repr(error), str(error.__cause__), repr(embedder), embedder.identity]
    assert not any(KEY in text for text in told)
    assert service.headers[0]["Authorization"] == f"Bearer {KEY}"


async def test_a_key_that_is_a_plain_word_is_not_told_either(service):
    echo = reply({"error": {"code": "my_plain_key"}}, 400)
    error = await refusal(service, echo, key="my_plain_key")
    assert "my_plain_key" not in str(error)


async def test_the_services_own_word_for_a_refusal_is_passed_on(service):
    error = await refusal(service, reply({"error": {"code": "context_length_exceeded", "message": "one"}}, 400))
    assert "context_length_exceeded" in str(error)
    assert "'one'" not in str(error)


async def test_without_a_key_no_authorization_is_sent(service):
    async with opened(service, key=None) as embedder:
        await embedder.query("kiln")
    assert "Authorization" not in service.headers[0]


async def test_vector_80_a_service_that_is_down_is_an_error_of_ours():
    embedder = HttpEmbedder("http://127.0.0.1:9/v1", "tiny", dim=4, limits=QUICK)
    try:
        with pytest.raises(EmbedderError) as caught:
            await embedder.query("kiln")
    finally:
        await embedder.close()
    assert caught.value.reason == "unreachable"
    assert "httpx" not in str(caught.value)


async def test_a_service_that_is_slow_runs_into_the_time_limit(service):
    gate = threading.Event()

    def stuck(body):
        gate.wait(10)
        return sound(body)

    service.replies.append(stuck)
    async with opened(service, limits=HttpLimits(query_timeout=0.2)) as embedder:
        with pytest.raises(EmbedderError) as caught:
            await embedder.query("kiln")
        gate.set()
    assert caught.value.reason == "timeout"
    assert len(service.asked) == 1


async def test_a_cancelled_call_starts_no_further_attempt(service):
    entered, gate = threading.Event(), threading.Event()

    def held(_):
        entered.set()
        gate.wait(10)
        return 503, {}, b""

    service.replies += [held]
    async with opened(service) as embedder:
        call = asyncio.create_task(embedder.passages(["kiln"]))
        await asyncio.to_thread(entered.wait, 10)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        gate.set()
    assert len(service.asked) == 1


async def test_a_closed_embedder_says_so(service):
    async with opened(service) as embedder:
        pass
    with pytest.raises(EmbedderError) as caught:
        await embedder.query("kiln")
    assert caught.value.reason == "closed"


def test_I08_an_embedder_works_in_several_event_loops(service):
    embedder = HttpEmbedder(service.url, "tiny", dim=4)
    rows = [asyncio.run(embedder.query("kiln")) for _ in range(2)]
    asyncio.run(embedder.close())
    assert np.array_equal(*rows)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "localhost:8080",
        "file:///etc/hosts",
        "ftp://host/v1",
        "https://",
        "https://user:pass@host/v1",
        "https://host/v1?key=1",
        "https://host/v1#part",
        "https://host:port/v1",
        "https://[::1/v1",
        "https://ho st/v1",
        "https://host/v1\r\nX: y",
        "http://169.254.169.254/latest",
        "http://[fe80::1]/v1",
    ],
)
def test_vector_55_addresses_that_are_no_embedding_service_are_refused(address):
    with pytest.raises(InputError) as caught:
        HttpEmbedder(address, "tiny", dim=4)
    assert caught.value.hint
    assert "pass" not in str(caught.value).replace("password", "")


@pytest.mark.parametrize("address", ["http://models.example/v1", "http://10.0.0.7:8000/v1", "http://0x7f000001/v1"])
def test_a_key_does_not_travel_unencrypted_to_another_machine(address):
    with pytest.raises(InputError, match="unencrypted"):
        HttpEmbedder(address, "tiny", dim=4, key=KEY)
    asyncio.run(HttpEmbedder(address, "tiny", dim=4).close())


@pytest.mark.parametrize("key", ["", "two words", "new\nline", "schlüssel"])
def test_vector_53_a_key_that_is_none_is_refused(key):
    with pytest.raises(InputError) as caught:
        HttpEmbedder("https://models.example/v1", "tiny", dim=4, key=key)
    assert not key or key not in str(caught.value)


def test_the_identity_names_service_model_and_size():
    made = [
        HttpEmbedder("https://Models.example/v1/", "tiny", dim=4),
        HttpEmbedder("https://models.example/v1/embeddings", "tiny", dim=4),
        HttpEmbedder("https://models.example/v1", "tiny", dim=8),
        HttpEmbedder("https://models.example/v1", "small", dim=4),
        HttpEmbedder("https://other.example/v1", "tiny", dim=4),
    ]
    names = [embedder.identity for embedder in made]
    for embedder in made:
        asyncio.run(embedder.close())
    assert names[0] == names[1]
    assert len(set(names)) == 4


@pytest.mark.parametrize(("model", "dim"), [("", 4), ("tiny", 0)])
def test_a_model_and_a_size_are_needed(model, dim):
    with pytest.raises(InputError):
        HttpEmbedder("https://models.example/v1", model, dim=dim)
