"""Public cases of kind J: dimensions of embeddings, and changes of model."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest
from cases import ANA, NORTH, opened, texts

from muniment import Outcome
from muniment.testing import TableEmbedder


@pytest.fixture
def service():
    """An embedding service on this machine. `asked` is what it was sent; it answers with `size` numbers when that is set."""

    class Doorway(BaseHTTPRequestHandler):
        asked: ClassVar = []
        size: ClassVar = None

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.asked.append(body)
            row = [1.0] * (type(self).size or body["dimensions"])
            answer = json.dumps({"data": [{"index": n, "embedding": row} for n in range(len(body["input"]))]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Doorway)
    Doorway.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield Doorway
    server.shutdown()
    thread.join()
    server.server_close()


async def test_J02_the_size_that_is_asked_for_is_sent_and_the_answer_is_held_to_it(url, service):
    pytest.importorskip("httpx", reason="the extra `http` is not installed")
    async with opened(url, embedder=f"{service.url}#tiny?dimensions=512") as engine:
        assert not (await engine.ingest(ANA, "a kettle")).degraded
        assert [body["dimensions"] for body in service.asked] == [512]
        service.size = 384
        receipt = await engine.ingest(ANA, "a kiln")
        assert receipt.count(Outcome.STORED) == 1
        assert all(size in receipt.degraded[0] for size in ("384", "512"))
        assert texts(await engine.retrieve(ANA, "kiln"))[0] == "a kiln"
        assert (await engine.stats(ANA)).vectors == 1


async def test_J04_an_export_taken_in_under_another_model_has_equal_records_and_new_vectors(engine):
    await engine.ingest(ANA, ["my boat is called Perseverance", "the house is blue"], conversation="c1")
    await engine.ingest(NORTH, "the office closes at noon")
    other = TableEmbedder(dim=32, identity="another")
    async with opened("memory://", embedder=other) as moved:
        receipt = await moved.restore(engine.export())
        assert (receipt.count(Outcome.STORED), receipt.degraded) == (3, ())
        ours = [record async for record in engine.export()]
        assert sorted(ours, key=str) == sorted([record async for record in moved.export()], key=str)
        stats = await moved.stats()
        assert (stats.vectors, stats.embedder) == (3, "another")
        assert sorted(text for call in other.calls for text in call) == sorted(record.text for record in ours)
        assert texts(await moved.retrieve(ANA, "boat"))[0] == "my boat is called Perseverance"


def test_J04_the_command_line_moves_a_store_to_another_embedder(cli):
    ids = cli.said("My boat is called Perseverance.", "The house is blue.")
    cli("export", "all.jsonl", "--all-scopes")
    elsewhere = ("--store", "sqlite:///other.db")
    cli("import", "all.jsonl", *elsewhere, "--embedder", "hashed")
    assert cli.as_json("stats", "--all-scopes", *elsewhere)["vectors"] == 2
    for record in ids:
        assert cli.as_json("show", record, "--user", "ana") == cli.as_json("show", record, "--user", "ana", *elsewhere)
