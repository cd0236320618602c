"""For tests of public cases: either store by its address, an engine on it, and the command line in a folder of its own."""

from __future__ import annotations

import pytest
from cases import STORES, opened, url_of
from running_cli import Cli


@pytest.fixture(params=STORES)
def url(request, tmp_path):
    return url_of(request.param, tmp_path)


@pytest.fixture
async def engine(url):
    async with opened(url) as found:
        yield found


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)
