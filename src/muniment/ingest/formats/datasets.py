"""Shapes of public conversation sets: LoCoMo samples, LongMemEval questions, tau-bench trajectories.

LoCoMo and LongMemEval tell no time zone: their times are taken as UTC, or in the zone the caller names. What serves only to score
answers (questions, answers, summaries, evidence marks) is never read as conversation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from muniment.errors import FormatError, InputError, ScopeError
from muniment.ingest.formats.messages import optional_id
from muniment.ingest.formats.parsed import Collector, History, mapping
from muniment.ingest.rules import wrong_type
from muniment.ingest.times import read_session_time
from muniment.text.strict_json import first_fault
from muniment.types import Turn, check_id

_SESSION = re.compile(r"session_\d{1,6}", re.ASCII)
_LOCOMO_KEYS = frozenset({"speaker", "dia_id", "text", "blip_caption"})


def is_locomo(value: Mapping[str, object]) -> bool:
    """True for a LoCoMo sample, or the conversation part of one."""
    held = value.get("conversation", value)
    return isinstance(held, Mapping) and any(_SESSION.fullmatch(key) for key in held)


def is_longmemeval(value: Mapping[str, object]) -> bool:
    """True for a LongMemEval question with its haystack of sessions."""
    return "haystack_sessions" in value or "haystack_session_ids" in value


def is_trajectory(value: Mapping[str, object]) -> bool:
    """True for an agent's run in tau-bench's shape."""
    return isinstance(value.get("traj"), list)


def read_locomo(sample: Mapping[str, object], place: str, into: Collector) -> History:
    """One sample as one user's history. Each session is a conversation, dated by its `session_N_date_time`; both speakers stay.

    The id of an utterance becomes its ref; an image's caption is appended as ` [image: …]`.
    """
    held = sample.get("conversation", sample)
    talk = mapping(held)
    inner = f"{place}.conversation" if held is not sample else place
    for name in sorted((key for key in talk if _SESSION.fullmatch(key)), key=lambda key: int(key.rpartition("_")[2])):
        said = talk[name]
        if not isinstance(said, list):
            into.refuse(f"{inner}.{name}", wrong_type("", said))
            continue
        when = _when(talk.get(f"{name}_date_time"), into)
        for i, utterance in enumerate(said):
            _read_utterance(utterance, f"{inner}.{name}[{i}]", into, session=name, when=when)
    if held is not sample:
        into.dropped |= sample.keys() - {"conversation", "sample_id"}
    return History(suggested_user=_owner(sample, "sample_id"), turns=into.take_turns())


def _read_utterance(value: object, place: str, into: Collector, *, session: str, when: datetime | InputError | None) -> None:
    try:
        if isinstance(when, InputError):
            raise when
        turn = _utterance(mapping(value))
        into.add(turn, place, conversation=session, said_at=when)
    except InputError as error:
        into.refuse(place, error)
    if isinstance(value, Mapping):
        into.dropped |= value.keys() - _LOCOMO_KEYS


def _utterance(said: Mapping[str, object]) -> Turn:
    words: dict[str, str] = {}
    for key in _LOCOMO_KEYS & said.keys():
        item = said[key]
        if fault := first_fault(item, key):
            raise FormatError(fault[1].message, place=fault[0], code=fault[1].code, hint="The other items are read.")
        if not isinstance(item, str):
            raise wrong_type(key, item)
        words[key] = item
    text, caption = words.get("text"), words.get("blip_caption")
    if text is None and caption is None:
        raise FormatError("this has no text.", place="text", code="content_missing", hint="Leave it out, or fill it.")
    parts = [part for part in (text, caption and f"[image: {caption}]") if part]
    return Turn(text=" ".join(parts), speaker=words.get("speaker"), ref=words.get("dia_id"))


def read_longmemeval(
    question: Mapping[str, object], sessions: Mapping[str, object] | None, place: str, into: Collector
) -> History:
    """One question's haystack as one user's history: each session a conversation, dated by `haystack_dates`.

    The sessions stand in the question itself, or by id in `sessions`.
    """
    names = session_names(question)
    held = _list(question, "haystack_sessions")
    dates = _list(question, "haystack_dates")
    for i in range(max(len(names), len(held))):
        name = names[i] if i < len(names) else f"session_{i + 1}"
        inside = i < len(held)
        said = held[i] if inside else (sessions or {}).get(name)
        where = f"{place}.haystack_sessions[{i}]" if inside else f"{into.name}.sessions.{name}"
        read_session(said, where, into, conversation=name, date=dates[i] if i < len(dates) else None)
    into.dropped |= question.keys() - {"question_id", "haystack_session_ids", "haystack_sessions", "haystack_dates"}
    return History(suggested_user=_owner(question, "question_id"), turns=into.take_turns())


def session_names(question: Mapping[str, object]) -> list[str]:
    """The ids of a question's sessions, in order."""
    return [str(name) for name in _list(question, "haystack_session_ids")]


def read_session(said: object, place: str, into: Collector, *, conversation: str, date: object = None) -> None:
    """Add the messages of one dated session."""
    if not isinstance(said, list):
        into.refuse(
            place, FormatError("this session is not in the file.", code="session_missing", hint="Add it, or take its name out.")
        )
        return
    when = _when(date, into)
    for i, message in enumerate(said):
        if isinstance(when, InputError):
            into.refuse(f"{place}[{i}]", when)
        else:
            into.message(message, f"{place}[{i}]", conversation=conversation, said_at=when)


def read_trajectory(run: Mapping[str, object], place: str, into: Collector, *, fallback: str | None) -> None:
    """Add the messages of one run as one conversation, named after its task and trial when it has them."""
    task, trial = optional_id(run, ("task_id",)), optional_id(run, ("trial",))
    name = fallback if task is None else f"task_{task}" if trial is None else f"task_{task}_trial_{trial}"
    said = run["traj"]
    for i, message in enumerate(said if isinstance(said, list) else ()):
        into.message(message, f"{place}.traj[{i}]", conversation=name)
    into.dropped |= run.keys() - {"task_id", "trial", "traj"}


def _when(date: object, into: Collector) -> datetime | InputError | None:
    """A session's time, None when there is none, or the error that refuses each of its turns."""
    if date is None:
        return None
    try:
        return read_session_time(date, zone=into.zone or UTC)
    except InputError as error:
        return error


def _list(value: Mapping[str, object], key: str) -> Sequence[object]:
    found = value.get(key) or []
    if not isinstance(found, list):
        raise wrong_type(key, found)
    return found


def _owner(value: Mapping[str, object], key: str) -> str | None:
    """The user name an item suggests, None when it gives none that can be a user."""
    try:
        name = optional_id(value, (key,))
        return None if name is None else check_id(name, key)
    except (InputError, ScopeError):
        return None
