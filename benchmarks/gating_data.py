"""Tool choice as a file gives it: schemas of tools, and questions with the names of the tools that answer them.

Rule of this file: one block for every name. Schemas of one name are one tool with all their wordings; a prompt would hold one of
them, so what the tool costs is their mean.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from muniment.types import Band, Block, BlockId, Tool

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: its words, and the places of the tools that answer it."""

    id: str
    text: str
    gold: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """Tools and questions. `tools` have all wordings of their name, `firsts` the first schema of it; `cost` is in tokens."""

    tools: tuple[Block, ...]
    firsts: tuple[Block, ...]
    cost: np.ndarray
    questions: tuple[Asked, ...]


def files(path: Path) -> tuple[Path, Path]:
    """The questions and the tools that `path` means: a questions file, its folder, or a folder that has it under `bfcl`."""
    folder = path / "bfcl" if (path / "bfcl").is_dir() else path
    found = [path] if path.is_file() else sorted(folder.glob("*questions*.jsonl"))
    if len(found) != 1:
        names = ", ".join(one.name for one in found) or "none"
        raise SystemExit(f"{folder}: expected one *questions*.jsonl and found {names}. Give the file itself with --data.")
    questions = found[0]
    own = questions.with_name(questions.stem.replace("questions", "tools") + ".json")
    others = sorted(questions.parent.glob("*tools*.json"))
    if not own.is_file() and len(others) != 1:
        raise SystemExit(f"{questions.name} needs the file {own.name} beside it.")
    return questions, own if own.is_file() else others[0]


def read(questions: Path, tools: Path, count: Callable[[str], int]) -> Cases:
    """Read both files; `count` counts tokens. A question none of whose gold names has a schema is left out."""
    named: dict[str, list[Schema]] = {}
    for schema in json.loads(tools.read_text(encoding="utf-8")):
        named.setdefault(schema["name"], []).append(schema)
    place = {name: number for number, name in enumerate(named)}
    asked = []
    for line in questions.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        gold = tuple(sorted({place[name] for name in case["gold_names"] if name in place}))
        if gold:
            asked.append(Asked(str(case["id"]), _words(case["question"]), gold))
    return Cases(
        tools=tuple(_block(number, _merged(schemas)) for number, schemas in enumerate(named.values())),
        firsts=tuple(_block(number, schemas[0]) for number, schemas in enumerate(named.values())),
        cost=np.array([np.mean([count(compact(schema)) for schema in schemas]) for schemas in named.values()]),
        questions=tuple(asked),
    )


def compact(schema: Schema) -> str:
    """A schema as it would be sent."""
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def _words(question: object) -> str:
    """What the user says: a text as it is, or the user's messages of a list of turns."""
    if isinstance(question, str):
        return question
    messages = [message for turn in question for message in (turn if isinstance(turn, list) else [turn])]
    return "\n".join(message["content"] for message in messages if message["role"] == "user")


def _block(number: int, schema: Schema) -> Block:
    tool = Tool(name=schema["name"], description=schema.get("description", ""), parameters=compact(schema.get("parameters", {})))
    return Block(id=BlockId(str(number)), name=tool.name, text="", band=Band.VOLATILE, tool=tool)


def _merged(schemas: Sequence[Schema]) -> Schema:
    out = schemas[0]
    for other in schemas[1:]:
        out = {
            "name": out["name"],
            "description": _lines(out.get("description", ""), other.get("description", "")),
            "parameters": _union(out.get("parameters", {}), other.get("parameters", {})),
        }
    return out


def _union(one: Any, other: Any) -> Any:
    """A schema with the parameters, wordings and allowed values of both."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return one
    out = {**other, **one}
    for key in one.keys() & other.keys():
        first, second = one[key], other[key]
        if key == "description":
            out[key] = _lines(str(first), str(second))
        elif key == "properties" and isinstance(first, dict) and isinstance(second, dict):
            out[key] = {**second, **first} | {name: _union(first[name], second[name]) for name in first if name in second}
        elif key == "items":
            out[key] = _union(first, second)
        elif key == "enum" and isinstance(first, list) and isinstance(second, list):
            out[key] = [*first, *(value for value in second if value not in first)]
        elif key == "required" and isinstance(first, list) and isinstance(second, list):
            out[key] = [name for name in first if name in second]
    return out


def _lines(one: str, other: str) -> str:
    """The lines of both texts, each once."""
    return "\n".join(dict.fromkeys(line for line in (*one.splitlines(), *other.splitlines()) if line.strip()))


def spelled(block: Block) -> str:
    """A tool's schema as plain text."""
    tool = block.tool
    return "" if tool is None else f"{tool.name} {tool.description} {tool.parameters}"
