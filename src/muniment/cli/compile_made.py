"""From seed files to a compiled prompt, as `compile` is told: library, cards, registry, placement, gate, budget.

Rule of this file: each step is one call into the package; what is chosen here is only what an option leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, TypedDict

from muniment import plugins
from muniment.cli.compile_errors import library_of, naming_tools
from muniment.cli.files import read_whole
from muniment.compilation import Compilation, Price
from muniment.compile import compile  # noqa: A004  # the glossary's verb
from muniment.compile.gate import Gate, Scorer
from muniment.compile.scorers import Dense, Fused, Lexical
from muniment.compile.tools import called
from muniment.errors import InputError, MissingExtra, install, shown
from muniment.ports import Tokens
from muniment.providers.embedders.blocking import BlockingEmbedder
from muniment.registry import Registry
from muniment.registry.curves import CLIFF_TASK_AFTER, Curve, Edges, FrontLoad, Tail, read_profile
from muniment.registry.placement import EchoTwice, Proposal, propose
from muniment.registry.seeds import Seed, SeedFile, disclose
from muniment.settings import Settings
from muniment.types import Band, Block, Packing, Prices, Role

AUTO: Final = "auto"
NONE: Final = "none"
GATES: Final = (AUTO, "lexical", "dense", "fused", NONE)
MOST: Final = 8
"""How many gated blocks pass when neither a number nor a threshold is given. Whether they fit is for the budget to say."""
NEAR: Final = 1e-9
"""Least score by words that counts: anything above none."""
_NEAREST_FIRST: Final = frozenset({Packing.SKIP, Packing.SHORT})
"""Packings that offer the room to the nearest of the gated blocks first."""
TASK: Final = "task"
"""Name of the block that holds the task."""
POLICIES: Final[dict[str, Curve | EchoTwice]] = {
    "front-load": FrontLoad(CLIFF_TASK_AFTER),
    "edges": Edges(),
    "tail": Tail(),
    "echo-twice": EchoTwice(),
}
_PRICES: Final = 3


class Options(TypedDict):
    """What the options of `compile` say about the prompt itself."""

    task: str | None
    budget: int
    reserve: int
    gate: str
    top: int | None
    threshold: float | None
    packing: str
    progressive: bool | None
    place: str | None
    prices: str | None
    salt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenGate:
    """A gate, what it goes by in words, and the embedder it asks, if it does.

    `nearest_first` says that the nearest of what passes gets its room first.
    """

    gate: Gate
    by: str
    embedder: str | None
    nearest_first: bool

    @property
    def bounds(self) -> str:
        """What may enter, in words."""
        top, threshold = self.gate.top, self.gate.threshold
        told = [f"at most the {top:,} best" if top != 1 else "at most the best one"] if top is not None else []
        if threshold is not None and threshold > NEAR:
            told.append(f"at least {threshold:g}")
        return ", ".join([*told, *(["nearest first"] if self.nearest_first and top != 1 else [])])


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A compiled prompt and how it came about. `blocks` are those of the registry, in order.

    `again` is the price of sending the same prompt once more; `noticed` counts what the parsers remarked on.
    """

    compilation: Compilation
    blocks: tuple[Block, ...]
    gate: ChosenGate | None
    proposal: Proposal | None
    progressive: bool
    noticed: int
    again: Price | None


@contextmanager
def chosen_gate(settings: Settings, options: Options) -> Iterator[ChosenGate | None]:
    """The gate that the options ask for, open for as long as the block runs; None without a task or with none asked for.

    Raises InputError for options that contradict each other, MissingExtra for meaning without an embedder.
    """
    name, top, threshold = options["gate"], options["top"], options["threshold"]
    task = options["task"] is not None
    if not task or name == NONE:
        if top is not None or threshold is not None or (not task and name not in (AUTO, NONE)):
            raise InputError("a gate needs a task to go by.", code="task_needed", hint="Give --task, and no --gate none.")
        yield None
        return
    embedder = None if name == "lexical" else plugins.open_embedder(settings.embedder, key=settings.embedder_key)
    if embedder is None:
        if name not in (AUTO, "lexical"):
            hint = f"Run: {install('local')}; or name an embedder, or use --gate lexical."
            raise MissingExtra(f"a {name} gate needs an embedder, and there is none.", hint=hint)
        yield _gate(Lexical(), "by words", options)
        return
    with BlockingEmbedder(embedder) as waiting:
        dense = Dense(waiting.passages, embed_query=waiting.query)
        scorer, by = (dense, "by meaning") if name == "dense" else (Fused(dense), "by words and meaning")
        yield _gate(scorer, by, options, embedder=waiting.identity)


def _gate(scorer: Scorer, by: str, options: Options, *, embedder: str | None = None) -> ChosenGate:
    top, threshold = options["top"], options["threshold"]
    gate = Gate(
        scorer,
        top=MOST if top is None and threshold is None else top,
        threshold=threshold if threshold is not None or embedder else NEAR,
    )
    return ChosenGate(gate=gate, by=by, embedder=embedder, nearest_first=Packing(options["packing"]) in _NEAREST_FIRST)


def make(files: Sequence[SeedFile], options: Options, *, tokens: Tokens, gate: ChosenGate | None) -> Made:
    """Fill a registry with what the files hold and compile it. Raises SeedError, BlockError or BudgetError."""
    library = library_of(files)
    progressive = options["task"] is not None if options["progressive"] is None else options["progressive"]
    seeds = disclose(library, tokens=tokens.count) if progressive else library.seeds
    registry = Registry()
    registry.load(_gated(seed) if gate else seed for seed in seeds)
    proposal = _placed(registry, options["place"])
    if task := options["task"]:
        registry.write(task, name=TASK, band=Band.VOLATILE, role=Role.USER, required=True)
    with naming_tools(library.seeds, called):
        compilation = compile(
            registry,
            budget=options["budget"],
            tokens=tokens,
            reserve=options["reserve"],
            salt=options["salt"],
            task=task,
            gate=gate.gate if gate else None,
            packing=Packing(options["packing"]),
            prices=read_prices(options["prices"]),
        )
    return Made(
        compilation=compilation,
        blocks=registry.blocks,
        gate=gate,
        proposal=proposal,
        progressive=progressive,
        noticed=sum(len(seed.warnings) for seed in library),
        again=compilation.after(compilation).price,
    )


def _gated(seed: Seed) -> Seed:
    """A tool stands where a gate may leave it out without changing what is cached in front."""
    return replace(seed, band=Band.VOLATILE) if seed.tool and seed.gated else seed


def _placed(registry: Registry, policy: str | None) -> Proposal | None:
    if policy is None:
        return None
    proposal = propose(registry, _policy(policy))
    registry.arrange(proposal)
    return proposal


def _policy(name: str) -> Curve | EchoTwice:
    if (known := POLICIES.get(name)) is not None:
        return known
    if not name.endswith(".json"):
        hint = f"There are: {', '.join(POLICIES)}; or name the .json file of a measured profile."
        raise InputError(f"there is no placement {shown(name)}.", place="--place", code="place_unknown", hint=hint)
    try:
        text = read_whole(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text.", place=name, code="invalid_unicode", hint="Save it as UTF-8.") from error
    return read_profile(text, place=name)


def read_prices(text: str | None) -> Prices | None:
    """The three prices in `3,0.3,3.75`. Raises InputError for anything else."""
    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != _PRICES or not all(0 <= number < float("inf") for number in numbers):
        hint = "Write three numbers such as 3,0.3,3.75: read fresh, read from the cache, written to it."
        raise InputError(f"{shown(text)} is not a price table.", place="--prices", code="range", hint=hint)
    return Prices(fresh=numbers[0], cached=numbers[1], written=numbers[2])
