"""What a file asks for that no step does yet: read, checked and compared, and without effect.

Rule of this file: a key is told of only where it asks for something other than what happens without it.
"""

from __future__ import annotations

from collections.abc import Iterator

from muniment.architect import rules_keys as keys
from muniment.architect.rules_shapes import Fault
from muniment.knowledge.architecture import Architecture, KindRule
from muniment.text.strict_yaml import Node, Table, line_of

OF_FILE = (keys.LANGUAGES.name, keys.COMPACTION.name, keys.ANTICIPATION.name, keys.PRIVATE.name)
"""Keys of a file that no step acts on yet."""
OF_KIND = (keys.RUNG.name, keys.STORAGE.name, keys.EMBEDDER.name, keys.KIND_PII.name)
"""Keys of a kind that no step acts on yet."""
_CODE = "without_effect"
_HINT = "It may stay: it is checked and compared, and comes to bear when a step reads it."
_PRIVATE = "Give each conversation a scope of its own where nothing may pass from one to another."
_PII = "What is done with personal data is decided by pii of the file, before a kind is known."


def inert(architecture: Architecture, node: Node) -> Iterator[Fault]:
    """A note for each key given in the file that asks for what no step does, at the line where it first stands."""
    asked = {
        keys.LANGUAGES.name: bool(architecture.languages),
        keys.COMPACTION.name: architecture.compaction.get(keys.COMPACT.name, "") != "off",
        keys.ANTICIPATION.name: architecture.anticipation.get(keys.ANTICIPATE.name, "") != "off",
        keys.PRIVATE.name: architecture.private_conversations,
    }
    for name in OF_FILE:
        if asked[name] and _given(node, (name,)):
            yield _note(node, (name,), 0, _PRIVATE if name == keys.PRIVATE.name else _HINT)
    for name in OF_KIND:
        places = [("kinds", rule.name, name) for rule in architecture.kinds if _asks(rule, name)]
        given = [place for place in places if _given(node, place)]
        if given:
            yield _note(node, given[0], len(given) - 1, _PII if name == keys.KIND_PII.name else _HINT)


def _asks(rule: KindRule, name: str) -> bool:
    usual = KindRule(name=rule.name)
    return {
        keys.RUNG.name: rule.rung != usual.rung,
        keys.STORAGE.name: set(rule.storage) != set(usual.storage),
        keys.EMBEDDER.name: rule.embedder != usual.embedder,
        keys.KIND_PII.name: bool(rule.pii),
    }[name]


def _given(node: Node, path: tuple[str, ...]) -> bool:
    for step in path:
        if not isinstance(node, Table) or step not in node.nodes:
            return False
        node = node.nodes[step]
    return True


def _note(node: Node, path: tuple[str, ...], more: int, hint: str) -> Fault:
    where = ".".join(path)
    others = f", and of {more} more kind{'s' * (more > 1)}" if more else ""
    return Fault(line=line_of(node, path), path=where, what=f"{where}{others}: no step acts on this yet", hint=hint, code=_CODE)
