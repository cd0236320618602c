"""The public fakes keep the contracts they stand in for, and the guard keeps the run on this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given

from muniment.errors import EmbedderError
from muniment.ports import Clock
from muniment.testing import (
    CountingTokens,
    FailingEmbedder,
    FaultyEmbedder,
    FixedClock,
    TableEmbedder,
    sample_entries,
    sample_record,
)
from muniment.testing.guard import is_local
from muniment.testing.strategies import records, texts
from muniment.types import Scope


def test_a_fixed_clock_stands_still_until_moved():
    clock = FixedClock()
    assert isinstance(clock, Clock)
    first = clock.now()
    assert clock.now() == first
    assert first.utcoffset() == timedelta(0)
    clock.advance(timedelta(days=-1))
    assert clock.now() == first - timedelta(days=1)


def test_a_stepping_clock_moves_after_each_reading():
    clock = FixedClock(step=timedelta(seconds=5))
    assert clock.now() + timedelta(seconds=5) == clock.now()


async def test_a_table_embedder_looks_vectors_up_and_scales_them():
    embedder = TableEmbedder({"a": [3, 4], "b": [0, -2]})
    assert (await embedder.passages(["b", "a"])).tolist() == [pytest.approx([0, -1]), pytest.approx([0.6, 0.8])]
    assert embedder.dim == 2
    assert embedder.calls == [("b", "a")]


async def test_a_text_that_is_not_in_the_table_gets_a_vector_of_its_words():
    embedder = TableEmbedder(dim=64)
    near, far = await embedder.query("the red boat"), await embedder.query("seven green apples")
    rows = await embedder.passages(["a red boat"])
    assert rows.shape == (1, 64)
    assert rows[0] @ near > rows[0] @ far
    assert np.array_equal(await TableEmbedder(dim=64).query("the red boat"), near)


async def test_no_texts_give_no_rows():
    assert (await TableEmbedder(dim=5).passages([])).shape == (0, 5)


@given(texts())
async def test_hashed_vectors_have_unit_length(text):
    row = await TableEmbedder(dim=16).query(text)
    assert row.dtype == np.float32
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5)


async def test_a_failing_embedder_fails_after_so_many_calls_and_always_with_none():
    embedder = FailingEmbedder(after=2)
    await embedder.query("a")
    await embedder.passages(["b"])
    for call in (embedder.query("c"), embedder.passages(["d"]), FailingEmbedder().query("e")):
        with pytest.raises(EmbedderError):
            await call
    assert (embedder.identity, embedder.dim) == (embedder.inner.identity, embedder.inner.dim)
    await embedder.close()


async def test_a_faulty_embedder_breaks_its_contract_as_named():
    two = ["a", "b"]
    assert (await FaultyEmbedder("short").passages(two)).shape == (1, 32)
    assert (await FaultyEmbedder("wide").passages(two)).shape == (2, 33)
    assert np.isnan(await FaultyEmbedder("nan").query("a")).all()
    assert not (await FaultyEmbedder("zero").passages(two))[1].any()
    assert (await FaultyEmbedder("short").query("a")).shape == (0,)


@given(texts(), texts())
def test_counted_tokens_add_up(one, other):
    tokens = CountingTokens()
    assert tokens.exact
    assert tokens.count(f"{one}\n{other}") == tokens.count(one) + tokens.count(other)


@given(texts())
def test_sample_entries_cover_their_text_without_a_gap(text):
    entries = sample_entries(text)
    assert "".join(text[entry.start : entry.end] for entry in entries) == text
    assert sample_entries(text, dim=0)[0].vector is None


def test_a_sample_records_id_follows_from_scope_and_text():
    ana, ben = Scope(user="ana"), Scope(user="ben")
    assert sample_record(ana, "x") == sample_record(ana, "x")
    assert len({sample_record(ana, "x").id, sample_record(ana, "y").id, sample_record(ben, "x").id}) == 3


@given(records())
def test_drawn_records_have_aware_times(record):
    assert record.recorded_at.utcoffset() is not None
    assert record.said_at is None or record.said_at.utcoffset() is not None


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::1"])
def test_a_connection_that_leaves_the_machine_is_refused_and_noted(no_foreign_sockets, address):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as sock, pytest.raises(OSError, match="may not leave"):
        sock.connect((address, 9))
    assert no_foreign_sockets == [f"socket.connect {address}"]
    no_foreign_sockets.clear()


def test_a_test_that_hides_its_attempt_fails_all_the_same(tmp_path):
    (tmp_path / "conftest.py").write_text("from muniment.testing.guard import no_foreign_sockets\n")
    (tmp_path / "test_quiet.py").write_text(
        "import contextlib, socket\n"
        "def test_quiet():\n"
        "    with contextlib.suppress(OSError):\n"
        "        socket.create_connection(('192.0.2.1', 9))\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", tmp_path], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert run.returncode == 1
    assert "the test tried to leave this machine" in run.stdout


def test_a_name_look_up_is_refused_and_noted(no_foreign_sockets):
    with pytest.raises(OSError, match="may not leave"):
        socket.getaddrinfo("example.org", 443)
    assert no_foreign_sockets == ["socket.getaddrinfo example.org"]
    no_foreign_sockets.clear()


def test_a_datagram_is_refused_and_noted(no_foreign_sockets):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, pytest.raises(OSError, match="may not leave"):
        sock.sendto(b"x", ("192.0.2.1", 9))
    assert no_foreign_sockets
    no_foreign_sockets.clear()


def test_loopback_and_unix_sockets_pass(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        client.sendall(b"x")
    one, other = socket.socketpair()
    with one, other:
        one.sendall(b"x")
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as caller:
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        caller.connect(str(tmp_path / "s"))


LOCAL = ["127.0.0.1", "127.8.8.8", "::1", "::1%lo", "localhost", "0.0.0.0"]
FOREIGN = ["10.0.0.1", "169.254.169.254", "example.org", "localhost.example.org", "::ffff:192.0.2.1"]


@pytest.mark.parametrize(("host", "local"), [*((host, True) for host in LOCAL), *((host, False) for host in FOREIGN)])
def test_only_loopback_is_local(host, local):
    assert is_local(host) is local
