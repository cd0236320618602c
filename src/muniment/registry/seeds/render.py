"""Seeds as a Markdown block file that reads back as the same seeds.

Rule of this file: what it writes has been read once before it is returned.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from muniment.errors import SeedError, shown
from muniment.registry.seeds.blocks import pieces
from muniment.registry.seeds.values import Seed, SeedFile, seeds_of
from muniment.types import Band, Trust

_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_NEXT = "---\nname: next\n---\n"


def render(seeds: Iterable[Seed]) -> str:
    """A block file of these seeds. Texts stay byte for byte; one that a reader could take for several blocks is counted in lines.

    Path, namespace, trust and resources are the loader's and are not written. Raises SeedError for a tool or a pinned seed,
    which no Markdown file can hold.
    """
    return "".join(_block(seed) for seed in seeds_of(seeds))


def _block(seed: Seed) -> str:
    if seed.tool is not None or seed.band is Band.PINNED:
        what = "is a tool" if seed.tool else "is pinned"
        hint = "Keep tools in a JSON file." if seed.tool else "Pin it where the registry is filled."
        raise SeedError(f"{shown(seed.name)} {what}, which a Markdown file cannot say.", code="not_markdown", hint=hint)
    plain = _written(seed, counted=False)
    found = pieces(SeedFile("block.md", plain + _NEXT), several=True)
    survives = [piece.text for piece in found] == [seed.text, ""] and not found[0].notices
    return plain if survives else _written(seed, counted=True)


def _written(seed: Seed, *, counted: bool) -> str:
    said = [f"name: {_quoted(seed.name)}"]
    said += [f"{key}: {_quoted(text)}" for key, text in (("description", seed.description), ("short", seed.short)) if text]
    if seed.trust is Trust.TRUSTED:
        said += [f"priority: {seed.priority!r}", f"band: {seed.band.name.lower()}"]
        said += [f"requires: {_listed(seed.requires)}"] if seed.requires else []
    said += [f"tags: {_listed(seed.tags)}"] if seed.tags else []
    said += [f"lines: {seed.text.count(chr(10)) + 1}"] if counted else []
    head = "\n".join(said)
    return f"---\n{head}\n---\n{seed.text}\n"


def _listed(words: Iterable[str]) -> str:
    return f"[{', '.join(_quoted(word) for word in words)}]"


def _quoted(text: str) -> str:
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
