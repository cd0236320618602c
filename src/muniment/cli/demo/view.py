"""How the demo looks: five short acts, each a few lines that tell what happened and what to notice.

Rule of this file: every number comes from a receipt, a bundle or a compilation; nothing is told that the engine did not say.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from muniment.bundle import Bundle
from muniment.cli import views
from muniment.cli.demo import story
from muniment.cli.demo.acts import Forgotten, Remembered, Wall
from muniment.cli.demo.story import Question
from muniment.cli.output import GOOD, SOFT, STRONG, WARN, Screen
from muniment.cli.prompt_view import show_budget
from muniment.cli.views import count, size
from muniment.cli.visible import one_line
from muniment.compilation import Assembly
from muniment.errors import install
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
    "Three questions, each answered with evidence",
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


def show_answer(screen: Screen, question: Question, bundle: Bundle, *, first: bool) -> None:
    """Act 2: a question, its best evidence and the reasons, and what to notice."""
    if not first:
        screen.gap()
    with screen.margin(MARGIN):
        screen.line((f"{story.NAMES[question.scope]} asks: ", SOFT), (question.text, STRONG))
        for place, hit in enumerate(bundle, 1):
            views.show_hit(screen, hit, place, best=bundle.hits[0].score, scope=question.scope, brief=True)
        screen.line((f"→ {question.remark}", "italic dim"), hang=2)


def show_walls(screen: Screen, walls: Sequence[Wall]) -> None:
    """Act 3: how much each asker's question could look at, and the best it found."""
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
    """Act 4: the prompt as the model will read it, the budget, and what was left out."""
    with screen.margin(MARGIN):
        screen.line((f"{story.NAMES[story.MARA]} writes: ", SOFT), (story.MESSAGE, STRONG))
        screen.gap()
        with screen.margin(("│ ", SOFT)):
            screen.words(assembly.compilation.text)
        screen.gap()
        show_budget(screen, assembly.compilation)


def show_forgotten(screen: Screen, forgotten: Forgotten) -> None:
    """Act 5: the receipt, the bytes, and the question nobody can answer any more."""
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
