"""Blocks in order. The order is a property of the registry and of nothing else; the compiler only reads it."""

from __future__ import annotations

from muniment.registry.curves import Edges, FrontLoad, Profile, Tail, read_profile
from muniment.registry.eviction import Eviction, Target, by_use
from muniment.registry.handle import Handle, Rollback
from muniment.registry.journal import Change, Difference, Journal, Op, replay
from muniment.registry.placement import EchoTwice, Proposal, propose
from muniment.registry.principals import Invite, Principal, Right, Terms
from muniment.registry.registry import Registry, View
from muniment.registry.relevance import find, promote_relevant
from muniment.registry.reports import Provenance, Summary
from muniment.registry.snapshot import Snapshot, read_snapshot

__all__ = [
    "Change",
    "Difference",
    "EchoTwice",
    "Edges",
    "Eviction",
    "FrontLoad",
    "Handle",
    "Invite",
    "Journal",
    "Op",
    "Principal",
    "Profile",
    "Proposal",
    "Provenance",
    "Registry",
    "Right",
    "Rollback",
    "Snapshot",
    "Summary",
    "Tail",
    "Target",
    "Terms",
    "View",
    "by_use",
    "find",
    "promote_relevant",
    "propose",
    "read_profile",
    "read_snapshot",
    "replay",
]
