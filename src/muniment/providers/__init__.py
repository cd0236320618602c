"""Adapters to what is not a store: embedders, token counters, the clock. Each translates, and never decides."""
