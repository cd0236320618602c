"""Extract: what one record says, as candidates, names and refusals, each proved by its place in the record's text.

Rule of this room: pure functions of the record, a few records before it and the architecture. Nothing known is asked for; that
is settled later. What it looks for is some hundreds of patterns, which are made when the first record is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Extraction
from muniment.types import Record


def extract(record: Record, *, before: Sequence[Record] = (), architecture: Architecture) -> Extraction:
    """What `record` says. `before` are up to six earlier records of its conversation, oldest first.

    Never raises for any text. A sentence that is refused gives no candidate and one `Refusal`; neighbours refused for one reason
    are told as one stretch. Beyond the architecture's most per record, candidates are left out, and the note says so.
    """
    from muniment.ingest.extract.rules_extract import read_record  # noqa: PLC0415  # whoever reads nothing waits for no pattern

    return read_record(record, before=before, architecture=architecture)
