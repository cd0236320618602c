"""Compact: a span of records as a shorter digest, every claim of it checked; a digest leads back to the records."""
