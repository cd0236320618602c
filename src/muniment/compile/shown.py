"""Access counts of a registry whose blocks stand in a prompt among others.

Rule of this file: only what really stands in the prompt is counted, and it changes nothing but the counts.
"""

from __future__ import annotations

from muniment.compilation import Compilation
from muniment.registry import Registry
from muniment.registry.registry import ledger_of


def count_shown(registry: Registry, made: Compilation) -> None:
    """Count once more, for each of the registry's blocks in this prompt, that it was shown."""
    inside = {block.id for block in made.blocks}
    ledger = ledger_of(registry)
    with ledger.lock:
        ledger.shown([block_id for block_id in ledger.ids if block_id not in inside])
