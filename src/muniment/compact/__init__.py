"""Compact: a span of records as a shorter digest, every claim of it checked; a digest leads back to the records."""

from muniment.compact.rules_digest import Wish, digest
from muniment.compact.rules_forms import rendered
from muniment.compact.rules_verify import verify
from muniment.knowledge.digests import Digest

__all__ = ["Digest", "Wish", "digest", "rendered", "verify"]
