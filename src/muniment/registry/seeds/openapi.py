"""OpenAPI 3 as tools: one per operation, its parameters and body as one object schema with every reference written out.

Rule of this file: only references inside the document are followed. A schema inside itself is cut short where it recurs,
and what unfolds beyond a bound is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from muniment.errors import FormatError, shown
from muniment.registry.seeds.schema import BY_NAME, LISTS, SINGLE, standard
from muniment.text.strict_yaml import Json

MOST_SCHEMAS: Final = 5_000
"""Schemas that one operation may unfold to."""
MOST_LEVELS: Final = 64

_METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_TRANSPORT: Final = frozenset({"accept", "content-type", "authorization"})  # headers that the specification leaves out
_DROPPED: Final = frozenset({"xml", "externalDocs", "discriminator", "example", "nullable", "readOnly", "writeOnly", "$ref"})
_LIMITS: Final = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
_MOST_NAME: Final = 128
_MOST_PLACE: Final = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation as a tool; `at` is the path to it in the document, `place` the same in words."""

    name: str
    description: str
    schema: dict[str, Json]
    tags: tuple[str, ...]
    at: tuple[str, ...]
    place: str


def is_openapi(value: Json) -> bool:
    """Whether a document says that it is OpenAPI, of any version."""
    return isinstance(value, dict) and ("openapi" in value or "swagger" in value)


def operations(document: Json, name: str) -> Iterator[Operation]:
    """The operations of a document in order. Raises FormatError with `name` and the place inside it."""
    assert isinstance(document, dict)
    version = document.get("openapi", document.get("swagger"))
    if not str(version).startswith("3."):
        whole = str(version) == "3"
        hint = 'Write the version in full, for example openapi: "3.0.3".' if whole else "Convert it to OpenAPI 3 first."
        what = "openapi: 3 is no full version" if whole else f"OpenAPI {shown(version)} is not read"
        raise FormatError(f"{what}.", place=name, code="openapi_version", hint=hint)
    paths = {} if document.get("paths") is None else document["paths"]
    if not isinstance(paths, dict):
        raise _invalid("paths is not a mapping.", f"{name}: paths")
    for path, given in paths.items():
        if path.startswith("x-"):
            continue
        item = _Unfolding(document, name).resolved(given, f"paths.{path}")
        for method in item:
            if method in _METHODS:
                yield _operation(_Unfolding(document, name), path, method, item)


def _operation(unfolding: _Unfolding, path: str, method: str, item: dict[str, Json]) -> Operation:
    place = f"paths.{path}.{method}"
    found = unfolding.resolved(item[method], place)
    said = [text.strip() for key in ("summary", "description") if isinstance(text := found.get(key), str) and text.strip()]
    tags = found.get("tags")
    return Operation(
        name=_name(found.get("operationId"), method, path),
        description="\n\n".join(said) or f"{method.upper()} {path}",
        schema=_schema(unfolding, item, found, place),
        tags=tuple(" ".join(tag.split()) for tag in tags if isinstance(tag, str) and tag.strip())
        if isinstance(tags, list)
        else (),
        at=("paths", path, method),
        place=place,
    )


def _name(given: Json, method: str, path: str) -> str:
    words = given if isinstance(given, str) and given.strip() else f"{method} {path}"
    return re.sub(r"[^A-Za-z0-9_.:-]+", "_", words).strip("_")[:_MOST_NAME] or method


def _schema(unfolding: _Unfolding, item: dict[str, Json], operation: dict[str, Json], place: str) -> dict[str, Json]:
    """Parameters by their names, the body under `body`; a name that is taken gets its place in front."""
    properties: dict[str, Json] = {}
    required: list[Json] = []
    for (where, name), parameter in _parameters(unfolding, item, operation, place).items():
        if where == "header" and name.lower() in _TRANSPORT:
            continue
        key = name if name not in properties else f"{where}_{name}"
        properties[key] = _described(unfolding.content(parameter, f"{place}.{name}"), parameter)
        if parameter.get("required") is True:
            required.append(key)
    if "requestBody" in operation:
        body = unfolding.resolved(operation["requestBody"], f"{place}.requestBody")
        key = "body" if "body" not in properties else "request_body"
        properties[key] = _described(unfolding.content(body, f"{place}.requestBody"), body)
        if body.get("required") is True:
            required.append(key)
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _parameters(
    unfolding: _Unfolding, item: dict[str, Json], operation: dict[str, Json], place: str
) -> dict[tuple[str, str], dict[str, Json]]:
    """Parameters of the path and of the operation, whose own replace those of the path."""
    found: dict[tuple[str, str], dict[str, Json]] = {}
    for holder in (item, operation):
        listed = [] if holder.get("parameters") is None else holder["parameters"]
        if not isinstance(listed, list):
            raise _invalid("parameters is not a list.", f"{unfolding.name}: {place}.parameters")
        for n, given in enumerate(listed):
            parameter = unfolding.resolved(given, f"{place}.parameters[{n}]")
            where, name = parameter.get("in"), parameter.get("name")
            if not isinstance(where, str) or not isinstance(name, str):
                raise _invalid("a parameter needs a name and an in.", f"{unfolding.name}: {place}.parameters[{n}]")
            found[where, name] = parameter
    return found


def _described(schema: dict[str, Json], holder: dict[str, Json]) -> Json:
    text = holder.get("description")
    return {**schema, "description": text.strip()} if isinstance(text, str) and text.strip() else dict(schema)


@dataclass(slots=True)
class _Unfolding:
    """Writes out the schemas of one operation, within its bound."""

    document: dict[str, Json]
    name: str
    left: int = field(default=MOST_SCHEMAS)

    def resolved(self, value: Json, place: str) -> dict[str, Json]:
        """The object `value` is, or refers to."""
        seen: set[str] = set()
        while isinstance(value, dict) and isinstance(ref := value.get("$ref"), str):
            if ref in seen:
                raise _invalid(f"{shown(ref)} refers to itself.", f"{self.name}: {place}")
            seen.add(ref)
            value = self._target(ref, place)
        if not isinstance(value, dict):
            raise _invalid(f"{shown(value)} is not an object.", f"{self.name}: {place}")
        return value

    def content(self, holder: dict[str, Json], place: str) -> dict[str, Json]:
        """The schema of a parameter or body, written out; that of JSON where there are several."""
        schema = holder.get("schema")
        media = holder.get("content")
        if schema is None and isinstance(media, dict) and media:
            kind = next((kind for kind in media if re.match(r"application/([\w.+-]+\+)?json\b", kind)), next(iter(media)))
            schema = self.resolved(media[kind], f"{place}.content").get("schema")
        found = self._written_out({} if schema is None else schema, place, ())
        return found if isinstance(found, dict) else {}

    def _written_out(self, schema: Json, place: str, inside: tuple[str, ...]) -> Json:
        if not isinstance(schema, dict):
            return schema
        self.left -= 1
        if self.left < 0 or len(inside) > MOST_LEVELS:
            what = f"this operation unfolds to more than {MOST_SCHEMAS:,} schemas or {MOST_LEVELS} levels."
            raise FormatError(what, place=f"{self.name}: {place[:_MOST_PLACE]}", code="too_large", hint="Cut its schemas down.")
        if isinstance(ref := schema.get("$ref"), str):
            return self._referred(ref, schema, place, inside)
        out: dict[str, Json] = {}
        for key, value in schema.items():
            if key in _DROPPED or key.startswith("x-"):
                continue
            out[key] = self._inner(key, value, f"{place}.{key}", (*inside, ""))
        _modernised(schema, out)
        return standard(out, f"{self.name}: {place}", deep=False)

    def _inner(self, key: str, value: Json, place: str, inside: tuple[str, ...]) -> Json:
        if key in BY_NAME and isinstance(value, dict):
            kept = {
                name: inner for name, inner in value.items() if not (isinstance(inner, dict) and inner.get("readOnly") is True)
            }
            return {name: self._written_out(inner, f"{place}.{name}", inside) for name, inner in kept.items()}
        if key in LISTS and isinstance(value, list):
            return [self._written_out(inner, place, inside) for inner in value]
        return self._written_out(value, place, inside) if key in SINGLE else value

    def _referred(self, ref: str, schema: dict[str, Json], place: str, inside: tuple[str, ...]) -> Json:
        beside = {key: value for key, value in schema.items() if key == "description"}
        target = self._target(ref, place)
        if ref in inside:
            kind = {"type": target["type"]} if isinstance(target, dict) and "type" in target else {}
            return {**kind, "description": f"{ref.rsplit('/', 1)[-1]}, as above.", **beside}
        found = self._written_out(target, place, (*inside, ref))
        return {**found, **beside} if isinstance(found, dict) else found

    def _target(self, ref: str, place: str) -> Json:
        if not ref.startswith("#/"):
            hint = "Bundle the document into one file first."
            raise FormatError(
                f"{shown(ref)} leads out of this document.", place=f"{self.name}: {place}", code="remote_ref", hint=hint
            )
        value: Json = self.document
        for step in ref[2:].split("/"):
            key = unquote(step).replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and key in value:
                value = value[key]
            elif isinstance(value, list) and key.isascii() and key.isdigit() and int(key[:9]) < len(value):
                value = value[int(key[:9])]
            else:
                raise _invalid(f"{shown(ref)} leads nowhere.", f"{self.name}: {place}")
        return value


def _modernised(schema: dict[str, Json], out: dict[str, Json]) -> None:
    """Put what OpenAPI 3.0 says in its own way as JSON Schema says it."""
    if schema.get("nullable") is True and isinstance(kind := out.get("type"), str):
        out["type"] = [kind, "null"]
    for exclusive, limit in _LIMITS:
        if isinstance(strict := out.get(exclusive), bool):
            del out[exclusive]
            if strict and limit in out:
                out[exclusive] = out.pop(limit)
    properties, required = out.get("properties"), out.get("required")
    if isinstance(properties, dict) and isinstance(required, list):
        out["required"] = [
            name for name in required if not isinstance(name, str) or name in properties or name not in _names(schema)
        ]


def _names(schema: dict[str, Json]) -> dict[str, Json]:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _invalid(what: str, place: str) -> FormatError:
    return FormatError(what, place=place, code="openapi_invalid", hint="Check the document with an OpenAPI validator.")
