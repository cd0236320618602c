"""Ranking on one thread of linear algebra: on small matrices more threads cost far more than they give.

Most libraries have one number of threads for the whole process, so it is held while any ranking runs and given back after the
last one. Those that have one per thread are told in each, and keep it: only a store's own threads rank.
"""

from __future__ import annotations

import threading
from types import TracebackType

from threadpoolctl import LibController, ThreadpoolController  # type: ignore[import-untyped]  # it ships no types


class OneThread:
    """A context that may be entered from several threads at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._shared: list[LibController] | None = None
        self._own: list[LibController] = []
        self._before: list[tuple[LibController, int]] = []

    def __enter__(self) -> None:
        with self._lock:
            if self._shared is None:
                pools = ThreadpoolController().select(user_api="blas").lib_controllers
                self._own = [pool for pool in pools if pool.info().get("threading_layer") == "openmp"]
                self._shared = [pool for pool in pools if pool not in self._own]
            for pool in self._own:
                pool.set_num_threads(1)
            if self._inside == 0:
                self._before = [(pool, threads) for pool in self._shared if (threads := pool.get_num_threads()) != 1]
                for pool, _ in self._before:
                    _set(pool, 1)
            self._inside += 1

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                for pool, threads in self._before:
                    _set(pool, threads)


one_thread = OneThread()


def _set(pool: LibController, threads: int) -> None:
    """Set it from any thread: without this, only the first thread that ever did would be heard while it lives."""
    release = getattr(pool, "clear_controlling_thread", None)
    if release:
        release(force=True)
    pool.set_num_threads(threads)
    if release:
        release()
