"""Blocks in order. The order is a property of the registry and of nothing else; the compiler only reads it."""

from __future__ import annotations

from muniment.registry.registry import Registry

__all__ = ["Registry"]
