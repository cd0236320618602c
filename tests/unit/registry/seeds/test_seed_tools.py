"""Tool definitions of every common shape become one kind of tool; what is none is refused by its place."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import FormatError, SeedError
from muniment.registry import Registry
from muniment.registry.seeds import SeedFile, parse, tool
from muniment.types import Band, Trust

PUBLIC = Path(os.environ.get("MUNIMENT_DATA", "/nowhere")) / "bfcl"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def read(value, path="tools.json", **how):
    return parse(SeedFile(path, value if isinstance(value, str) else json.dumps(value), **how))


def refusal(value, path="tools.json"):
    with pytest.raises(SeedError) as caught:
        read(value, path)
    return caught.value


SHAPES = {
    "openai": {
        "type": "function",
        "function": {"name": "weather", "description": "Tell it.", "parameters": SCHEMA, "strict": True},
    },
    "openai flat": {"type": "function", "name": "weather", "description": "Tell it.", "parameters": SCHEMA},
    "anthropic": {"name": "weather", "description": "Tell it.", "input_schema": SCHEMA},
    "mcp": {"name": "weather", "description": "Tell it.", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}},
    "bare": {"name": "weather", "description": "Tell it.", "parameters": {**SCHEMA, "type": "dict"}},
    "json schema": {"title": "weather", "description": "Tell it.", **SCHEMA},
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize(
    "wrap", [lambda one: one, lambda one: [one], lambda one: {"tools": [one]}, lambda one: {"result": {"tools": [one]}}]
)
def test_every_shape_is_the_same_tool(shape, wrap):
    (seed,) = read(wrap(shape))
    assert (seed.key, seed.text, seed.description, seed.band) == ("tools.weather", "Tell it.", "Tell it.", Band.STABLE)
    assert json.loads(seed.tool.parameters) == SCHEMA
    assert list(json.loads(seed.tool.parameters))[:2] == ["type", "properties"]
    assert tool(shape) == seed.tool


def test_tools_are_loaded_into_a_registry():
    registry = Registry()
    (block_id,) = registry.load(read(SHAPES["mcp"]))
    assert registry.get(block_id).tool.name == "weather"


def test_a_tool_without_parameters_takes_none():
    for schema in (None, {}, {"type": "object"}, {"properties": {}}):
        (seed,) = read({"type": "function", "function": {"name": "now", "parameters": schema}})
        assert json.loads(seed.tool.parameters) == {"type": "object", "properties": {}}
    assert json.loads(tool({"type": "function", "name": "now"}).parameters) == {"type": "object", "properties": {}}


def test_a_title_stands_in_for_a_description():
    assert read({"name": "now", "title": "The time", "inputSchema": {}})[0].description == "The time"


def test_types_of_other_languages_become_those_of_the_standard_where_they_are_types():
    given_schema = {
        "type": "dict",
        "properties": {
            "type": {"type": "float", "enum": ["dict"], "default": {"type": "dict"}},
            "rows": {"type": "tuple", "items": {"type": "dict", "properties": {"n": {"type": "any", "description": "x"}}}},
            "either": {"anyOf": [{"type": "int"}, {"type": ["str", "null"]}]},
            "open": {"type": "object", "additionalProperties": {"type": "bool"}},
        },
    }
    assert json.loads(tool({"name": "t", "parameters": given_schema}).parameters)["properties"] == {
        "type": {"type": "number", "enum": ["dict"], "default": {"type": "dict"}},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"description": "x"}}}},
        "either": {"anyOf": [{"type": "integer"}, {"type": ["string", "null"]}]},
        "open": {"type": "object", "additionalProperties": {"type": "boolean"}},
    }


def test_tools_from_outside_are_untrusted_when_the_loader_says_so():
    (seed,) = read({"tools": [SHAPES["mcp"]], "nextCursor": "more"}, trust=Trust.UNTRUSTED)
    assert (seed.trust, seed.band) == (Trust.UNTRUSTED, Band.SESSION)
    assert [notice.code for notice in seed.warnings] == ["list_goes_on"]


def test_the_order_of_a_list_and_of_keys_is_kept():
    listed = [{"name": name, "parameters": {"type": "object", "properties": {"z": {}, "a": {}}}} for name in ("b", "a", "c")]
    seeds = read(listed)
    assert [seed.name for seed in seeds] == ["b", "a", "c"]
    assert seeds[0].tool.parameters == '{"type":"object","properties":{"z":{},"a":{}}}'


@pytest.mark.parametrize(
    ("value", "code", "place"),
    [
        ({"name": "package", "version": "1.0.0"}, "format_unknown", "tools.json"),
        ({"openrpc": "1"}, "format_unknown", "tools.json"),
        ("text", "malformed", "tools.json"),
        ('"text"', "format_unknown", "tools.json"),
        ('{"tools": [', "malformed", "tools.json"),
        ('{"name": "a", "name": "b", "parameters": {}}', "duplicate_key", "tools.json"),
        ({"tools": [1]}, "tool_invalid", "tools.json: tools[0]"),
        ({"tools": [{"description": "x"}]}, "tool_invalid", "tools.json: tools[0]"),
        ([{"name": "x", "age": 3}], "tool_invalid", "tools.json: [0]"),
        ([{"name": "x", "inputSchema": []}], "schema_invalid", "tools.json: [0].inputSchema"),
        ({"openapi": 3, "paths": {}}, "openapi_version", "tools.json"),
        ({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "tool_invalid", "tools.json: tools[0]"),
        ([{"name": "x", "parameters": {}, "input_schema": {}}], "tool_invalid", "tools.json: [0]"),
        ([{"name": "x", "parameters": {}, "description": 3}], "tool_invalid", "tools.json: [0].description"),
        ([{"name": "two words", "parameters": {}}], "tool_name", "tools.json: [0].name"),
        ([{"name": "", "parameters": {}}], "tool_name", "tools.json: [0].name"),
        ([{"name": ["x"], "parameters": {}}], "tool_name", "tools.json: [0].name"),
        ([{"name": "x" * 129, "parameters": {}}], "tool_name", "tools.json: [0].name"),
        ([{"name": "x", "parameters": []}], "schema_invalid", "tools.json: [0].parameters"),
        ([{"name": "x", "parameters": {"type": "array"}}], "schema_invalid", "tools.json: [0].parameters"),
        ([{"name": "x", "parameters": {"properties": []}}], "schema_invalid", "tools.json: [0].parameters"),
        ([{"name": "x", "parameters": {"items": {"type": "zork"}}}], "schema_invalid", "tools.json: [0].parameters.items.type"),
        ([{"name": "x", "parameters": {"type": 5}}], "schema_invalid", "tools.json: [0].parameters.type"),
        ([{"name": "x", "parameters": {}}, {"name": "X", "parameters": {}}], "duplicate_name", "tools.json"),
        ([{"name": "x", "parameters": {"description": "d" * (1 << 18)}}], "too_large", "tools.json: [0]"),
        ("[" * 70, "too_deep", "tools.json: line 1, column 65"),
    ],
)  # fmt: skip
def test_what_is_no_tool_is_refused_by_its_place(value, code, place):
    error = refusal(value)
    assert (error.reason, error.place) == (code, place)
    assert error.hint


@pytest.mark.parametrize(
    "given",
    [
        {"name": "x"},
        {"name": "x", "description": "Do it."},
        {"name": "x", "type": "custom", "annotations": {"readOnlyHint": True}},
        {"type": "function", "function": {"name": "x"}},
    ],
)
def test_a_tool_without_a_schema_takes_an_object_and_is_told(given):
    (seed,) = read({"tools": [given]})
    assert json.loads(seed.tool.parameters) == {"type": "object", "properties": {}}
    assert [notice.code for notice in seed.warnings] == ["tool_schema"]


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"properties": {"a": {"$ref": "#/$defs/b"}}}, ["#/$defs/b"]),
        ({"properties": {"a": {"$ref": "https://example.org/s.json"}}}, ["https://example.org/s.json"]),
        ({"properties": {"a": {"$ref": "other.json#/x"}}, "required": ["b", "c"]}, ["'b'", "'c'", "other.json#/x"]),
        ({"properties": {"a": {"items": {"properties": {"x": {}}, "required": ["y"]}}}}, ["'y'"]),
        ({"properties": {"a": {"anyOf": [{"$ref": "#/anyOf/1"}]}}, "anyOf": [{}]}, ["#/anyOf/1"]),
        ({"properties": {"a": {"$ref": "#/$defs/b~1c%20d"}}, "$defs": {"b/c d": {"$ref": "#"}}}, []),
        ({"properties": {"a": {"$ref": "#/anyOf/0"}}, "anyOf": [{"$ref": "#anchor"}], "required": ["z"]}, []),
        ({"properties": {"$ref": {"type": "string"}}, "patternProperties": {"^z": {}}, "required": ["z"]}, []),
        ({"properties": {"a": {"default": {"$ref": "x", "required": ["y"], "properties": {}}}}}, []),
        ({"properties": {str(n): {"$ref": "#/x"} for n in range(100)}}, ["#/x"] * 20),
    ],
)
def test_a_schema_a_provider_may_refuse_is_told(schema, told):
    (seed,) = read({"name": "x", "inputSchema": {"type": "object", **schema}})
    assert [notice.code for notice in seed.warnings] == ["tool_schema"] * len(told)
    assert all(what in notice.message for what, notice in zip(told, seed.warnings, strict=True))


def test_yaml_definitions_are_read_and_refused_by_their_line():
    text = "tools:\n- name: a\n  inputSchema: {type: object, properties: {n: {type: integer, default: 1, enum: [1, no, '2']}}}\n"
    (seed,) = read(text, "tools.yaml")
    assert json.loads(seed.tool.parameters)["properties"] == {"n": {"type": "integer", "default": 1, "enum": [1, "no", "2"]}}
    assert seed.line == 2
    assert refusal(text + "- name: b\n  inputSchema: {type: array}\n", "tools.yml").place == "tools.yml:4: tools[1].inputSchema"
    assert refusal("tools: &a []\n", "tools.yaml").place == "tools.yaml:1"


def test_a_definition_can_be_read_alone():
    assert tool({"name": "a", "parameters": None}).name == "a"
    with pytest.raises(FormatError) as caught:
        tool("weather", place="arguments[2]")
    assert caught.value.place == "arguments[2]"


API = """
openapi: 3.0.3
paths:
  x-note: {anything: goes}
  /pets/{id}:
    summary: One pet
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
    get:
      operationId: getPet
      summary: Read a pet
      description: All of it.
      tags: [pets, "read  only"]
      parameters:
        - {name: id, in: query, schema: {type: string, nullable: true}}
        - {name: Accept, in: header, schema: {type: string}}
        - $ref: '#/components/parameters/Limit'
    post:
      requestBody:
        description: The pet.
        required: true
        content:
          text/plain: {schema: {type: string}}
          application/merge-patch+json; charset=utf-8:
            schema: {$ref: '#/components/schemas/Pet'}
components:
  parameters:
    Limit:
      {name: limit, in: query, description: How many, schema: {type: integer, minimum: 0, exclusiveMinimum: true, x-no: 1}}
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string, example: Rex, xml: {attribute: true}}
        example: {type: string}
        parent: {$ref: '#/components/schemas/Pet', description: Its mother.}
        friends: {type: array, items: {$ref: '#/components/schemas/Pet'}}
"""


def test_openapi_operations_are_tools():
    get, post = read(API, "api.yaml")
    assert (get.name, get.tags, get.line, get.text) == ("getPet", ("pets", "read only"), 9, "Read a pet\n\nAll of it.")
    assert json.loads(get.tool.parameters) == {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "query_id": {"type": ["string", "null"]},
            "limit": {"type": "integer", "exclusiveMinimum": 0, "description": "How many"},
        },
        "required": ["id"],
    }
    assert (post.name, post.text) == ("post_pets_id", "POST /pets/{id}")
    assert json.loads(post.tool.parameters)["required"] == ["id", "body"]
    assert json.loads(post.tool.parameters)["properties"]["body"] == {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "example": {"type": "string"},
            "parent": {"type": "object", "description": "Its mother."},
            "friends": {"type": "array", "items": {"type": "object", "description": "Pet, as above."}},
        },
        "description": "The pet.",
    }


def test_openapi_as_json_is_the_same():
    paths = {"/a": {"get": {"operationId": "list a"}, "put": {"requestBody": {"content": {}}}}}
    seeds = read({"openapi": "3.1.0", "paths": paths})
    assert [seed.name for seed in seeds] == ["list_a", "put_a"]
    assert json.loads(seeds[1].tool.parameters)["properties"] == {"body": {}}
    assert read({"openapi": "3.1.0"}) == ()


def api_with(schema, schemas):
    body = {"content": {"application/json": {"schema": schema}}}
    return {"openapi": "3.1.0", "paths": {"/a": {"post": {"requestBody": body}}}, "components": {"schemas": schemas}}


def fan(width, depth):
    return {f"A{n}": {"properties": {f"p{i}": ref(f"A{n + 1}") for i in range(width)}} for n in range(depth)}


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"swagger": "2.0", "paths": {}}, "openapi_version"),
        ({"openapi": "3.0.0", "paths": []}, "openapi_invalid"),
        ({"openapi": "3.0.0", "paths": {"/a": {"get": 1}}}, "openapi_invalid"),
        ({"openapi": "3.0.0", "paths": {"/a": {"get": {"parameters": [{"name": "x"}]}}}}, "openapi_invalid"),
        ({"openapi": "3.0.0", "paths": {"/a": {"get": {"parameters": {}, "requestBody": {"$ref": "#/x"}}}}}, "openapi_invalid"),
        ({"openapi": "3.0.0", "paths": {"/a": {"$ref": "#/paths/~1a"}}}, "openapi_invalid"),
        (api_with({"$ref": "other.json#/Pet"}, {}), "remote_ref"),
        (api_with({"$ref": "http://example.org/pet"}, {}), "remote_ref"),
        (api_with(ref("Missing"), {}), "openapi_invalid"),
        (api_with(ref("A0"), fan(2, 40)), "too_large"),
        (api_with(ref("A0"), fan(1, 4000)), "too_large"),
        (api_with({"type": "zork"}, {}), "schema_invalid"),
    ],
)  # fmt: skip
def test_an_api_that_cannot_be_written_out_is_refused(value, code):
    error = refusal(value)
    assert error.reason == code
    assert error.place.startswith("tools.json")
    assert error.hint


def test_references_go_anywhere_inside_the_document_and_schemas_may_be_true_or_false():
    schema = {
        "anyOf": [{"$ref": "#/paths/~1a/get/parameters/0/schema"}, {"$ref": "#/components/schemas/a%20b"}],
        "additionalProperties": False,
        "exclusiveMaximum": False,
        "maximum": 3,
    }
    api = api_with(schema, {"a b": {"const": {"$ref": "#/not/followed"}}})
    api["paths"]["/a"]["get"] = {"parameters": [{"in": "query", "name": "q", "schema": {"type": "string"}}]}
    assert json.loads(read(api)[0].tool.parameters)["properties"]["body"] == {
        "anyOf": [{"type": "string"}, {"const": {"$ref": "#/not/followed"}}],
        "additionalProperties": False,
        "maximum": 3,
    }
    assert json.loads(tool({"name": "t", "parameters": {"properties": {"x": True}}}).parameters)["properties"] == {"x": True}


def test_a_schema_that_is_only_itself_is_cut_short():
    (seed,) = read(api_with(ref("A"), {"A": ref("B"), "B": ref("A")}))
    assert json.loads(seed.tool.parameters)["properties"] == {"body": {"description": "A, as above."}}


WORDS = ["name", "type", "parameters", "input_schema", "function", "tools", "result", "properties", "items", "title", "required"]
API_WORDS = ["openapi", "paths", "/a", "get", "post", "$ref", "requestBody", "schema", "in", "content"]
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["object", "dict", "x", "#/a", "#/paths", "3.0.0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS + API_WORDS), inner, max_size=4),
    max_leaves=15,
)


@given(anything)
def test_any_json_is_read_or_refused_and_never_breaks(value):
    try:
        seeds = read(value)
    except SeedError as error:
        told = error.hint
    else:
        told = all(seed.tool for seed in seeds)
    assert told


@pytest.mark.data
@pytest.mark.skipif(not PUBLIC.is_dir(), reason="MUNIMENT_DATA does not name a folder with bfcl")
def test_every_public_schema_is_a_tool():
    registry = Registry()
    for definition in json.loads((PUBLIC / "live_multiple_tools_dev.json").read_text(encoding="utf-8")):
        assert len(registry.load(read(definition))) == 1
    assert len(registry) == 752
