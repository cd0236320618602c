"""The doctor's look at what a store in memory derived from records: the same findings as of a file.

Rule of this file: it changes nothing, and compares what is kept with what would be kept of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from muniment.knowledge.digests import Digest
from muniment.knowledge.values import Entity, Memory
from muniment.stores.bodies import entity_body, entity_of, memory_body, memory_of
from muniment.stores.memory_knowledge import Knowledge, keys_kept
from muniment.stores.memory_ports import Holding, PartOf
from muniment.stores.rules_findings import CHECKS, findings
from muniment.stores.rules_knowledge import namers, proofs
from muniment.types import Finding


def check_knowledge(holdings: Sequence[Holding], digests: Mapping[PartOf, Sequence[Digest]]) -> list[Finding]:
    """One finding of every kind, good ones included."""
    faults: dict[str, list[str]] = {name: [] for name in CHECKS}
    counts: Counter[str] = Counter()
    for holding in holdings:
        kept = holding.knowledge
        derived: Sequence[Memory | Entity] = [*kept.memories.values(), *kept.entities.values()]
        for name in ("memories", "lookups", "evidence"):
            counts[name] += len(derived) + len(kept.merges)
        for row in derived:
            for kind in _differ(holding, row):
                faults[kind].append(f"{holding.scope} #{row.seq}")
        counts["blobs"] += len({digest for blobs in kept.blobs.values() for digest in blobs})
        faults["blobs"] += _wrong_blobs(holding)
    records = {holding.scope: holding for holding in holdings}
    for part, versions in digests.items():
        counts["digests"] += len(versions)
        faults["digests"] += [f"{part[0]} {part[1]}" for one in versions if not all(map(records[part[0]].record, one.records))]
    return list(findings(counts, faults))


def _differ(holding: Holding, row: Memory | Entity) -> Iterator[str]:
    """Kinds of fault of one memory or entity."""
    kept = holding.knowledge
    if _as_written(kept, row) != row:
        yield "memories"
    if any(row.id not in kept.lookup.find(*key) for key in keys_kept(row)):
        yield "lookups"
    names = proofs(row) if isinstance(row, Memory) else namers(row)
    if not all(holding.record(name) for name in names) or (isinstance(row, Memory) and not names):
        yield "evidence"


def _as_written(kept: Knowledge, row: Memory | Entity) -> Memory | Entity:
    if isinstance(row, Memory):
        return memory_of(kept.scope, row.seq, memory_body(row))
    return entity_of(kept.scope, row.seq, entity_body(row))


def _wrong_blobs(holding: Holding) -> list[str]:
    blobs = [(record, blob) for record, some in holding.knowledge.blobs.items() for blob in some.values()]
    return [
        f"{holding.scope} blob {blob.digest}"
        for record, blob in blobs
        if sha256(blob.data).hexdigest() != blob.digest or not holding.record(record)
    ]
