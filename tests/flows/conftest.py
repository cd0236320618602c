"""For tests of public cases: each store by its address, an engine on it, and the command line in a folder of its own.

The store on a server is tried in the slow run.
"""

from __future__ import annotations

import pytest
from cases import STORES, opened, url_of
from running_cli import Cli


@pytest.fixture(params=[*STORES, pytest.param("server", marks=pytest.mark.slow)])
def url(request, tmp_path):
    return request.getfixturevalue("emptied") if request.param == "server" else url_of(request.param, tmp_path)


@pytest.fixture
async def engine(url):
    async with opened(url) as found:
        yield found


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)
