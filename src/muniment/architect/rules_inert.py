"""What a file asks for that no step does yet: read, checked and compared, and without effect.

Rule of this file: a key is told of only where it asks for something other than what happens without it.
"""

from __future__ import annotations

from collections.abc import Iterator

from muniment.architect import rules_keys as keys
from muniment.architect.rules_shapes import Fault
from muniment.knowledge.architecture import Architecture
from muniment.text.strict_yaml import Node, Table, line_of

OF_FILE = (keys.ANTICIPATION.name,)
"""Keys of a file that no step acts on yet."""
_CODE = "without_effect"
_HINT = "It may stay: it is checked and compared, and comes to bear when a step reads it."


def inert(architecture: Architecture, node: Node) -> Iterator[Fault]:
    """A note for each key given in the file that asks for what no step does, at the line where it first stands."""
    asked = {
        keys.ANTICIPATION.name: architecture.anticipation.get(keys.ANTICIPATE.name, "") != "off",
    }
    for name in OF_FILE:
        if asked[name] and _given(node, name):
            yield _note(node, name)


def _given(node: Node, name: str) -> bool:
    return isinstance(node, Table) and name in node.nodes


def _note(node: Node, name: str) -> Fault:
    return Fault(line=line_of(node, (name,)), path=name, what=f"{name}: no step acts on this yet", hint=_HINT, code=_CODE)
