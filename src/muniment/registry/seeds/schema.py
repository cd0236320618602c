"""JSON Schema as a tool's parameters: types spelled in other languages made the standard's, an object on top.

Rule of this file: plain values in, new plain values out; a schema is judged only where it says `type`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast
from urllib.parse import unquote

from muniment.errors import FormatError, shown
from muniment.text.strict_yaml import Json

TYPES: Final = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_SPELLINGS: Final = {
    "dict": "object",
    "list": "array",
    "tuple": "array",
    "str": "string",
    "float": "number",
    "double": "number",
    "int": "integer",
    "bool": "boolean",
}
_ANYTHING: Final = "any"
_OPEN: Final = ("$ref", "patternProperties", "anyOf", "oneOf", "allOf", "if")
BY_NAME: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
SINGLE: Final = (
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
)


def parameters(schema: Json, place: str) -> dict[str, Json]:
    """`schema` as the parameters of a tool: standard types, and an object on top.

    Raises FormatError with schema_invalid for a type that is none, or parameters that are not an object.
    """
    given = {} if schema is None else schema
    if not isinstance(given, dict):
        raise FormatError(
            f"{shown(given)} is not a schema.", place=place, code="schema_invalid", hint="Give a JSON Schema object."
        )
    found = standard(given, place)
    if not isinstance(found, dict) or found.get("type", "object") != "object":
        hint = "Wrap it in an object with one property."
        raise FormatError("the parameters of a tool are an object.", place=place, code="schema_invalid", hint=hint)
    if not isinstance(found.get("properties", {}), dict):
        raise FormatError("properties are not named one by one.", place=place, code="schema_invalid", hint="Give {name: schema}.")
    rest = {key: value for key, value in found.items() if key not in {"type", "properties"}}
    return {"type": "object", "properties": found.get("properties", {}), **rest}


def standard(schema: Json, place: str, *, deep: bool = True) -> Json:
    """`schema` with the types of the standard, at every depth unless `deep` is False. What is not a schema stays as it is."""
    if not isinstance(schema, dict):
        return schema
    out: dict[str, Json] = {}
    for key, value in schema.items():
        where = f"{place}.{key}"
        if key == "type":
            if (kind := _type(value, where)) is not None:
                out[key] = kind
        elif not deep:
            out[key] = value
        elif key in BY_NAME and isinstance(value, dict):
            out[key] = {name: standard(inner, f"{where}.{name}") for name, inner in value.items()}
        elif key in LISTS and isinstance(value, list):
            out[key] = [standard(inner, f"{where}[{n}]") for n, inner in enumerate(value)]
        elif key in SINGLE:
            out[key] = standard(value, where)
        else:
            out[key] = value
    return out


def _type(value: Json, place: str) -> Json:
    """The standard's name of a type, or several; None where anything is allowed."""
    if isinstance(value, list):
        kinds = [_type(inner, place) for inner in value]
        return None if None in kinds else kinds
    known = _SPELLINGS.get(value.lower(), value.lower()) if isinstance(value, str) else ""
    if known == _ANYTHING:
        return None
    if known not in TYPES:
        hint = f"Use one of {', '.join(sorted(TYPES))}."
        raise FormatError(f"{shown(value)} is not a type of JSON Schema.", place=place, code="schema_invalid", hint=hint)
    return known


def odd(schema: Json) -> Iterator[str]:
    """What a provider may refuse in a schema: references that lead nowhere, and required properties that are not there.

    Where a schema is put together from several, or has patterns for its properties, it may require what it does not name.
    """
    todo = [schema]
    while todo:
        here = todo.pop()
        if not isinstance(here, dict):
            continue
        if isinstance(target := here.get("$ref"), str) and not _is_there(schema, target):
            yield f"the reference {shown(target)} leads to nothing inside its schema"
        named = here.get("properties")
        if isinstance(named, dict) and not any(key in here for key in _OPEN) and isinstance(here.get("required"), list):
            for name in cast("list[Json]", here["required"]):
                if isinstance(name, str) and name not in named:
                    yield f"{shown(name)} is required, but is no property"
        todo += _inside(here)


def _inside(schema: dict[str, Json]) -> Iterator[Json]:
    for key, value in schema.items():
        if key in BY_NAME and isinstance(value, dict):
            yield from value.values()
        elif key in LISTS and isinstance(value, list):
            yield from value
        elif key in SINGLE:
            yield value


def _is_there(document: Json, target: str) -> bool:
    """Whether a reference leads to a value of the document. Names of anchors, which are no paths, are not looked for."""
    if not target.startswith("#/"):
        return target.startswith("#")
    here = document
    for step in unquote(target[2:]).split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(here, dict) and key in here:
            here = here[key]
        elif isinstance(here, list) and key.isascii() and key.isdigit() and len(key) < len(str(len(here))) + 1:
            if int(key) >= len(here):
                return False
            here = here[int(key)]
        else:
            return False
    return True
