"""The six acts, played on an engine: remember, learn, ask, try the walls, put a prompt together, forget.

Rule of this file: it uses the engine as any program would, and returns what the engine said. Showing it is another file's work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from muniment.bundle import Bundle
from muniment.cli.demo import story
from muniment.cli.demo.story import Question, Session
from muniment.compilation import Assembly
from muniment.engine import Engine
from muniment.knowledge.values import Entity, Memory, MemoryFilter, Status, WorkItem
from muniment.types import Erasure, Receipt, Record, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """Act 1: the receipt of each session, and of sending it once more."""

    sessions: tuple[tuple[Session, Receipt, Receipt], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """Act 2: what became of each turn of a conversation, what is known after it, and the answer to a question now."""

    records: tuple[Record, ...]
    work: tuple[WorkItem, ...]
    memories: tuple[Memory, ...]
    entities: tuple[Entity, ...]
    bundle: Bundle


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """Act 4: one question, asked by one user."""

    scope: Scope
    bundle: Bundle

    @property
    def foreign(self) -> int:
        """Hits from a scope this user may not see. Anything but 0 is a fault."""
        return sum(not hit.record.scope.covers(self.scope) for hit in self.bundle)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """Act 6: how often the words stood in the store's files before and after, the receipt, and what is still found."""

    before: int
    erasure: Erasure
    after: int
    bundle: Bundle


async def remember(engine: Engine) -> Remembered:
    """Take all sessions in, then all of them again, as a retry would."""
    first = [await _take(engine, session) for session in story.sessions()]
    again = [await _take(engine, session) for session in story.sessions()]
    await engine.work.wait()
    return Remembered(sessions=tuple(zip(story.sessions(), first, again, strict=True)))


async def _take(engine: Engine, session: Session) -> Receipt:
    return await engine.ingest(session.scope, session.turns, agent=story.AGENT, conversation=session.conversation)


async def learn(engine: Engine) -> Learned:
    """Take a conversation in and read it."""
    receipt = await engine.ingest(story.SARAH, story.talk(), agent=story.AGENT, conversation="plans")
    await engine.work.wait(story.SARAH, receipt.ids)
    page = await engine.memories.list(story.SARAH, MemoryFilter(statuses=tuple(Status)))
    return Learned(
        records=tuple([await engine.get(story.SARAH, record) for record in receipt.ids]),
        work=tuple(await engine.work.status(story.SARAH, receipt.ids)),
        memories=page.memories[::-1],
        entities=(await engine.entities.list(story.SARAH)).entities,
        bundle=await engine.retrieve(story.SARAH, story.NOW, agent=story.AGENT, limit=1),
    )


async def ask(engine: Engine, question: Question) -> Bundle:
    """The evidence for one question."""
    return await engine.retrieve(question.scope, question.text, agent=story.AGENT, limit=question.limit)


async def try_walls(engine: Engine) -> tuple[Wall, ...]:
    """One question, asked by three users of two companies."""
    return tuple(
        [Wall(scope=scope, bundle=await engine.retrieve(scope, story.WALL, agent=story.AGENT)) for scope in story.ASKERS]
    )


async def put_together(engine: Engine) -> Assembly:
    """The prompt for Mara's next message."""
    return await engine.assemble(
        story.MARA,
        story.MESSAGE,
        budget=story.BUDGET,
        reserve=story.RESERVE,
        agent=story.AGENT,
        conversation=story.RUNNING,
        instructions=story.INSTRUCTIONS,
    )


async def forget(engine: Engine, occurrences: Callable[[bytes], int]) -> Forgotten:
    """Forget a conversation; `occurrences` counts some bytes in the store's files."""
    secret = story.WORDS.encode()
    before = occurrences(secret)
    erasure = await engine.forget(story.TEO, conversation=story.FORGOTTEN)
    bundle = await engine.retrieve(story.TEO, story.AFTERWARDS, agent=story.AGENT, limit=3)
    return Forgotten(before=before, erasure=erasure, after=occurrences(secret), bundle=bundle)
