"""The command itself: a folder of its own, a store in it, the acts one after the other, and nothing left behind unless asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import click

from muniment import opening, settings
from muniment.cli import documents
from muniment.cli import documents_derived as derived
from muniment.cli.demo import acts, story, view
from muniment.cli.documents import Document
from muniment.cli.exits import Exit
from muniment.cli.output import Screen
from muniment.errors import InputError
from muniment.types import Receipt

STORE = "demo.db"
SETTINGS = """# Written by `muniment demo --keep`. Commands typed in this folder speak for Mara of the Kestrel Theatre.
store = "sqlite:///demo.db"
client = "foyer"
customer = "kestrel-theatre"
user = "mara"
agent = "support"
"""


@click.command()
@click.option(
    "--keep", metavar="FOLDER", type=click.Path(path_type=Path), help="Keep the store in this new folder, to look around in."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and errors as JSON too.")
def demo(*, keep: Path | None, as_json: bool) -> int:
    """See it at work: a short story in six acts.

    Remember, learn, ask, try the walls, put a prompt together, forget. It needs no key, no network and no
    settings, and works in a temporary folder that is gone afterwards.
    """
    screen = Screen(as_json=as_json)
    begun = perf_counter()
    view.show_opening(screen)
    with _folder(keep) as folder:
        document = asyncio.run(_play(screen, folder))
    seconds = perf_counter() - begun
    screen.document({**document, "kept": str(keep) if keep else None, "seconds": round(seconds, 2)})
    view.show_next(screen, keep, seconds)
    return Exit.DONE


async def _play(screen: Screen, folder: Path) -> Document:
    async with opening.open(f"sqlite:///{folder / STORE}") as opened:
        view.show_act(screen, 1)
        remembered = await acts.remember(opened)
        stats = await opened.stats()
        view.show_remembered(screen, remembered, stats)

        view.show_act(screen, 2)
        learned = await acts.learn(opened)
        view.show_learned(screen, learned)

        view.show_act(screen, 3)
        answers = []
        for question in story.QUESTIONS:
            answers.append(await acts.ask(opened, question))
            view.show_answer(screen, question, answers[-1], first=len(answers) == 1)

        view.show_act(screen, 4)
        walls = await acts.try_walls(opened)
        view.show_walls(screen, walls)

        view.show_act(screen, 5)
        assembly = await acts.put_together(opened)
        view.show_prompt(screen, assembly)

        view.show_act(screen, 6)
        forgotten = await acts.forget(opened, lambda words: _occurrences(folder, words))
        view.show_forgotten(screen, forgotten)
    return {
        "remembered": [_session_document(*taken) for taken in remembered.sessions],
        "stats": documents.stats_document(stats, None),
        "learned": _learned_document(learned),
        "questions": [
            documents.bundle_document(bundle, question.scope) for question, bundle in zip(story.QUESTIONS, answers, strict=True)
        ],
        "walls": [{"foreign": wall.foreign, **documents.bundle_document(wall.bundle, wall.scope)} for wall in walls],
        "prompt": documents.assembly_document(assembly, story.MARA, form="text", prompt=assembly.compilation.text),
        "forgotten": {
            "erasure": documents.erasure_document(forgotten.erasure),
            "words": story.WORDS,
            "times_before": forgotten.before,
            "times_after": forgotten.after,
        },
    }


def _session_document(session: story.Session, receipt: Receipt, again: Receipt) -> Document:
    return {
        "conversation": session.conversation,
        "scope": documents.scope_document(session.scope),
        "counts": documents.counts_document(receipt.items),
        "sent_again": documents.counts_document(again.items),
    }


def _learned_document(learned: acts.Learned) -> Document:
    return {
        "derived": derived.derived_document(learned.work),
        "memories": [derived.memory_document(memory, learned.bundle.now) for memory in learned.memories],
        "entities": [derived.entity_document(entity) for entity in learned.entities],
        "answer": documents.bundle_document(learned.bundle, story.SARAH),
    }


def _occurrences(folder: Path, words: bytes) -> int:
    return sum(path.read_bytes().count(words) for path in folder.glob(f"{STORE}*"))


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """A folder for the demo alone. Raises InputError when the one to keep exists already or cannot be made."""
    if keep is None:
        with TemporaryDirectory(prefix="muniment-demo-") as name:
            yield Path(name)
        return
    try:
        keep.mkdir(parents=True)
        (keep / settings.FILE).write_text(SETTINGS, encoding="utf-8")
        (keep / story.PACKAGED).write_bytes(story.packaged_bytes())
    except FileExistsError as error:
        raise InputError("this folder exists already.", place=str(keep), code="exists", hint="Choose a new name.") from error
    except OSError as error:
        why = error.strerror or "unknown reason"
        raise InputError(
            f"this folder cannot be made ({why}).", place=str(keep), code="unwritable", hint="Choose another place."
        ) from error
    yield keep
