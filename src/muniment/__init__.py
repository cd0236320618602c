"""Muniment: the whole life of an LLM agent's context."""
