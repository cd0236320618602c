"""Public fakes for tests: real implementations of the ports that answer from what they were given.

`muniment.testing.conformance` proves a store, `muniment.testing.strategies` draws values (needs hypothesis), and
`muniment.testing.guard` keeps a test run off the network (needs pytest). None of them is imported from here.
"""

from muniment.testing.answers import ScriptedAnswers
from muniment.testing.fakes import CountingTokens, FailingEmbedder, FaultyEmbedder, FixedClock, TableEmbedder
from muniment.testing.reranking import FailingReranker, TableReranker
from muniment.testing.samples import sample_entity, sample_entries, sample_memory, sample_record, sample_write

__all__ = [
    "CountingTokens",
    "FailingEmbedder",
    "FailingReranker",
    "FaultyEmbedder",
    "FixedClock",
    "ScriptedAnswers",
    "TableEmbedder",
    "TableReranker",
    "sample_entity",
    "sample_entries",
    "sample_memory",
    "sample_record",
    "sample_write",
]
