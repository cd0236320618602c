"""Ranking on one thread of linear algebra: on small matrices more threads cost far more than they give.

The setting belongs to the whole process, so it is held while any ranking runs and given back after the last one.
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
        self._libraries: list[LibController] | None = None
        self._before: list[int] = []

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                if self._libraries is None:
                    self._libraries = ThreadpoolController().select(user_api="blas").lib_controllers
                self._before = [library.num_threads for library in self._libraries]
                self._set([1] * len(self._before))
            self._inside += 1

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._set(self._before)

    def _set(self, threads: list[int]) -> None:
        """Set each library's threads. Done by hand, since a limit object of the package costs eight times as much."""
        for library, before, count in zip(self._libraries or (), self._before, threads, strict=True):
            if before != 1:
                library.set_num_threads(count)


one_thread = OneThread()
