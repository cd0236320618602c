"""Keeps a test run off the network: a connection or look-up that leaves this machine is refused, and fails its test.

Import the fixture into conftest.py: `from muniment.testing.guard import no_foreign_sockets`. It watches everything that goes
through Python's sockets, whoever opens them; loopback addresses and Unix sockets pass. Needs pytest.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from ipaddress import ip_address

import pytest

CALLS = frozenset(
    {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
)
LOCAL_NAMES = frozenset({"", "localhost", "localhost.localdomain"})


class _Watch:
    """An audit hook cannot be taken out again, so there is one, and tests switch it on and off."""

    def __init__(self) -> None:
        self.installed = False
        self.on = False
        self.seen: list[str] = []

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.on and event in CALLS:
            host = host_of(event, arguments)
            if host is not None and not is_local(host):
                self.seen.append(f"{event} {host}")
                raise OSError(errno.ENETUNREACH, "tests may not leave this machine", host)


_WATCH = _Watch()


def host_of(event: str, arguments: tuple[object, ...]) -> str | None:
    """The host an audit event is about, or None when it is about none (a Unix socket, a connected one)."""
    target = arguments[1] if event in {"socket.connect", "socket.sendto", "socket.sendmsg"} else arguments[0]
    if isinstance(target, tuple) and target:
        target = target[0]
    elif event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        return None
    if isinstance(target, bytes):
        target = target.decode("ascii", "replace")
    return target if isinstance(target, str) else None


def is_local(host: str) -> bool:
    """True for loopback addresses and the names that mean them."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host.casefold() in LOCAL_NAMES
    return address.is_loopback or address.is_unspecified


@pytest.fixture(autouse=True)
def no_foreign_sockets() -> Iterator[list[str]]:
    """Refuse foreign connections during the test, and fail it for having tried, even when it caught the error.

    Yields the attempts so far; a test that means to try empties the list.
    """
    if not _WATCH.installed:
        sys.addaudithook(_WATCH)
        _WATCH.installed = True
    _WATCH.seen.clear()
    _WATCH.on = True
    try:
        yield _WATCH.seen
    finally:
        _WATCH.on = False
    if _WATCH.seen:
        pytest.fail(f"the test tried to leave this machine: {', '.join(_WATCH.seen)}", pytrace=False)
