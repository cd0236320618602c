"""The command that experiments on models: what was typed becomes runs, and what they found a table, a heat map and a profile."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from muniment import settings
from muniment.cli import probe_view
from muniment.cli.exits import Exit
from muniment.cli.files import written
from muniment.cli.output import Screen
from muniment.cli.probe_view import experiment_document
from muniment.errors import InputError, MissingExtra, MunimentError, install
from muniment.probe import EXPERIMENTS, Layout, Order, Report, Row, Run, Setup, profile
from muniment.providers.models import ChatModel, open_model

ALL = "all"
BOTH = "both"
PROFILED = "position"
MOST_DIGITS = 9
HELP = f"""Experiment on a model: what it finds in a prompt, and where.

A made-up name stands in one block among others, and the model is asked for it. Each trial is a line of EXPERIMENT.jsonl
in the folder. A key is read from MUNIMENT_MODEL_KEY, and for OpenAI itself from OPENAI_API_KEY. EXPERIMENT is one of:

{"; ".join(f"{name}: {known.about}" for name, known in EXPERIMENTS.items())}; all: every one that the models given allow.
"""


def _counts(_: click.Context, option: click.Parameter, text: str) -> tuple[int, ...]:
    """Whole numbers with commas between."""
    parts = [part.strip() for part in text.split(",")]
    if not all(_is_whole(part) for part in parts):
        raise click.BadParameter("write whole numbers with commas between, for example 7,13,19.", param=option)
    return tuple(sorted({int(part) for part in parts}))


def _places(_: click.Context, option: click.Parameter, text: str) -> int | None:
    """A number of positions, or None for all of them."""
    if text != ALL and not _is_whole(text):
        raise click.BadParameter("write a whole number, or all.", param=option)
    return None if text == ALL else int(text)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < MOST_DIGITS


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be run, and where its files go."""

    setup: Setup
    models: Mapping[str, Callable[[], ChatModel]]
    out: Path
    resume: bool


def setup_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add what says how much is tried, and pass it on as one `Setup`."""

    @click.option(
        "--n", "sizes", callback=_counts, metavar="N,N", default="7,13,19", help="Blocks in a prompt. [default: 7,13,19]"
    )
    @click.option(
        "--positions", callback=_places, metavar="N", default="5", help="Positions tried of each size, or all. [default: 5]"
    )
    @click.option("--seeds", type=int, metavar="N", default=5, help="Trials of each kind. [default: 5]")
    @click.option(
        "--layout",
        type=click.Choice([*map(str, Layout), BOTH]),
        default=str(Layout.AFTER),
        help="Where the task stands: after the blocks or before them. [default: after]",
    )
    @click.option(
        "--fillers",
        type=click.Choice([*map(str, Order), BOTH]),
        default=BOTH,
        help="The same fillers in the same order for every seed, or each its own. [default: both]",
    )
    @click.option("--top", type=int, metavar="N", default=5, help="Blocks that a gate lets through. [default: 5]")
    @click.option("--max-tokens", type=int, metavar="N", default=48, help="Tokens of an answer. [default: 48]")
    @wraps(command)
    def with_setup(*, layout: str, fillers: str, **options: Any) -> int:
        amounts = {name: options.pop(name) for name in ("sizes", "positions", "seeds", "top", "max_tokens")}
        layouts = tuple(Layout) if layout == BOTH else (Layout(layout),)
        orders = tuple(Order) if fillers == BOTH else (Order(fillers),)
        return command(setup=Setup(layouts=layouts, orders=orders, **amounts), **options)

    return with_setup


@click.command(help=HELP)
@click.argument("experiment", metavar="EXPERIMENT", type=click.Choice([*EXPERIMENTS, ALL]))
@click.option(
    "--model",
    "models",
    metavar="NAME",
    multiple=True,
    required=True,
    help="scripted:cliff=7, gguf:FILE, gguf:smollm2, openai:NAME or openai:NAME@URL. Several to compare them.",
)
@setup_options
@click.option("--threads", type=click.IntRange(1, 1024), metavar="N", help="Cores that a model file may use. [default: all]")
@click.option(
    "--out", type=click.Path(path_type=Path), default="probes", help="Folder of the logs and pictures. [default: probes]"
)
@click.option("--resume", is_flag=True, help="Go on with the logs in the folder; trials that are done are not repeated.")
@click.option(
    "--profile", "profiled", type=click.Path(path_type=Path), help="Write the positions' success for the placement policy."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and errors as JSON too.")
def probe(
    experiment: str,
    *,
    models: Sequence[str],
    setup: Setup,
    threads: int | None,
    out: Path,
    resume: bool,
    profiled: Path | None,
    as_json: bool,
) -> int:
    """Run what was asked for, and show what was found."""
    openers = {name: partial(open_model, name, key=settings.model_key(name), threads=threads) for name in models}
    wish = Wish(setup=setup, models=openers, out=out, resume=resume)
    names = _chosen(experiment, wish)
    _check_profile(profiled, names, wish)
    screen = Screen(as_json=as_json)
    with _made(out):
        found = [_run(screen, wish, name) for name in names]
    files, notes = _drawn([report for report, _ in found], out)
    if profiled:
        files += _profiles(profiled, next(rows for report, rows in found if report.experiment == PROFILED), wish)
    screen.document(
        {
            "out": str(out),
            "experiments": [experiment_document(report) for report, _ in found],
            "files": [str(file) for file in files],
            "notes": notes,
        }
    )
    probe_view.show_files(screen, files)
    for note in notes:
        screen.note(note)
    return Exit.PARTLY if any(report.errors for report, _ in found) else Exit.DONE


def _chosen(experiment: str, wish: Wish) -> list[str]:
    if experiment != ALL:
        return [experiment]
    return [name for name, known in EXPERIMENTS.items() if known.models <= len(wish.models)]


def _run(screen: Screen, wish: Wish, name: str) -> tuple[Report, list[Row]]:
    run = Run(experiment=EXPERIMENTS[name], setup=wish.setup, models=wish.models, log=wish.out / f"{name}.jsonl")
    rows: list[Row] = []
    try:
        with screen.followed(run.attempt(resume=wish.resume), name, total=len(run.trials)) as attempted:
            rows.extend(attempted)
    except MunimentError as error:
        if rows:
            error.hint += " What was tried is kept: go on with --resume."
        raise
    report = run.report(rows)
    probe_view.show_report(screen, report)
    return report, rows


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """A folder for the logs; one that is made for a run which leaves nothing in it is taken away again."""
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = "Name a folder that may be made."
        raise InputError("this folder cannot be made.", place=str(folder), code="unwritable", hint=hint) from error
    try:
        yield
    finally:
        if new and not any(folder.iterdir()):
            folder.rmdir()


def _drawn(reports: Sequence[Report], folder: Path) -> tuple[list[Path], list[str]]:
    """The pictures, or a note that there are none."""
    if find_spec("matplotlib") is None:
        missing = MissingExtra("no heat map was drawn, as that needs matplotlib.", hint=f"Run: {install('plots')}.")
        return [], [str(missing)]
    from muniment.probe.plots import heat_map  # noqa: PLC0415  # comes with the extra `plots`

    return [file for report in reports for file in heat_map(report, folder)], []


def _check_profile(profiled: Path | None, names: Sequence[str], wish: Wish) -> None:
    if profiled and (PROFILED not in names or len(wish.models) > 1):
        raise InputError(
            "a profile is of one model's positions.",
            place="--profile",
            code="usage",
            hint="Run the experiment position with one --model.",
        )
    for file in _profile_files(profiled, wish) if profiled else ():  # before the first trial, which may cost
        if file.exists() and (file.is_dir() or not wish.resume):
            raise InputError("this is there already.", place=str(file), code="exists", hint="Choose another name for --profile.")
        if not (file.parent.is_dir() or file.parent == wish.out):
            hint = "Make the folder first, or name a file in one that is there."
            raise InputError("the folder of this file is not there.", place=str(file), code="unwritable", hint=hint)


def _profile_files(file: Path, wish: Wish) -> list[Path]:
    """One file per layout; with two layouts each says which."""
    layouts = wish.setup.layouts
    return [file] if len(layouts) == 1 else [file.with_stem(f"{file.stem}-{layout}") for layout in layouts]


def _profiles(file: Path, rows: Sequence[Row], wish: Wish) -> list[Path]:
    """One profile per layout."""
    [model] = wish.models
    files = _profile_files(file, wish)
    for layout, named in zip(wish.setup.layouts, files, strict=True):
        with written(named, replace=wish.resume) as target:
            target.write(json.dumps(profile(rows, model, layout), indent=1).encode() + b"\n")
    return files
