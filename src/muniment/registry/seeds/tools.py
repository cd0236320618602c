"""Tool definitions as seeds: MCP tools/list, OpenAI, Anthropic and plain JSON Schema ones, and OpenAPI; as JSON or YAML.

Rule of this file: a definition that is not understood is refused by its place; none is passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, cast

from muniment.errors import FormatError, shown
from muniment.registry.seeds.openapi import is_openapi, operations
from muniment.registry.seeds.schema import odd, parameters
from muniment.registry.seeds.values import TEXT_BYTES, Notice, Seed, SeedFile
from muniment.registry.toolchecks import TOOL_BYTES
from muniment.text.strict_json import loads
from muniment.text.strict_yaml import Json, Node, compose, line_of, typed
from muniment.types import Tool

_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")
_SCHEMAS: Final = ("parameters", "inputSchema", "input_schema")
_SAID: Final = frozenset(  # what a definition without a schema may say, so that no other list of names is taken for tools
    {
        "name",
        "type",
        "title",
        "description",
        "annotations",
        "outputSchema",
        "strict",
        "icons",
        "execution",
        "_meta",
        "cache_control",
    }
)
_LISTS: Final = ("tools", "functions")
_MOST_TOLD: Final = 20
_NO_TOOLS: Final = "Known are MCP tools/list, OpenAI, Anthropic and JSON Schema definitions, and OpenAPI 3."


@dataclass(frozen=True, slots=True, kw_only=True)
class Defined:
    """A tool, what else its definition says, and where in the file it stands: a path of keys and positions."""

    tool: Tool
    tags: tuple[str, ...] = ()
    at: tuple[str | int, ...] = ()
    notices: tuple[Notice, ...] = ()


def json_tools(file: SeedFile) -> tuple[Seed, ...]:
    """The tools a JSON file defines. Raises FormatError or SeedError with the place of what cannot be read."""
    value = cast("Json", loads(file.text.removeprefix("\ufeff"), place=file.path))
    return _seeds(value, file, None)


def yaml_tools(file: SeedFile) -> tuple[Seed, ...]:
    """The tools a YAML file defines."""
    node = compose(file.text.removeprefix("\ufeff"), place=file.path, most_bytes=TEXT_BYTES)
    return _seeds(typed(node), file, node)


def tool(definition: Json, *, place: str = "tool") -> Tool:
    """One tool from its definition as parsed JSON, in any of the known shapes but OpenAPI.

    Raises FormatError with tool_invalid, tool_name or schema_invalid and the place inside the definition.
    """
    _check_json(definition, place)
    return _tool(definition, place)


def _check_json(definition: Json, place: str) -> None:
    try:
        json.dumps(definition, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        what = "this definition holds something that JSON cannot carry, such as itself"
        hint = "Give plain dicts, lists, texts, finite numbers, True, False and None, nested less than a few hundred deep."
        raise FormatError(f"{what}.", place=place, code="tool_invalid", hint=hint) from error


def _tool(definition: Json, place: str) -> Tool:
    if not isinstance(definition, dict):
        raise _invalid(f"{shown(definition)} is not the definition of a tool.", place)
    inner = definition.get("function")
    if isinstance(inner, dict):
        return _tool({"type": "function", **inner}, f"{place}.function")
    name, key, schema = _shape(definition, place)
    description = definition.get("description") or (definition.get("title") if "name" in definition else "") or ""
    if not isinstance(description, str):
        raise _invalid("the description is not text.", f"{place}.description")
    return made(name, description, parameters(schema, f"{place}.{key}" if key else place), place)


def made(name: Json, description: str, schema: dict[str, Json], place: str) -> Tool:
    """A tool with a checked name and its parameters as compact JSON, keys in the order given."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        hint = "Use 1 to 128 ASCII letters, digits and _ - . : /, for example get_weather."
        raise FormatError(f"{shown(name)} cannot be the name of a tool.", place=f"{place}.name", code="tool_name", hint=hint)
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if len(text.encode()) + len(description.encode()) > TOOL_BYTES:
        what = f"the tool {shown(name)} is larger than {TOOL_BYTES:,} bytes."
        raise FormatError(what, place=place, code="too_large", hint="Cut its descriptions down.")
    return Tool(name=name, description=description.strip(), parameters=text)


def _shape(definition: dict[str, Json], place: str) -> tuple[Json, str, Json]:
    """The name of one definition, the key its schema stands under, and the schema."""
    schemas = [key for key in _SCHEMAS if key in definition]
    if len(schemas) > 1:
        raise _invalid(f"this tool has both {schemas[0]} and {schemas[1]}.", place)
    if schemas:
        return definition.get("name"), schemas[0], definition[schemas[0]]
    kind = definition.get("type")
    if "name" in definition and (kind == "function" or (kind in (None, "custom") and definition.keys() <= _SAID)):
        return definition["name"], "", None
    if definition.get("type") == "object" and "properties" in definition and "title" in definition:
        schema = {key: value for key, value in definition.items() if key not in {"title", "description", "$schema"}}
        return definition["title"], "", cast("Json", schema)
    if "name" in definition:
        raise _invalid(f"the tool {shown(definition['name'])} has no schema.", place)
    raise _invalid("this is not the definition of a tool.", place)


def _seeds(value: Json, file: SeedFile, node: Node | None) -> tuple[Seed, ...]:
    warnings = _list_notices(value)
    return tuple(
        Seed(
            name=one.tool.name,
            text=one.tool.description,
            description=one.tool.description,
            tool=one.tool,
            tags=one.tags,
            line=line_of(node, one.at) if node else 0,
            warnings=(*(() if n else warnings), *one.notices),
        )
        for n, one in enumerate(_defined(value, file, node))
    )


def _defined(value: Json, file: SeedFile, node: Node | None) -> Iterator[Defined]:
    if is_openapi(value):
        for operation in operations(value, file.path):
            known = made(operation.name, operation.description, operation.schema, f"{file.path}: {operation.place}")
            yield Defined(tool=known, tags=operation.tags, at=operation.at)
        return
    for at, definition in _definitions(value, file):
        line = f":{line_of(node, at)}" if node else ""
        place = f"{file.path}{line}: {_spelled(at)}" if at else f"{file.path}{line}"
        known = _tool(definition, place)
        yield Defined(tool=known, at=at, notices=tuple(_schema_notices(definition, known, line_of(node, at) if node else 0)))


def _definitions(value: Json, file: SeedFile) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    """Each definition in a file and the path to it."""
    if isinstance(value, dict) and isinstance(value.get("result"), dict):
        yield from ((("result", *at), found) for at, found in _definitions(value["result"], file))
        return
    if isinstance(value, list):
        yield from (((n,), item) for n, item in enumerate(value))
        return
    if isinstance(value, dict):
        for key in _LISTS:
            if isinstance(items := value.get(key), list):
                yield from (((key, n), item) for n, item in enumerate(items))
                return
        if isinstance(value.get("function"), dict) or any(key in value for key in (*_SCHEMAS, "properties")):
            yield (), value
            return
    raise FormatError("this file defines no tools.", place=file.path, code="format_unknown", hint=_NO_TOOLS)


def _schema_notices(definition: Json, known: Tool, line: int) -> Iterator[Notice]:
    inner = definition.get("function", definition) if isinstance(definition, dict) else None
    told = list(islice(odd(cast("Json", loads(known.parameters))), _MOST_TOLD))
    if isinstance(inner, dict) and not any(key in inner for key in (*_SCHEMAS, "properties")):
        told.insert(0, "it has no schema, and takes any object")
    for what in told:
        yield Notice(code="tool_schema", message=f"the tool {shown(known.name)}: {what}.", line=line)


def _list_notices(value: Json) -> tuple[Notice, ...]:
    inner = value.get("result", value) if isinstance(value, dict) else None
    if isinstance(inner, dict) and inner.get("nextCursor"):
        told = "this list of tools goes on (it has a nextCursor); only this page is here."
        return (Notice(code="list_goes_on", message=told),)
    return ()


def _spelled(at: Sequence[str | int]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in at).lstrip(".")


def _invalid(what: str, place: str) -> FormatError:
    return FormatError(what, place=place, code="tool_invalid", hint=_NO_TOOLS)
