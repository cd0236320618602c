"""Scopes, and an architecture under which facts and decisions are shared up to the client."""

from __future__ import annotations

from dataclasses import replace

from muniment import Scope, default_architecture

NORTH = Scope(client="acme", customer="north")
SOUTH = Scope(client="acme", customer="south", user="cleo")
ANA = Scope(client="acme", customer="north", user="ana")
BEN = Scope(client="acme", customer="north", user="ben")
STANDARD = default_architecture()
RULES = replace(
    STANDARD,
    kinds=tuple(replace(kind, share="client") if kind.name in {"fact", "decision"} else kind for kind in STANDARD.kinds),
)
