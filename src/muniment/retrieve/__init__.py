"""Retrieve: the evidence that answers a question, ranked and explained, from one scope and its ancestors."""

from muniment.retrieve.rules import Question, Ranked, Ranking, Weights, rank, read_question
from muniment.retrieve.step import retrieve

__all__ = ["Question", "Ranked", "Ranking", "Weights", "rank", "read_question", "retrieve"]
