"""Everything that can be set from outside, as one frozen value. The only reader of the environment and of configuration files.

Rule of this file: a value given by hand wins over the environment, that over the file, that over the default; each is checked
where it came from, and nothing is guessed: an empty value, an unknown key or a broken file is an error. The library itself
never reads settings; only the command line does.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from muniment.errors import InputError
from muniment.types import RUNGS, check_id

FILE = "muniment.toml"
CONFIG = "MUNIMENT_CONFIG"
KEY = "MUNIMENT_EMBEDDER_KEY"
MODEL_KEY = "MUNIMENT_MODEL_KEY"
OPENAI_KEY = "OPENAI_API_KEY"
ON_THIS_MACHINE = frozenset({"auto", "none", "local", "hashed"})
"""Embedders that a file which was merely found may name; models it may not, and of rerankers only `late`.

The others run a file or send texts away.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the command line works with. `sources` says for each setting where its value came from."""

    store: str = "sqlite:///muniment.db"
    client: str | None = None
    customer: str | None = None
    user: str | None = None
    agent: str = "default"
    embedder: str = "auto"
    tokens: str = "auto"
    model: str = "none"
    reranker: str = "none"
    key: str | None = field(default=None, repr=False)
    embedder_key: str | None = field(default=None, repr=False)
    sources: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)


NAMES = tuple(f.name for f in fields(Settings) if f.name not in {"key", "embedder_key", "sources"})
"""What may be given by hand, as MUNIMENT_<NAME> or in the file. The embedder's key comes from the environment alone."""
GIVEN = (*NAMES, "key")
"""What may be given by hand or as MUNIMENT_<NAME>. A key is never read from a file."""


def load(
    given: Mapping[str, str | None] | None = None,
    *,
    config: str | Path | None = None,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Settings:
    """Settings from `given` (None values count as not given), the environment, the file, and the defaults, in this order.

    The file is `config`, else the one MUNIMENT_CONFIG names, else muniment.toml in `folder` (the working folder) if there is one.
    Raises InputError, naming the source, for an unknown name, an empty or wrong value, or a file that cannot be used.
    """
    env = os.environ if environ is None else environ
    by_hand = {name: value for name, value in (given or {}).items() if value is not None}
    _check_names(by_hand, "a setting given by hand", GIVEN)
    _check_variables(env)
    from_env = {name: env[f"MUNIMENT_{name.upper()}"] for name in GIVEN if f"MUNIMENT_{name.upper()}" in env}
    path, found = _file(config, env, folder or Path.cwd())
    from_file = _read(path, found=found) if path else {}

    layers = [
        (by_hand, lambda name: name),
        (from_env, lambda name: f"MUNIMENT_{name.upper()}"),
        (from_file, lambda name: f"{name} in {path}"),
    ]
    values: dict[str, str] = {}
    sources: dict[str, str] = {}
    for layer, source in reversed(layers):
        for name, value in layer.items():
            values[name], sources[name] = _checked(name, value, source(name)), source(name)
    key, sources["embedder_key"] = _key(env, values.get("embedder", ""))
    return Settings(**values, embedder_key=key, sources=MappingProxyType(sources))


def is_dumb(environ: Mapping[str, str] | None = None) -> bool:
    """True when the environment says of the terminal that it knows no codes."""
    return (os.environ if environ is None else environ).get("TERM", "").lower() in {"dumb", "unknown"}


def no_colour(environ: Mapping[str, str] | None = None) -> bool:
    """True when the environment asks every program for plain text (https://no-color.org)."""
    return bool((os.environ if environ is None else environ).get("NO_COLOR"))


def _checked(name: str, value: str, source: str) -> str:
    if not value.strip():
        raise InputError(
            "this setting is empty.",
            place=source,
            code="setting_empty",
            hint="Give it a value, or remove it: empty never means 'not set'.",
        )
    if name in {*RUNGS, "agent"}:
        return check_id(value, source)
    if not value.isprintable() or value != value.strip():
        raise InputError(
            "this setting has spaces at its ends or control characters.",
            place=source,
            code="setting_invalid",
            hint="Remove them.",
        )
    return value


def _key(env: Mapping[str, str], embedder: str) -> tuple[str | None, str]:
    """The key of the embedding service. OPENAI_API_KEY is only ever taken for OpenAI itself."""
    return _first_key(env, (KEY, OPENAI_KEY) if embedder.startswith("openai:") else (KEY,))


def model_key(model: str, environ: Mapping[str, str] | None = None) -> str | None:
    """The key of the service behind a model's name. OPENAI_API_KEY is only ever taken for OpenAI itself.

    Raises InputError for a key that cannot be used.
    """
    env = os.environ if environ is None else environ
    return _first_key(env, (MODEL_KEY, OPENAI_KEY) if model.startswith("openai:") and "@" not in model else (MODEL_KEY,))[0]


def _first_key(env: Mapping[str, str], names: Iterable[str]) -> tuple[str | None, str]:
    for name in names:
        if name in env:
            value = env[name]
            if not value or not value.isascii() or not value.isprintable() or " " in value:
                raise InputError(
                    "this is not a usable key.", place=name, code="setting_empty", hint="Set it to the key, or unset it."
                )
            return value, name
    return None, "default"


def _file(config: str | Path | None, env: Mapping[str, str], folder: Path) -> tuple[Path | None, bool]:
    """The file to read, and whether it was merely found rather than named."""
    if config is not None:
        return Path(_checked("config", str(config), "config")), False
    if CONFIG in env:
        return Path(_checked("config", env[CONFIG], CONFIG)), False
    path = folder / FILE
    return (path, True) if path.exists() else (None, True)


def _read(path: Path, *, found: bool) -> dict[str, str]:
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InputError(
            "this file cannot be read.", place=str(path), code="config_missing", hint="Name a file that exists."
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            "this file is not UTF-8 text.", place=str(path), code="config_invalid", hint="Save it as UTF-8."
        ) from error
    except tomllib.TOMLDecodeError as error:
        where = _LINE.search(str(error))
        line = f"line {where[1]}" if where else "its last line"
        raise InputError(
            f"this file is not valid TOML at {line}.",
            place=str(path),
            code="config_invalid",
            hint='Write settings one a line, for example: store = "sqlite:///agent.db"',
        ) from error
    _check_names(table, str(path), NAMES)
    for name, value in table.items():
        if not isinstance(value, str):
            raise InputError(
                f"{name} must be text in quotes.", place=str(path), code="setting_invalid", hint=f'Write {name} = "…".'
            )
    if found:
        _check_stays_here(table, path)
    return table


_LINE = re.compile(r"line (\d+)")


def _check_names(table: Mapping[str, object], place: str, known: Sequence[str]) -> None:
    for name in table:
        if name in known:
            continue
        near = get_close_matches(name, known, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}."
        if "key" in name:
            hint = f"Keys are read from no file: set MUNIMENT_KEY for the store's, {KEY} for the embedder's."
        raise InputError(f"there is no setting {name!r}.", place=place, code="setting_unknown", hint=hint)


def _check_variables(env: Mapping[str, str]) -> None:
    """Refuse a misspelt variable, since a scope whose rung was overlooked is wider than the one that was meant."""
    known = [*(f"MUNIMENT_{name.upper()}" for name in GIVEN), CONFIG, KEY, MODEL_KEY]
    for variable in env:
        if (
            variable.startswith("MUNIMENT_")
            and variable not in known
            and (near := get_close_matches(variable, known, n=1, cutoff=0.87))
        ):
            raise InputError("there is no such setting.", place=variable, code="setting_unknown", hint=f"Did you mean {near[0]}?")


def _check_stays_here(table: Mapping[str, str], path: Path) -> None:
    """A file that happens to lie in the working folder may come from anyone: it cannot send texts or keys to another machine."""
    away = {
        "embedder": (table.get("embedder") or "auto") not in ON_THIS_MACHINE,
        "model": (table.get("model") or "none") != "none",
        "reranker": (table.get("reranker") or "none") not in {"none", "late"},
        "store": bool(urlsplit(table.get("store", "")).netloc),
    }
    for name, leaves in away.items():
        if leaves:
            raise InputError(
                f"a {path.name} that was merely found may not set this {name}.",
                place=str(path),
                code="setting_refused",
                hint=f"Name the file with --config or {CONFIG}, or set MUNIMENT_{name.upper()}.",
            )
