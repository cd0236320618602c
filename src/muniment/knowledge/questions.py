"""The kinds of question that retrieval tells apart, by name: an architecture may weigh each otherwise.

Rule of this file: names only. What words tell a kind stands in retrieve/words_asked.py.
"""

from __future__ import annotations

QUESTIONS: dict[str, str] = {
    "who": "Who or whose.",
    "when": "At what time, on which day, since when.",
    "where": "At what place.",
    "why": "For what reason.",
    "how_many": "How many, how often: what is counted.",
    "list": "All of something: what is listed.",
    "preference": "What somebody likes, prefers or would recommend.",
    "decision": "What was decided, and what spoke for it.",
}
"""Kinds of question and what they ask for. A question may be of several, or of none."""
