"""For tests of public cases: each store by its address, an engine on it, and the command line in a folder of its own."""

from __future__ import annotations

import pytest
from cases import STORES, opened, url_of
from running_cli import Cli


@pytest.fixture(params=(*STORES, "postgres"))
def any_store_url(request, tmp_path):
    """The address of an empty store of each kind in turn. The server's is emptied for it, and no other test has it meanwhile."""
    return request.getfixturevalue("emptied") if request.param == "postgres" else url_of(request.param, tmp_path)


@pytest.fixture
def url(any_store_url):
    return any_store_url


@pytest.fixture
async def engine(url):
    async with opened(url) as found:
        yield found


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)
