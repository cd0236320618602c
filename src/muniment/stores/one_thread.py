"""Ranking on one thread of linear algebra: on small matrices more threads cost far more than they give.

The setting belongs to the whole process, so it is held while any ranking runs and given back after the last one.
"""

from __future__ import annotations

import threading
from types import TracebackType

from threadpoolctl import ThreadpoolController, threadpool_limits  # type: ignore[import-untyped]  # it ships no types


class OneThread:
    """A context that may be entered from several threads at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._controller: ThreadpoolController | None = None
        self._limits: threadpool_limits | None = None

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._controller = self._controller or ThreadpoolController()
                self._limits = self._controller.limit(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and self._limits:
                self._limits.restore_original_limits()


one_thread = OneThread()
