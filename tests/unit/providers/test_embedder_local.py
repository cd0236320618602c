"""The local model: complete, unchanged, off the event loop, and the same vector for a text whatever stands beside it."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest

from muniment.errors import EmbedderError
from muniment.providers.embedders import local
from muniment.providers.embedders.local import IDENTITY, LocalEmbedder, vocabulary, wordpiece
from muniment.providers.embedders.onnx import BATCH_TOKENS, BATCH_WINDOWS, OnnxEmbedder, Window, batches, sha256

pytest.importorskip("tokenizers", reason="the extra `local` is not installed")
pytestmark = pytest.mark.skipif(not local.is_installed(), reason="the extra `local` is not installed")

TEXTS = [
    "My sister keeps bees on the roof.",
    "Honey from our hives was sold at the market.",
    "The invoice for March was paid twice.",
    "ok",
    "Zürich, naïve café — 東京タワー 😀",
]


@pytest.fixture(scope="module")
def embedder():
    made = LocalEmbedder()
    yield made
    asyncio.run(made.close())


async def test_texts_of_one_meaning_are_nearer_than_others(embedder):
    rows = await embedder.passages(TEXTS)
    assert rows.shape == (len(TEXTS), 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    question = await embedder.query("Who is a beekeeper?")
    assert np.argmax(rows @ question) == 0
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


async def test_vector_21_a_text_has_the_same_vector_alone_and_in_any_order(embedder):
    together = await embedder.passages(TEXTS * 3)
    backwards = (await embedder.passages(TEXTS[::-1]))[::-1]
    alone = np.stack([await embedder.query(text) for text in TEXTS])
    assert np.allclose(together[: len(TEXTS)], alone, atol=1e-5)
    assert np.allclose(backwards, alone, atol=1e-5)


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "\ud800", "ᚠᚢᚦ" * 50, "x" * 5000, "[PAD]", "\x00"])
async def test_a_text_without_known_words_still_has_a_vector(embedder, text):
    rows = await embedder.passages([text, "bees"])
    assert np.isclose(np.linalg.norm(rows[0]), 1, atol=1e-5)


async def test_K08_the_end_of_a_text_longer_than_the_window_counts(embedder):
    filler = "the weather stayed the same all day long. " * 40
    plain, told = await embedder.passages([filler, filler + "Then the volcano erupted and lava reached the harbour. " * 12])
    question = await embedder.query("When did the volcano erupt?")
    assert told @ question > plain @ question + 0.1


async def test_no_texts_give_no_rows(embedder):
    assert (await embedder.passages([])).shape == (0, 384)


def test_I08_an_embedder_works_in_several_event_loops_and_threads(embedder):
    rows = [asyncio.run(embedder.query("bees")) for _ in range(2)]
    thread = threading.Thread(target=lambda: rows.append(asyncio.run(embedder.query("bees"))))
    thread.start()
    thread.join()
    assert len(rows) == 3
    assert all(np.array_equal(row, rows[0]) for row in rows)


async def test_I10_the_event_loop_goes_on_while_texts_are_embedded(embedder):
    ticks = 0
    work = asyncio.create_task(embedder.passages(["a sentence about ships and harbours. " * 20] * 24))
    while not work.done():
        await asyncio.sleep(0.001)
        ticks += 1
    await work
    assert ticks > 10


async def test_O04_a_question_does_not_wait_for_a_long_ingest(embedder):
    work = asyncio.create_task(embedder.passages(["a sentence about ships and harbours. " * 20] * 60))
    await embedder.query("ships")
    assert not work.done()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work


async def test_a_closed_embedder_says_so():
    made = LocalEmbedder()
    await made.close()
    with pytest.raises(EmbedderError) as caught:
        await made.query("bees")
    assert caught.value.reason == "closed"


def test_the_vocabulary_is_the_one_of_the_model():
    pieces = vocabulary()
    assert len(pieces) == 30_522
    assert pieces[0] == "[PAD]"
    assert pieces[100:104] == ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    assert local.VOCABULARY_SHA256[:8] in IDENTITY
    assert local.MODEL_SHA256[:12] in IDENTITY


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Unaffable naïveté, isn't it?", "[CLS] una ##ffa ##ble naive ##te , isn ' t it ? [SEP]"),
        ("CAF\u00c9\u00a0東京\tX\u0000Y", "[CLS] cafe 東 京 x ##y [SEP]"),
        ("e\u0301t\u00e9 \u200bword\ufeff", "[CLS] et ##e word [SEP]"),
        ("[SEP] [MASK]", "[CLS] [ sep ] [ mask ] [SEP]"),
        ("z" * 101, "[CLS] [UNK] [SEP]"),
        ("", "[CLS] [SEP]"),
    ],
)
def test_text_is_cut_into_pieces_as_the_model_learned_them(text, pieces):
    assert " ".join(wordpiece(vocabulary()).encode(text).tokens) == pieces


async def test_a_model_of_your_own_is_run_from_its_two_files(tmp_path, embedder):
    model, tokenizer = local.model_path(), tmp_path / "tokenizer.json"
    wordpiece(vocabulary()).save(str(tokenizer))
    own = OnnxEmbedder(model, tokenizer)
    prefixed = OnnxEmbedder(model, tokenizer, prefixes=("query: ", "passage: "))
    try:
        assert own.dim == 384
        assert np.allclose(await own.passages(TEXTS), await embedder.passages(TEXTS), atol=1e-5)
        assert np.allclose(await prefixed.query("bees"), await own.query("query: bees"), atol=1e-5)
        assert np.allclose(await prefixed.passages(["bees"]), await own.passages(["passage: bees"]), atol=1e-5)
        assert len({own.identity, prefixed.identity, embedder.identity}) == 3
    finally:
        await own.close()
        await prefixed.close()


def test_vector_22_a_changed_file_is_another_model(tmp_path):
    tokenizer = tmp_path / "tokenizer.json"
    names = set()
    for lowercase in (True, False):
        made = wordpiece(vocabulary())
        if not lowercase:
            made.normalizer = None
        made.save(str(tokenizer))
        own = OnnxEmbedder(local.model_path(), tokenizer)
        names.add(own.identity)
        asyncio.run(own.close())
    assert len(names) == 2


def test_weights_kept_beside_the_model_are_part_of_its_identity(tmp_path):
    (tmp_path / "model.onnx").write_bytes(local.model_path().read_bytes())
    wordpiece(vocabulary()).save(str(tmp_path / "tokenizer.json"))
    names = set()
    for weights in (b"one", b"two"):
        (tmp_path / "model.onnx_data").write_bytes(weights)
        own = OnnxEmbedder(tmp_path / "model.onnx", tmp_path / "tokenizer.json")
        names.add(own.identity)
        asyncio.run(own.close())
    assert len(names) == 2


def test_N03_a_missing_or_broken_model_file_is_a_clear_error_at_once(tmp_path):
    tokenizer, junk = tmp_path / "tokenizer.json", tmp_path / "junk.onnx"
    wordpiece(vocabulary()).save(str(tokenizer))
    junk.write_bytes(b"not a model")
    for model, read, code in [
        (tmp_path / "absent.onnx", tokenizer, "model_missing"),
        (local.model_path(), tmp_path / "absent.json", "model_missing"),
        (tmp_path, tokenizer, "model_missing"),
        (junk, tokenizer, "model_unreadable"),
        (local.model_path(), junk, "tokenizer_unreadable"),
    ]:
        with pytest.raises(EmbedderError) as caught:
            OnnxEmbedder(model, read)
        assert caught.value.reason == code
        assert caught.value.hint
        assert "onnxruntime" not in str(caught.value).lower()


def test_the_installed_model_is_the_measured_one():
    assert sha256(local.model_path()) == local.MODEL_SHA256


def test_batches_keep_order_and_stay_within_bounds():
    windows = [Window(i, (1,) * n) for i, n in enumerate([1, 2, 3, 40, 64, 64, 65, 200, 256, 256, 256])]
    cut = list(batches(windows))
    assert [w for batch in cut for w in batch] == windows
    assert all(len(batch) <= BATCH_WINDOWS and len(batch) * len(batch[-1].ids) <= BATCH_TOKENS for batch in cut)
    assert list(batches([])) == []
    assert list(batches([Window(0, (1,) * 10_000)])) == [[Window(0, (1,) * 10_000)]]


@pytest.mark.parametrize(("content", "code"), [(b"another model", "checksum_mismatch"), (None, "model_missing")])
def test_a_changed_or_missing_model_is_refused_at_opening(tmp_path, monkeypatch, content, code):
    package = tmp_path / local.PACKAGE
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('its code is not to be run')")
    if content is not None:
        (package / "model.onnx").write_bytes(content)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(EmbedderError) as caught:
        LocalEmbedder()
    assert caught.value.reason == code
    assert caught.value.hint
