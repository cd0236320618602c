"""Rerankers: tokens of the local embedder compared one by one, a cross-encoder of your own, a language model.

Rule of this room: each keeps the port `Reranker`; what it judges with stays its own matter.
"""
