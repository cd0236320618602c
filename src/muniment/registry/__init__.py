"""Blocks in order. The order is a property of the registry and of nothing else; the compiler only reads it."""

from __future__ import annotations

from muniment.registry.handle import Handle, Rollback
from muniment.registry.journal import Change, Difference, Journal, Op, replay
from muniment.registry.principals import Invite, Principal, Right
from muniment.registry.registry import Registry, View

__all__ = [
    "Change",
    "Difference",
    "Handle",
    "Invite",
    "Journal",
    "Op",
    "Principal",
    "Registry",
    "Right",
    "Rollback",
    "View",
    "replay",
]
