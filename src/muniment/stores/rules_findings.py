"""What the doctor says of what is derived from records: the checks, their words, and what mends a fault.

Rule of this file: pure, and the same for every store.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from muniment.types import Finding

SHOWN = 5  # places named in a finding

CHECKS = {
    "memories": "memories read back as they were written.",
    "lookups": "memories and entities are found by what they say.",
    "evidence": "of them are proved by records that are there.",
    "blobs": "blobs have the digest they are kept under.",
}
_HINTS = {
    "memories": "Forget the records that prove them and ingest those again, or import an export into a new store.",
    "lookups": "Queue the records of that scope again: what is derived anew is written anew. Else import an export.",
    "evidence": "Forget what is left of them by their scope, or import an export into a new store.",
    "blobs": "Forget the records that refer to them and ingest those again.",
}


def findings(counts: Mapping[str, int], faults: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """One finding of every check, good ones included: how many were looked at, or where the first faults are."""
    for name, sound in CHECKS.items():
        found = faults.get(name, ())
        if not found:
            yield Finding(check=name, ok=True, message=f"{counts.get(name, 0)} {sound}")
        else:
            where = "; ".join(found[:SHOWN]) + ("; and others" if len(found) > SHOWN else "")
            yield Finding(check=name, ok=False, message=f"{len(found)} do not hold: {where}.", hint=_HINTS[name])
