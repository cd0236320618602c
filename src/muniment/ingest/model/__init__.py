"""Extraction by a language model: one question per batch, structured answers, and the checks every answer has to pass.

Rule of this room: a model proposes, evidence decides. What names no turn, quotes no words of it, or tells what is not in it is
refused item by item with a reason; the rest stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from muniment.ports import Model

if TYPE_CHECKING:
    from muniment.ingest.model.step import ModelReader


def reader(model: Model | None) -> ModelReader | None:
    """A reader of records with `model`, or None without one."""
    if model is None:
        return None
    from muniment.ingest.model.step import ModelReader  # noqa: PLC0415  # whoever has no model waits for none of its checks

    return ModelReader(model)
