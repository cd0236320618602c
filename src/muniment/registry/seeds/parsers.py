"""Which parser reads which file, and what holds for all of them.

Rule of this file: a parser says what a text means; namespace, path, trust and chain come from the loader, whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from muniment.errors import FormatError, SeedError, shown
from muniment.registry.seeds.markdown import markdown_seeds
from muniment.registry.seeds.tools import json_tools, yaml_tools
from muniment.registry.seeds.values import JSON_BYTES, TEXT_BYTES, Seed, SeedFile, all_are
from muniment.types import Band, Trust

Parser: TypeAlias = Callable[[SeedFile], Sequence[Seed]]

_UNKEEPABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Parsers:
    """Parsers by file extension, in any case. `adding` gives a larger set; the set itself never changes."""

    table: Mapping[str, Parser]

    def adding(self, extension: str, parser: Parser) -> Parsers:
        """These parsers and one more, which replaces that of the same extension."""
        if not re.fullmatch(r"\.[^./\\\s]+", extension):
            hint = "Give one with its dot, for example '.toml'."
            raise SeedError(f"{shown(extension)} is not a file extension.", code="unknown_extension", hint=hint)
        return Parsers(MappingProxyType({**self.table, extension.lower(): parser}))

    def of(self, file: SeedFile) -> Parser:
        """The parser for a file. One that was reached through another file is read as Markdown, whatever its extension."""
        if file.chain:
            return markdown_seeds
        if (parser := self.table.get(file.extension)) is None:
            known = ", ".join(sorted(self.table))
            hint = f"Known are {known}; Parsers.adding takes more."
            raise file.error(
                0, f"no parser is known for {file.extension or 'a file without extension'}.", "unknown_extension", hint
            )
        return parser


PARSERS: Final = Parsers(
    MappingProxyType(
        {
            ".md": markdown_seeds,
            ".markdown": markdown_seeds,
            ".txt": markdown_seeds,
            ".json": json_tools,
            ".yaml": yaml_tools,
            ".yml": yaml_tools,
        }
    )
)


def parse(file: SeedFile, *, parsers: Parsers = PARSERS) -> tuple[Seed, ...]:
    """The seeds a file holds, in its order. Raises SeedError with file, line and code; nothing is read by halves."""
    if not all_are((file,), SeedFile):
        hint = "read_seed_files(paths) reads them from disk; SeedFile(path, text) makes one of a text."
        raise SeedError(f"{shown(file)} is not a SeedFile.", code="type", hint=hint)
    _check_text(file)
    try:
        seeds = parsers.of(file)(file)
    except FormatError as error:
        raise SeedError(error.message, place=error.place or file.path, code=error.reason, hint=error.hint) from error
    if not all_are((seeds,), Sequence) or not all_are(seeds, Seed):
        what = f"the parser of {file.extension or 'this file'} returned {shown(seeds)}, not seeds."
        raise file.error(0, what, "parser_invalid", "A parser returns a list of Seed; an empty one for a file without any.")
    _check_names(seeds, file)
    namespace = namespace_of(file, seeds)
    notices = file.notices
    stamped = []
    for n, seed in enumerate(seeds):
        warnings = seed.warnings if n else (*notices, *seed.warnings)
        stamped.append(
            replace(_lowered(seed, file.trust), namespace=namespace, path=file.path, chain=file.chain, warnings=warnings)
        )
    return tuple(stamped)


def namespace_of(file: SeedFile, seeds: Sequence[Seed] = ()) -> str:
    """What a file's seeds are found under.

    The namespace the loader gave; else the path below the root with dots for slashes; else the file's stem. A SKILL.md
    stands for its folder, or for its first block where no folder is known.
    """
    if file.namespace:
        return file.namespace
    below = file.path.removeprefix(f"{file.root}/") if file.root else ""
    parts = [part.lstrip(".") for part in below.split("/")[:-1]]
    if not file.is_skill:
        return ".".join([*filter(None, parts), file.stem])
    return ".".join(filter(None, parts)) or file.folder or (seeds[0].name if seeds else file.stem)


def _lowered(seed: Seed, trust: Trust) -> Seed:
    """`seed` with no more trust than its file has, and a band where such text may stand."""
    if trust is Trust.TRUSTED and seed.trust is Trust.TRUSTED:
        return seed
    return replace(seed, trust=Trust.UNTRUSTED, band=max(seed.band, Band.SESSION))


def _check_text(file: SeedFile) -> None:
    most = JSON_BYTES if file.extension == ".json" else TEXT_BYTES
    text = file.text
    if (size := len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))) > most:
        hint = "Split it into several files."
        raise file.error(0, f"this file is {size:,} bytes long; at most {most:,} are read.", "too_large", hint)
    if wrong := _UNKEEPABLE.search(text):
        line = text.count("\n", 0, wrong.start()) + 1
        if wrong.group() == "\0":
            raise file.error(line, "this holds a NUL character.", "nul_not_allowed", "Take it out.")
        raise file.error(line, "this holds half of a surrogate pair.", "invalid_unicode", "Decode the file again as UTF-8.")


def _check_names(seeds: Iterable[Seed], file: SeedFile) -> None:
    seen: dict[str, Seed] = {}
    for seed in seeds:
        other = seen.setdefault(seed.name.casefold(), seed)
        if other is not seed:
            where = f", as in line {other.line}" if other.line else ""
            what = f"a second block is named {shown(seed.name)}{where}."
            raise file.error(seed.line, what, "duplicate_name", "Give each block of a file its own name; case does not count.")
