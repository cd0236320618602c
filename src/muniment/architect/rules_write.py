"""An architecture as the text of its file: keys in one order, each value in one form, comments where they are wanted.

Rule of this file: what is written reads back as the same value, and the same value is written as the same bytes. A key is left
out only where both its plain default and the default architecture say the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Final

from muniment.architect import rules_keys as keys
from muniment.architect.rules_default import default_architecture
from muniment.architect.rules_shapes import Key, span_text
from muniment.knowledge.architecture import Admission, Architecture, EntityRule, KindRule

Comments = Mapping[tuple[str, ...], Sequence[str]]
"""Lines to set above a key, by the keys that lead to it; () is the head of the file."""

WIDTH: Final = 100
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[ /.+-][A-Za-z0-9_]+)*|\d{1,12} ?[a-z]+")
_TELLING: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_ESCAPED: Final = re.compile("[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")
_UNSEEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]+")

Scalar = str | int | float | bool | timedelta | None
Value = Scalar | tuple[Scalar, ...] | Mapping[str, Scalar]


def write_architecture(architecture: Architecture, *, comments: Comments | None = None) -> str:
    """The YAML of an architecture. Its version is not in it: a store counts what was applied."""
    return "\n".join(_lines(architecture, comments or {})) + "\n"


def _lines(architecture: Architecture, comments: Comments) -> Iterator[str]:
    base = default_architecture()
    yield from _comment(comments, ())
    yield from _set(keys.AGENT, architecture.agent, (), comments)
    yield from _set(keys.DESCRIPTION, architecture.description, (), comments)
    if architecture.archetypes:
        yield from _set(keys.ARCHETYPES, architecture.archetypes, (), comments)
    yield from _set(keys.TIMEZONE, architecture.timezone, (), comments)
    if architecture.languages:
        yield from _set(keys.LANGUAGES, architecture.languages, (), comments)
    yield from _section(keys.EXTRACTION, _extraction(architecture), comments)
    kinds = {rule.name: _kind(rule, base) for rule in architecture.kinds}
    yield from _named(keys.KINDS, kinds, comments)
    yield from _named(keys.ENTITIES, {rule.name: _entity(rule, base) for rule in architecture.entities}, comments)
    yield from _section(keys.ADMISSION, _admission(architecture.admission), comments)
    if architecture.weights:
        yield from _section(keys.Section(name=keys.RETRIEVAL_WEIGHTS.name, about=""), dict(architecture.weights), comments)
    if architecture.question_weights:
        yield from _section(
            keys.Section(name=keys.QUESTION_WEIGHTS.name, about=""), dict(architecture.question_weights), comments
        )
    yield from _section(keys.COMPACTION, dict(architecture.compaction), comments)
    yield from _section(keys.ANTICIPATION, dict(architecture.anticipation), comments)
    yield from _section(keys.PII_SECTION, _pii(architecture, base), comments)
    yield from _set(keys.PRIVATE, architecture.private_conversations, (), comments)


def _extraction(architecture: Architecture) -> dict[str, Value]:
    model: dict[str, Value] = {keys.MODEL_NAME.name: architecture.model} if architecture.model else {}
    return {keys.EXTRACT.name: architecture.mode.value, **model}


def _kind(rule: KindRule, base: Architecture) -> dict[str, Value]:
    plain = KindRule(name=rule.name)
    usual = next((one for one in base.kinds if one.name == rule.name), plain)
    return _differing(_kind_values(rule), (_kind_values(plain), _kind_values(usual)))


def _kind_values(rule: KindRule) -> dict[str, Value]:
    return {
        keys.DESCRIPTION.name: rule.description,
        keys.CUES.name: rule.cues,
        keys.FUNCTIONAL.name: rule.functional,
        keys.WRITTEN_BY.name: rule.writers,
        keys.SHARE.name: rule.share or "none",
        keys.SHARE_UP_TO.name: rule.share_up_to,
        keys.STORAGE.name: rule.storage,
        keys.KEEP.name: rule.keep,
        keys.FORGET_UNUSED.name: rule.forget_unused,
        keys.ENABLED.name: rule.enabled,
        keys.KIND_PII.name: {name: keep.value for name, keep in sorted(rule.pii.items())},
    }


def _entity(rule: EntityRule, base: Architecture) -> dict[str, Value]:
    plain = EntityRule(name=rule.name)
    usual = next((one for one in base.entities if one.name == rule.name), plain)
    return _differing(_entity_values(rule), (_entity_values(plain), _entity_values(usual)))


def _entity_values(rule: EntityRule) -> dict[str, Value]:
    return {
        keys.DESCRIPTION.name: rule.description,
        keys.MERGE_AT.name: rule.merge_at,
        keys.REVIEW_AT.name: rule.review_at,
        keys.SHARE_NAMES.name: rule.share or "none",
    }


def _admission(rule: Admission) -> dict[str, Value]:
    return {
        keys.CONFIDENCE.name: rule.confidence,
        keys.LEAST_WORDS.name: rule.least_words,
        keys.MOST.name: rule.most_per_record,
        keys.REFUSE.name: rule.refuse,
    }


def _pii(architecture: Architecture, base: Architecture) -> dict[str, Value]:
    return {name: architecture.pii.get(name, base.pii[name]).value for name in keys.PII}


def _differing(values: dict[str, Value], usual: Sequence[dict[str, Value]]) -> dict[str, Value]:
    return {name: value for name, value in values.items() if any(value != one[name] for one in usual)}


def _section(section: keys.Section, values: Mapping[str, Value], comments: Comments) -> Iterator[str]:
    if not values:
        return
    yield ""
    yield from _comment(comments, (section.name,))
    yield f"{section.name}:"
    for name, value in values.items():
        yield from _comment(comments, (section.name, name), 2)
        yield from _pair(name, value, 2)


def _named(section: keys.Section, rules: Mapping[str, Mapping[str, Value]], comments: Comments) -> Iterator[str]:
    yield ""
    yield from _comment(comments, (section.name,))
    if not rules:
        yield f"{section.name}: {{}}"
        return
    yield f"{section.name}:"
    for name, values in rules.items():
        yield from _comment(comments, (section.name, name), 2)
        yield f"  {name}:" if values else f"  {name}: {{}}"
        for key, value in values.items():
            yield from _comment(comments, (section.name, name, key), 4)
            yield from _pair(key, value, 4)


def _set(key: Key[object], value: Value, path: tuple[str, ...], comments: Comments) -> Iterator[str]:
    if key is keys.PRIVATE:
        yield ""
    yield from _comment(comments, (*path, key.name))
    yield from _pair(key.name, value, 0)


def _pair(name: str, value: Value, indent: int) -> Iterator[str]:
    front = f"{' ' * indent}{name}:"
    if isinstance(value, Mapping):
        if not value:
            yield f"{front} {{}}"
            return
        yield front
        for key, one in value.items():
            yield f"{' ' * (indent + 2)}{key}: {scalar(one)}"
    elif isinstance(value, tuple):
        whole = f"{front} [{', '.join(map(scalar, value))}]"
        if len(whole) <= WIDTH:
            yield whole
            return
        yield f"{front} ["
        yield from _filled(tuple(map(scalar, value)), indent + 2)
        yield f"{' ' * indent}]"
    else:
        yield f"{front} {scalar(value)}"


def _filled(words: Sequence[str], indent: int) -> Iterator[str]:
    """Entries of a list, as many in a line as fit."""
    line = ""
    for word in words:
        if line and indent + len(line) + len(word) + 2 > WIDTH:
            yield " " * indent + line
            line = ""
        line += f"{' ' if line else ''}{word},"
    yield " " * indent + line.removesuffix(",")


def _comment(comments: Comments, path: tuple[str, ...], indent: int = 0) -> Iterator[str]:
    for line in comments.get(path, ()):
        shown = _UNSEEN.sub(" ", line).rstrip()
        yield f"{' ' * indent}# {shown}" if shown else f"{' ' * indent}#"


def scalar(value: Scalar) -> str:
    """One value in YAML: text plain where nobody could take it for anything else, in double quotes elsewhere."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, timedelta):
        return span_text(value)
    if isinstance(value, int | float):
        return repr(value)
    if _PLAIN.fullmatch(value) and value.lower() not in _TELLING:
        return value
    return _ESCAPED.sub(lambda m: f"\\u{ord(m[0]):04x}", json.dumps(value, ensure_ascii=False))
