"""The JSON Schema of an architecture file for editors, and the page that describes every key, both made from the table of keys.

Rule of this file: nothing is said here that does not stand in the table or in the default values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from muniment.architect import rules_keys as keys
from muniment.architect.rules_shapes import Key
from muniment.text.strict_yaml import Json

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schema() -> str:
    """The JSON Schema (draft 2020-12) of an architecture file, as JSON text that ends with a line break."""
    properties: dict[str, Json] = {}
    for entry in keys.FILE:
        properties[entry.name] = _section(entry) if isinstance(entry, keys.Section) else _key(entry)
    document: dict[str, Json] = {
        "$schema": DIALECT,
        "title": "Muniment architecture",
        "description": "The memory rules of one agent.",
        **_object(properties),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _section(section: keys.Section) -> Json:
    inner = _object({key.name: _key(key) for key in section.keys})
    if not section.named:
        return {"description": section.about, **inner}
    names: Json = {"pattern": f"^(?:{keys.NAME.pattern})$", "maxLength": keys.NAME.most}
    rule: Json = {"anyOf": [inner, {"type": "null"}]}
    least: dict[str, Json] = {"minProperties": 1} if section is keys.KINDS else {}
    return {"description": section.about, "type": "object", "propertyNames": names, "additionalProperties": rule, **least}


def _key(key: Key[object]) -> Json:
    return {"description": key.about, **key.shape.schema()}


def _object(properties: dict[str, Json]) -> dict[str, Json]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def key_tables() -> str:
    """Every key as tables in Markdown, for the reference page."""
    return "\n".join(_tables()) + "\n"


def _tables() -> Iterator[str]:
    yield "## The file\n\n| key | value | meaning |\n| --- | --- | --- |"
    for entry in keys.FILE:
        if isinstance(entry, keys.Section):
            yield f"| `{entry.name}` | [below](#{entry.name}) | {entry.about} |"
        else:
            yield _row(entry)
    for entry in keys.FILE:
        if isinstance(entry, keys.Section):
            below = f" Below each name of {'an' if entry.named[0] == 'e' else 'a'} {entry.named}:" if entry.named else ""
            yield f"\n## {entry.name}\n\n{entry.about}{below}\n\n| key | value | meaning |\n| --- | --- | --- |"
            yield from map(_row, entry.keys)


def _row(key: Key[object]) -> str:
    return f"| `{key.name}` | {key.shape.form} | {key.about} |"
