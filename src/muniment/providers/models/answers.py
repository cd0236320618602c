"""A chat model as the port `Model`: asked off the event loop, one question at a time.

Rule of this file: nothing is decided. The model's own adapter bounds how long it takes and how often it tries.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from muniment.errors import ProviderError
from muniment.ports import Answer
from muniment.providers.models.chat import ChatModel, Reply

_SEED = 7


class ChatAnswers:
    """Any `ChatModel` as a `Model`. It owns the chat model and closes it. Bound to no event loop."""

    def __init__(self, chat: ChatModel) -> None:
        self.name = chat.name
        self._chat = chat
        self._closed = False
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="muniment-model")

    def __repr__(self) -> str:
        return f"ChatAnswers({self.name!r})"

    async def ask(self, instructions: str, prompt: str, *, schema: str, max_tokens: int) -> Answer:
        """One answer, of its likeliest tokens. A caller that gives up leaves a thread behind, which ends with its try."""
        if self._closed:
            raise ProviderError("this model is closed.", code="closed", hint="Open it again.")
        messages = [{"role": "system", "content": instructions}, {"role": "user", "content": prompt}]

        def answer() -> Reply:
            return self._chat.answer(messages, max_tokens=max_tokens, seed=_SEED, schema=schema)

        reply = await asyncio.get_running_loop().run_in_executor(self._pool, answer)
        return Answer(text=reply.text, prompt_tokens=reply.prompt_tokens, completion_tokens=reply.completion_tokens)

    async def close(self) -> None:
        """Close the chat model and wait for the thread. Later calls of `ask` raise ProviderError."""
        self._closed = True
        await asyncio.to_thread(self._chat.close)
        await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)
