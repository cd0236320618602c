"""From blocks in order to the next prompt: what fits the budget, what was left out and why, and the shapes chat APIs take."""

from __future__ import annotations

from muniment.compile.anthropic import AnthropicPrompt, AnthropicTool, to_anthropic
from muniment.compile.checks import prompt_room
from muniment.compile.gate import Gate
from muniment.compile.guard import Attempt, Calls, Guard
from muniment.compile.last import Choices
from muniment.compile.openai import OpenAIMessage, OpenAITool, openai_tools, to_openai
from muniment.compile.render import to_text
from muniment.compile.shown import count_shown
from muniment.compile.walk import compile  # noqa: A004  # the glossary's verb

__all__ = [
    "AnthropicPrompt",
    "AnthropicTool",
    "Attempt",
    "Calls",
    "Choices",
    "Gate",
    "Guard",
    "OpenAIMessage",
    "OpenAITool",
    "compile",
    "count_shown",
    "openai_tools",
    "prompt_room",
    "to_anthropic",
    "to_openai",
    "to_text",
]
