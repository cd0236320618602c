"""For every test: nothing leaves this machine, and properties are tried on the same bounded examples in every run."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from muniment.testing.guard import no_foreign_sockets

pytest.register_assert_rewrite("muniment.testing.conformance")

__all__ = ["no_foreign_sockets"]

QUIET = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]

settings.register_profile("steady", max_examples=40, derandomize=True, deadline=None, database=None, suppress_health_check=QUIET)
settings.register_profile("wide", max_examples=1000, deadline=None, database=None, suppress_health_check=QUIET)
settings.load_profile("steady")
