"""Stores: each one file behind the ports, all proved by the same conformance suite."""
