"""The number of threads of linear algebra is one while any ranking runs, and what it was afterwards."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from muniment.stores.one_thread import OneThread
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA


def blas():
    """Threads of the linear algebra that ranks; another library may have brought one of its own since, which ranks nothing."""
    np.ones((2, 2)) @ np.ones((2, 2))
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return [pool["num_threads"] for pool in pools if "numpy" in pool["filepath"]] or [pool["num_threads"] for pool in pools]


@pytest.fixture
def two():
    if not blas():
        pytest.skip("numpy's linear algebra has no threads here")
    with threadpool_limits(2, user_api="blas"):
        yield


@pytest.mark.usefixtures("two")
def test_one_thread_inside_and_the_former_number_after():
    one_thread = OneThread()
    before = blas()
    for _ in range(2):
        with one_thread:
            assert set(blas()) == {1}
        assert blas() == before


@pytest.mark.usefixtures("two")
def test_rankings_that_overlap_share_the_setting_and_the_last_one_gives_it_back():
    one_thread = OneThread()
    before = blas()
    inside, leave = threading.Event(), threading.Event()

    def rank():
        with one_thread:
            inside.set()
            leave.wait(30)

    thread = threading.Thread(target=rank)
    with one_thread:
        thread.start()
        inside.wait(30)
    assert set(blas()) == {1}
    leave.set()
    thread.join()
    assert blas() == before


@pytest.mark.usefixtures("two")
def test_a_ranking_that_fails_gives_it_back_too():
    one_thread = OneThread()
    before = blas()
    with pytest.raises(ArithmeticError), one_thread:
        raise ArithmeticError
    assert blas() == before


@pytest.mark.usefixtures("two")
async def test_a_search_ranks_on_one_thread_whichever_reader_takes_it(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    seen = []

    def rank(shelves):
        seen.append(set(blas()))
        return []

    await asyncio.gather(*(store.search(ANA, rank) for _ in range(12)))
    await store.close()
    assert seen == [{1}] * 12
    assert set(blas()) == {2}
