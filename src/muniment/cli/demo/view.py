"""How the demo looks: six short acts, each a few lines that tell what happened and what to notice.

Rule of this file: every number comes from a receipt, a bundle or a compilation; nothing is told that the engine did not say.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from muniment.bundle import Bundle
from muniment.cli import views
from muniment.cli.demo import story
from muniment.cli.demo.acts import Forgotten, Learned, Remembered, Wall
from muniment.cli.demo.story import Question
from muniment.cli.output import GOOD, SOFT, STRONG, WARN, Screen
from muniment.cli.prompt_view import show_budget
from muniment.cli.views import count, moment, size
from muniment.cli.visible import one_line
from muniment.compilation import Assembly
from muniment.errors import install
from muniment.knowledge.entities import names_of
from muniment.knowledge.values import Memory, Status
from muniment.types import Outcome, Stats

MARGIN = "   "
PEOPLE = {
    story.MARA: "Mara, Kestrel Theatre",
    story.TEO: "Teo, Kestrel Theatre",
    story.KESTREL: "all of Kestrel Theatre",
    story.INES: "Inês, Halden Cinema",
}
TITLES = (
    "Six conversations are remembered",
    "What is made of a conversation",
    "Two questions, each answered with evidence",
    "Three people ask the same question",
    "The next prompt, within its budget",
    "A conversation is forgotten",
)


def show_opening(screen: Screen) -> None:
    """The scene."""
    screen.line(
        ("Muniment demo. ", STRONG),
        "Foyer sells tickets for theatres and cinemas. In six weeks its support agent talked with Mara and Teo of the "
        "Kestrel Theatre, and with Inês of the Halden Cinema. All of them are made up; everything you see is computed now.",
    )


def show_act(screen: Screen, number: int) -> None:
    """The heading of an act."""
    screen.gap()
    screen.line((f"{number}  ", "bold cyan"), (TITLES[number - 1], STRONG))
    screen.gap()


def show_remembered(screen: Screen, remembered: Remembered, stats: Stats) -> None:
    """Act 1: one line per session, and what a retry did."""
    names = max(len(name) for name in PEOPLE.values())
    topics = max(len(session.conversation) for session, _, _ in remembered.sessions)
    with screen.margin(MARGIN):
        for session, receipt, again in remembered.sessions:
            told = f"{_counts(receipt.count(Outcome.STORED), 'stored')}  "
            retry = f"sent again: {_counts(again.count(Outcome.UNCHANGED), 'unchanged')}"
            screen.line(
                f"{PEOPLE[session.scope]:<{names}}  ", (f"{session.conversation:<{topics}}  ", SOFT), (told, GOOD), (retry, SOFT)
            )
        screen.gap()
        kept = f"{count(stats.records, 'turn')}, word for word, each with the day it was said on, in {size(stats.bytes)}."
        screen.line(kept, " Sending them again stored nothing twice.")
        if not stats.embedder:
            hint = "Words alone are searched, not meaning: the extra “local” is not installed."
            screen.line((f"{hint} {install('local')}", WARN))


def _counts(number: int, word: str) -> str:
    return f"{number:>2} {word}"


def show_learned(screen: Screen, learned: Learned) -> None:
    """Act 2: each turn and what became of it, the names of one person, and the answer that holds now."""
    told = {id_: memory for memory in learned.memories for id_ in [e.record for e in memory.evidence]}
    outcomes = {item.record: item.outcomes for item in learned.work}
    with screen.margin(MARGIN):
        for record in learned.records:
            screen.line((f"{record.speaker}: ", SOFT), one_line(record.text), hang=2)
            for memory in learned.memories:
                if record.id in {evidence.record for evidence in memory.evidence}:
                    _show_memory(screen, memory)
            if record.id not in told:
                why = ", ".join(code.partition(":")[2] for code in outcomes.get(record.id, ()))
                screen.line((f"refused: {why}" if why else "nothing to keep", WARN), indent=len(MARGIN))
        person = max(learned.entities, key=lambda entity: len(names_of(entity)))
        names = ", ".join(one_line(alias.text) for alias in names_of(person))
        screen.line((one_line(person.name), STRONG), f" is one person under {count(len(names_of(person)), 'name')}: {names}.")
        gone = sum(story.KEPT_OUT in record.text for record in learned.records)
        screen.line("The password was taken out before anything was written." if not gone else "The password was kept.")
        screen.line(("Sarah asks: ", SOFT), (story.NOW, STRONG))
        for place, hit in enumerate(learned.bundle, 1):
            views.show_hit(screen, hit, place, best=learned.bundle.hits[0].score, scope=story.SARAH, brief=True)


def _show_memory(screen: Screen, memory: Memory) -> None:
    gone = memory.status is not Status.CURRENT
    screen.line(
        (f"{memory.kind}: ", SOFT),
        (one_line(memory.text), SOFT if gone else GOOD),
        (f", {memory.status.value} {moment(memory.valid_to)}" if gone and memory.valid_to else "", WARN),
        indent=len(MARGIN),
        hang=2,
    )


def show_answer(screen: Screen, question: Question, bundle: Bundle, *, first: bool) -> None:
    """Act 3: a question, its best evidence and the reasons, and what to notice."""
    if not first:
        screen.gap()
    with screen.margin(MARGIN):
        screen.line((f"{story.NAMES[question.scope]} asks: ", SOFT), (question.text, STRONG))
        for place, hit in enumerate(bundle, 1):
            views.show_hit(screen, hit, place, best=bundle.hits[0].score, scope=question.scope, brief=True)
        screen.line((f"→ {question.remark}", "italic dim"), hang=2)


def show_walls(screen: Screen, walls: Sequence[Wall]) -> None:
    """Act 4: how much each asker's question could look at, and the best it found."""
    names = max(len(PEOPLE[wall.scope]) for wall in walls)
    with screen.margin(MARGIN):
        screen.line(("Each asks: ", SOFT), (story.WALL, STRONG))
        for wall in walls:
            looked_at = f"  looked at {count(wall.bundle.health.searched, 'record')}: {story.REACH[wall.scope]}"
            screen.gap()
            screen.line(f"{PEOPLE[wall.scope]:<{names}}", (looked_at, SOFT))
            best = next((hit for hit in wall.bundle.hits[:1] if hit.terms), None)
            found = f"“{one_line(best.record.text)}”" if best else "no record of theirs holds a word of the question"
            screen.line((found, "" if best else SOFT), indent=len(MARGIN))
        screen.gap()
        foreign = sum(wall.foreign for wall in walls)
        screen.line((f"{foreign} hits came from a scope their reader may not see.", GOOD if not foreign else "bold red"))


def show_prompt(screen: Screen, assembly: Assembly) -> None:
    """Act 5: the prompt as the model will read it, the budget, and what was left out."""
    with screen.margin(MARGIN):
        screen.line((f"{story.NAMES[story.MARA]} writes: ", SOFT), (story.MESSAGE, STRONG))
        screen.gap()
        with screen.margin(("│ ", SOFT)):
            screen.words(assembly.compilation.text)
        show_budget(screen, assembly.compilation)


def show_forgotten(screen: Screen, forgotten: Forgotten) -> None:
    """Act 6: the receipt, the bytes, and the question nobody can answer any more."""
    with screen.margin(MARGIN):
        screen.line((f"{story.NAMES[story.TEO]}: ", SOFT), ("Please forget what I said about the scanners and my eyes.", STRONG))
        screen.gap()
        views.show_erasure(screen, forgotten.erasure, story.TEO, everything=False)
        words = f"“{story.WORDS}” stood in the files {forgotten.before} times, now {forgotten.after} times."
        screen.line((words, GOOD if not forgotten.after else "bold red"))
        still = sum(story.WORDS in hit.record.text for hit in forgotten.bundle)
        screen.line(f"Asked “{story.AFTERWARDS}”, it finds {still or 'nothing'} of it.")


def show_next(screen: Screen, kept: Path | None, seconds: float) -> None:
    """What to type now; each line works when pasted."""
    screen.gap()
    screen.line((f"Done in {seconds:.1f} seconds, without network or key.", SOFT))
    screen.gap()
    if kept:
        screen.line(("Look around in what was kept, as Mara:", STRONG))
        _commands(
            screen, [f"cd {quote(str(kept))}", 'muniment retrieve "Who is JP?"', "muniment list --limit 5", "muniment doctor"]
        )
        return
    screen.line(("Now with your own words:", STRONG))
    _commands(
        screen,
        [
            'echo "I moved to Porto in May." | muniment ingest - --user ana',
            'muniment retrieve "Where did I move to?" --user ana',
            'muniment assemble "Find a dentist where I moved to." --user ana --budget 300',
        ],
    )
    screen.line(("Or keep this story and look around in it:", STRONG))
    _commands(screen, ["muniment demo --keep story"])


def _commands(screen: Screen, commands: Sequence[str]) -> None:
    with screen.margin(MARGIN):
        for command in commands:
            screen.unwrapped((command, "cyan"))
