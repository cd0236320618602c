"""What came of a trial, and the log that keeps it: JSON Lines, a header and one line per trial, written as each ends.

Rules of this file: a line stands for one trial and is whole or taken back, so a run that was cut off goes on where it stopped. A
log goes on with the plan it was begun with and with no other. No time of day is in it: the same run writes the same bytes.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from muniment.errors import InputError, shown
from muniment.probe.plan import Layout, Setup, Trial
from muniment.probe.scenes import Order

VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a trial showed; None is what its experiment does not look at.

    `tokens` is what the compiler counted, `prompt_tokens` and `completion_tokens` what the model did. `recalled` says whether a
    gate let the critical block through. `emitted` and `dispatched` are calls of the tool asked for. `coordination_tokens` were
    spent on handing over, `carried_tokens` on the handed-over text in the receiver's prompt. `error` is a code.
    """

    passed: bool | None = None
    answer: str = ""
    prompt_hash: str = ""
    tokens: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    recalled: bool | None = None
    emitted: int | None = None
    dispatched: int | None = None
    coordination_tokens: int | None = None
    carried_tokens: int | None = None
    error: str = ""


def with_costs(outcome: Outcome, *, coordination: int, carried: int) -> Outcome:
    """The outcome with what it cost to hand a text over, and what it costs to carry."""
    return replace(outcome, coordination_tokens=coordination, carried_tokens=carried)


@dataclass(frozen=True, slots=True)
class Row:
    """A trial and what came of it."""

    trial: Trial
    outcome: Outcome


class TrialLog:
    """The log of one experiment, open for going on. `rows` are the trials that ended well, the latest line of each.

    Raises InputError: exists when there is a log and it is not to be resumed, plan_changed when it was begun with another plan,
    log_damaged when it is no log.
    """

    def __init__(self, path: Path, *, plan: str, setup: Setup, resume: bool) -> None:
        self.path = path
        self.rows: dict[str, Row] = {}
        self._identities: dict[str, str] = {}
        header = {"muniment_probe": VERSION, "plan": plan, "setup": asdict(setup)}
        if path.exists() and not resume:
            raise InputError(
                "there is a log of this experiment already.",
                place=str(path),
                code="exists",
                hint="Go on with it by --resume, or choose another --out.",
            )
        begun = path.exists() and self._read(plan)
        self._is_bare = not begun  # holds no trial; such a log of a run that failed at once would only stand in the way
        self._file: BinaryIO = path.open("ab")
        if not begun:
            self._line(header)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()
        if self._is_bare and kind is not None:
            self.path.unlink(missing_ok=True)

    def meet(self, name: str, identity: str) -> None:
        """Note which model answers to a name. Raises InputError (plan_changed) when another one did before."""
        before = self._identities.get(name)
        if before == identity:
            return
        if before is not None:
            raise _changed(self.path, f"{shown(name)} was {shown(before)} when this log was begun, and is another model now.")
        self._identities[name] = identity
        self._line({"model": name, "identity": identity})

    def keep(self, row: Row) -> None:
        """Write a row; it is in the file when this returns."""
        self._is_bare = False
        self._line({"trial": asdict(row.trial), "outcome": asdict(row.outcome)})
        self._remember(row)

    def _line(self, value: object) -> None:
        self._file.write(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
        self._file.flush()

    def _remember(self, row: Row) -> None:
        if not row.outcome.error:
            self.rows[row.trial.key] = row

    def _read(self, plan: str) -> bool:
        """Take in what is there and cut off a last line that is not whole; False when not even the header is."""
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        lines = whole.splitlines()
        if not lines:
            return False
        header = _parsed(lines[0], self.path, 1)
        if header.get("muniment_probe") != VERSION or header.get("plan") != plan:
            raise _changed(self.path, "this log was begun with other models, options or texts.")
        for number, line in enumerate(lines[1:], 2):
            value = _parsed(line, self.path, number)
            if "identity" in value:
                self._identities[str(value.get("model"))] = str(value["identity"])
            else:
                self._remember(_row(value, self.path, number))
        return True


def _parsed(line: bytes, path: Path, number: int) -> dict[str, object]:
    try:
        value: object = json.loads(line)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise _damaged(path, number)
    return value


def _row(value: dict[str, object], path: Path, number: int) -> Row:
    trial, outcome = value.get("trial"), value.get("outcome")
    if not isinstance(trial, dict) or not isinstance(outcome, dict) or set(trial) != {field.name for field in fields(Trial)}:
        raise _damaged(path, number)
    try:
        read = Trial(**{**trial, "layout": Layout(trial["layout"]), "order": Order(trial["order"])})
        return Row(read, Outcome(**outcome))
    except (TypeError, ValueError) as error:
        raise _damaged(path, number) from error


def _changed(path: Path, what: str) -> InputError:
    hint = "Repeat the options it was begun with, or choose another --out."
    return InputError(what, place=str(path), code="plan_changed", hint=hint)


def _damaged(path: Path, number: int) -> InputError:
    place = f"{shown(str(path))}, line {number}"
    return InputError("this is no line of a probe's log.", place=place, code="log_damaged", hint="Remove it, or begin another.")
