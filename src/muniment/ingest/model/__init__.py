"""Extraction by a language model: one question per batch, structured answers, and the checks every answer has to pass.

Rule of this room: a model proposes, evidence decides. What names no turn, quotes no words of it, or tells what is not in it is
refused item by item with a reason; the rest stands.
"""

from __future__ import annotations

from muniment.ingest.model.step import ModelReader, reader

__all__ = ["ModelReader", "reader"]
