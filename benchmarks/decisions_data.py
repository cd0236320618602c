"""Conversations in which something is decided, made from facts and templates by a seed, with the gold that the maker knows.

Rule of this file: it knows nothing of how decisions are read. `templates` and `wide` wordings served while rules were made; those
of `held-out` were written last, and no rule was changed for them.
"""

# ruff: noqa: E501  a template and a fact read best on one line

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.decisions_facts import CUSTOMERS, MATTERS, PEOPLE, Matter

START = datetime(2026, 2, 2, 9, tzinfo=UTC)
TUNED = "templates"
WIDE = "wide"
HELD = "held-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    role: str
    text: str
    said_at: datetime
    speaker: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """One decision that stands at the end: words of what was chosen, why, instead of what, what came of it; by which turn."""

    turn: int
    chosen: str
    rationale: str = ""
    alternatives: tuple[str, ...] = ()
    outcome: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One conversation of one user and its gold. `slice` says which family of wordings its decisions come from."""

    id: str
    client: str
    customer: str
    user: str
    turns: tuple[Turn, ...]
    gold: tuple[Gold, ...]
    slice: str = TUNED


# {x} chosen, {y} an alternative, {z} another, {why} a clause, {thing} the same as a thing, {about} the matter
FULL = (
    "We decided to go with {x} instead of {y} because {why}.",
    "After a long discussion about {about} we settled on {x} rather than {y}, mainly because of {thing}.",
    "For {about} I chose {x} over {y} since {why}.",
    "I looked at {y} and {z} for {about}, but in the end I went with {x} because {why}.",
    "We considered {y} and {z}. In the end we picked {x}. The main reason was {thing}.",
    "The team agreed on {x} for {about}, not {y}, due to {thing}.",
    "{name} decided on {x} instead of {y} because {why}.",
    "Because {why}, we opted for {x} over {y}.",
    "As for {about}: we've decided on {x}. We also considered {y}, but {why}.",
    "Decision: {x} for {about}. Reason: {why}. Rejected: {y} and {z}.",
    "I was torn between {y} and {x} and finally chose {x}, as {why2}.",
    "It was decided to take {x} for {about} instead of {y} on account of {thing}.",
    "We ruled out {y} and {z} and went for {x}; what tipped it was {thing}.",
    "{x} was chosen over {y} for {about} because {why}.",
    "Quick note on {about}: we're going with {x}, not {y}, because {why}.",
    "I've made up my mind about {about}: it's {x} rather than {y}, because {why}.",
)
REASON_ONLY = (
    "We finally decided on {x} for {about} because {why}.",
    "I decided to go with {x}. {Why}, so it was easy.",
    "Our decision on {about} is {x}, given {thing}.",
    "{Why}, so we went with {x}.",
    "{Why}. That's why I chose {x}.",
)
BARE = (
    "So it's settled: for {about} we agreed on {x}.",
    "We have decided on {x} for {about}.",
    "I decided to take {x} for {about}.",
)
WIDE_FULL = (
    "Long story short, {about} is sorted: {x} won out over {y}, seeing that {why}.",
    "We pulled the trigger on {x} for {about}. {y} was the runner-up, but {why}.",
    "When it came to {about}, {x} beat {y} hands down because {why}.",
    "The vote went to {x}, with {y} a close second; {thing} made the difference.",
    "I ended up passing on {y} and taking {x}, the reason being that {why}.",
    "{name} made the final call on {about} today: {x}. {y} is off the table because {why}.",
    "We're all set on {x} for {about}, {y} just didn't cut it given {thing}.",
    "My choice for {about} is {x} (not {y}) - {why}.",
    "Everyone on the team preferred {x} to {y} in the end, and that's what we're doing, because {why}.",
    "{about_cap} will be {x} after all; we dropped {y} because {why}.",
)
WIDE_REASON = (
    "We've committed to {x} for {about}, and the logic is simple: {why}.",
    "{x} it is for {about}, thanks to {thing}.",
    "I signed off on {x} this morning. Why? {Why}.",
)
HELD_FULL = (
    "So, drumroll: {about} goes to {x}, much as I liked {y}. {Why}.",
    "Minutes: {about} - {x} carried 5 to 2 against {y}, on the strength of {thing}.",
    "Between us, {y} never stood a chance once we learned that {why}, so {x} got booked.",
    "I'm done dithering about {about}. {x}, final. Not {y}. {Why}.",
    "{name} and I shook hands on {x} yesterday; {y} lost its appeal when we saw that {why}.",
    "You know how I kept going back and forth between {x} and {y}? Well, I've landed on {x}, if only because {why}.",
    "FYI all: as of today {about} means {x}. {y} had fans too, however {why}.",
    "In the end {thing} outweighed everything {y} had going for it, and {x} is what we are getting.",
)
HELD_REASON = (
    "Took me a week, but {x} has my signature. {Why}, after all.",
    "With {thing} in mind, {name} has plumped for {x}.",
)
HELD_OUTCOMES = (
    "You asked about {x}. {outcome_cap}.",
    "{x} has been in use for a while now and {outcome}.",
    "Funny how {x} went: {outcome}.",
)
OUTCOMES = (
    "Update on {about}: since we went with {x}, {outcome}.",
    "Since switching to {x}, {outcome}.",
    "Remember {x}? It worked out: {outcome}.",
    "The decision to go with {x} paid off: {outcome}.",
    "Turns out {x} was the right choice, {outcome}.",
    "As a result of choosing {x}, {outcome}.",
)
WIDE_OUTCOMES = (
    "Three weeks in with {x} and {outcome}.",
    "Looking back at {x}: {outcome}.",
    "How did {x} do, you ask? Well, {outcome}.",
    "Here's what happened with {x}: {outcome}.",
)
REVERSED = (
    "We changed our minds about {old}: we decided to go with {x} instead of {old} because {why}.",
    "Scratch that, not {old} after all. We've decided on {x} instead, because {why}.",
)
DISTRACTORS = (
    "Should we use {x} or {y} for {about}?",
    "Maybe we should go with {y} for {about}.",
    "What if we picked {y} for {about}?",
    "If we chose {y}, {about} would be done by now.",
    "We haven't decided anything about {about} yet.",
    "I can't decide between {x} and {y}.",
    "People usually choose {y} for things like that.",
    "I wish we had gone with {y} back then.",
    "Someone suggested {y} for {about}, what do you think?",
    "I'd probably go with {y}, but who knows.",
    "We still need to decide on {about}.",
    "Have you ever tried {y}?",
    "How do companies decide between {x} and {y}?",
    "He might go with {y} for {about}.",
    "It would have been cheaper to choose {y}.",
)
SMALL_TALK = (
    "Good morning! How was your weekend?", "Thanks, that helps a lot.", "The weather has been awful all week.", "My train was late again today.",
    "Could you remind me what time the call starts?", "I had pasta for lunch.", "That sounds good to me.", "The printer on the third floor is broken.",
    "I need to renew my passport at some point.", "Have a nice evening!", "My sister called yesterday, she is doing fine.", "Ok, noted.",
    "Did you see the game last night?", "The report has twelve pages.", "I'm reading a book about whales at the moment.", "It was busy in the shop today.",
)  # fmt: skip
REPLIES = (
    "Got it, I've made a note of that.", "Understood. Is there anything else I can help you with?", "Thanks for telling me!",
    "That sounds reasonable.", "Sure, happy to help with that.", "Interesting, tell me more.", "I see. What are the constraints?",
)  # fmt: skip


@dataclass(slots=True, kw_only=True)
class _Maker:
    random: random.Random
    noise: Sequence[tuple[str, str]]
    turns: list[Turn] = field(default_factory=list)
    gold: list[Gold] = field(default_factory=list)
    at: datetime = START

    def say(self, role: str, text: str) -> int:
        self.at += timedelta(minutes=self.random.randint(1, 9))
        self.turns.append(Turn(role=role, text=text, said_at=self.at))
        return len(self.turns) - 1

    def chat(self, count: int) -> None:
        for _ in range(count):
            if self.noise and self.random.random() < 0.6:
                role, text = self.random.choice(self.noise)
                self.say(role, text)
            else:
                self.say("user", self.random.choice(SMALL_TALK))
                self.say("assistant", self.random.choice(REPLIES))

    def distract(self, matter: Matter, options: Sequence[str]) -> None:
        for text in self.random.sample(DISTRACTORS, 2):
            self.say("user", text.format(x=options[0], y=options[1], about=matter.about))
            self.say("assistant", self.random.choice(REPLIES))


def _words(matter: Matter, options: Sequence[str], reason: tuple[str, str], name: str) -> dict[str, str]:
    why, thing = reason
    return {
        "x": options[0], "y": options[1], "z": options[2], "why": why, "why2": f"it turned out that {why}", "thing": thing, "name": name,
        "Why": why[0].upper() + why[1:], "about": matter.about, "about_cap": matter.about[0].upper() + matter.about[1:],
    }  # fmt: skip


def _decide(maker: _Maker, matter: Matter, *, slice_: str) -> None:
    draw = maker.random
    options = draw.sample(matter.options, 3)
    reason, outcome = draw.choice(matter.reasons), draw.choice(matter.outcomes)
    maker.distract(matter, options)
    maker.chat(draw.randint(1, 3))
    kind = draw.random()
    family = (
        (HELD_FULL if kind < 0.75 else HELD_REASON)
        if slice_ == HELD
        else (WIDE_FULL if kind < 0.75 else WIDE_REASON)
        if slice_ == WIDE
        else FULL if kind < 0.65 else REASON_ONLY if kind < 0.88 else BARE
    )  # fmt: skip
    template = draw.choice(family)
    words = _words(matter, options, reason, draw.choice(PEOPLE))
    turn = maker.say("user", template.format(**words))
    maker.say("assistant", draw.choice(REPLIES))
    maker.chat(draw.randint(1, 3))
    alternatives = [options[1]] if "{y}" in template else []
    alternatives += [options[2]] if "{z}" in template else []
    told = (
        reason[0]
        if any(mark in template for mark in ("{why}", "{why2}", "{Why}"))
        else reason[1]
        if "{thing}" in template
        else ""
    )
    chosen = options[0]
    if slice_ == TUNED and draw.random() < 0.15:
        fresh = options[2]
        other = draw.choice([r for r in matter.reasons if r != reason])
        text = draw.choice(REVERSED).format(old=chosen, x=fresh, why=other[0])
        turn, alternatives, told, chosen = maker.say("user", text), [chosen], other[0], fresh
        maker.chat(1)
    came = ""
    if draw.random() < 0.7:
        maker.at += timedelta(days=draw.randint(9, 40))
        form = draw.choice({HELD: HELD_OUTCOMES, WIDE: WIDE_OUTCOMES, TUNED: OUTCOMES}[slice_])
        maker.say(
            "user", form.format(x=chosen, outcome=outcome, outcome_cap=outcome[0].upper() + outcome[1:], about=matter.about)
        )
        maker.say("assistant", draw.choice(REPLIES))
        came = outcome
    maker.chat(draw.randint(0, 2))
    maker.gold.append(
        Gold(turn=turn, chosen=chosen, rationale=told, alternatives=tuple(alternatives), outcome=came, about=matter.about)
    )


def make(*, seed: int, talks: int = 100, noise: Sequence[tuple[str, str]] = ()) -> list[Talk]:
    """`talks` conversations, each of one user; a quarter of them in wide and a quarter in held-out wordings. The same seed makes the same ones."""
    out = []
    for number in range(talks):
        draw = random.Random(f"{seed}/{number}")
        maker = _Maker(random=draw, noise=noise)
        maker.at = START + timedelta(days=number % 28)
        slice_ = (TUNED, TUNED, WIDE, HELD)[number % 4]
        maker.chat(draw.randint(1, 3))
        for matter in draw.sample(MATTERS, 2):
            _decide(maker, matter, slice_=slice_)
        customer = CUSTOMERS[number % len(CUSTOMERS)]
        out.append(
            Talk(
                id=f"talk-{number}",
                client="bench",
                customer=customer,
                user=f"{customer}-{number}",
                turns=tuple(maker.turns),
                gold=tuple(maker.gold),
                slice=slice_,
            )
        )
    return out


def read_log(path: Path) -> list[Talk]:
    """Somebody else's conversations: one JSON object a line, in the format the README tells."""
    out = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(filter(str.strip, lines)):
            row = json.loads(line)
            turns = tuple(
                Turn(
                    role=turn.get("role", "user"),
                    text=turn["text"],
                    speaker=turn.get("speaker"),
                    said_at=datetime.fromisoformat(turn["said_at"]) if turn.get("said_at") else START + timedelta(minutes=place),
                )
                for place, turn in enumerate(row["turns"])
            )
            gold = tuple(
                Gold(
                    turn=int(one["turn"]),
                    chosen=one["chosen"],
                    rationale=one.get("rationale") or "",
                    outcome=one.get("outcome") or "",
                    alternatives=tuple(one.get("alternatives") or ()),
                    about=one.get("about") or one["chosen"],
                )
                for one in row.get("decisions", ())
            )
            out.append(
                Talk(
                    id=str(row.get("id", number)),
                    client=row.get("client", "bench"),
                    customer=row.get("customer", "log"),
                    user=row.get("user", f"user-{number}"),
                    turns=turns,
                    gold=gold,
                    slice=row.get("slice", "log"),
                )
            )
    return out


def read_noise(folder: Path | None) -> list[tuple[str, str]]:
    """Turns of airline service talks, as noise; none where the set is not at hand."""
    files: Iterable[Path] = sorted((folder / "tau_bench").glob("*.jsonl")) if folder else ()
    out: list[tuple[str, str]] = []
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                for message in json.loads(line).get("traj", ()):
                    text = message.get("content")
                    if message.get("role") in ("user", "assistant") and isinstance(text, str) and 0 < len(text) <= 400:
                        out.append((message["role"], text.replace("###STOP###", "").strip() or "Bye."))
    return list(dict.fromkeys(out))
