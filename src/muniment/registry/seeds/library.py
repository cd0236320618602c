"""A library of seeds: filled once, frozen, and found by `namespace.name`.

Rule of this file: no seed ever shadows another silently. What could be meant twice is refused when the library is filled
or, for a bare name, when it is asked for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from muniment.errors import SeedError, shown
from muniment.registry.seeds.parsers import PARSERS, Parsers, parse
from muniment.registry.seeds.values import Seed, SeedFile, seeds_of

_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Library:
    """Seeds by key, in the order given. A bare name will do where one seed alone bears it.

    `reserved` are names the host keeps for itself. `override` are names or keys of which a later seed may replace an earlier
    or reserved one; `replaced` tells which were. Two seeds of one key, two skills of one name, and two files of one namespace
    are refused otherwise, in any case: SeedError with duplicate_name or duplicate_namespace. The same seed given twice is
    there once.
    """

    seeds: tuple[Seed, ...] = ()
    reserved: Collection[str] = field(default=(), kw_only=True)
    override: Collection[str] = field(default=(), kw_only=True)
    replaced: tuple[Seed, ...] = field(default=(), init=False)
    _by_key: Mapping[str, Seed] = field(default_factory=dict, init=False, repr=False, compare=False)
    _by_name: Mapping[str, tuple[Seed, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        seeds = seeds_of(self.seeds)
        reserved, override = _several(self.reserved, "reserved"), _several(self.override, "override")
        _check_override(override, seeds)
        shelf = _Shelf(reserved, override)
        for seed in seeds:
            shelf.put(seed)
        by_key = {seed.key: seed for seed in shelf.seeds.values()}
        by_name: dict[str, tuple[Seed, ...]] = {}
        for seed in by_key.values():
            by_name[seed.name] = (*by_name.get(seed.name, ()), seed)
        _check_keys(by_key, by_name)
        object.__setattr__(self, "seeds", tuple(by_key.values()))
        object.__setattr__(self, "reserved", reserved)
        object.__setattr__(self, "override", override)
        object.__setattr__(self, "replaced", tuple(shelf.replaced))
        object.__setattr__(self, "_by_key", MappingProxyType(by_key))
        object.__setattr__(self, "_by_name", MappingProxyType(by_name))

    @classmethod
    def read(
        cls,
        files: Iterable[SeedFile],
        *,
        parsers: Parsers = PARSERS,
        reserved: Collection[str] = (),
        override: Collection[str] = (),
    ) -> Library:
        """A library of what these files hold."""
        if isinstance(files, SeedFile | str) or not isinstance(files, Iterable):
            hint = "Write [file], or read_seed_files(paths) to read from disk."
            raise SeedError("files are given as a list of SeedFile.", place="files", code="type", hint=hint)
        seeds = tuple(seed for file in files for seed in parse(file, parsers=parsers))
        return cls(seeds, reserved=reserved, override=override)

    def __len__(self) -> int:
        return len(self.seeds)

    def __iter__(self) -> Iterator[Seed]:
        return iter(self.seeds)

    def __contains__(self, name: object) -> bool:
        """Whether `get` would find it: an ambiguous bare name is not in the library."""
        return name in self._by_key or (isinstance(name, str) and len(self._by_name.get(name, ())) == 1)

    def get(self, name: str) -> Seed:
        """The seed of this key or bare name. Raises SeedError: unknown_seed, or ambiguous with the keys it could be."""
        if not isinstance(name, str):
            raise SeedError(f"{shown(name)} is not a name.", code="type", hint="Give a key or a bare name; names() lists them.")
        if (seed := self._by_key.get(name)) is not None:
            return seed
        found = self._by_name.get(name, ())
        if len(found) == 1:
            return found[0]
        if found:
            keys = ", ".join(seed.key for seed in found[:_MOST_NAMED])
            raise SeedError(f"{len(found)} seeds are named {shown(name)}.", code="ambiguous", hint=f"Give the key: {keys}.")
        close = get_close_matches(name, [*self._by_key, *self._by_name], n=1)
        hint = f"Did you mean {close[0]}?" if close else "names() lists what there is."
        raise SeedError(f"no seed is named {shown(name)}.", code="unknown_seed", hint=hint)

    def names(self, *, tags: Collection[str] | None = None) -> tuple[str, ...]:
        """All keys in order; with `tags`, of those seeds that have any of them (no tags match nothing)."""
        wanted = None if tags is None else set(tags)
        return tuple(seed.key for seed in self.seeds if wanted is None or not wanted.isdisjoint(seed.tags))

    def pull(self, names: Iterable[str], *, strict: bool = True) -> tuple[Seed, ...]:
        """The seeds of these names in the order asked for, each once; all are found before any is returned.

        Unless `strict`, a name that does not exist is skipped; an ambiguous one is an error always.
        """
        asked = _several(names, "names")
        wanted = [self.get(name) for name in asked if strict or name in self._by_key or name in self._by_name]
        return tuple({seed.key: seed for seed in wanted}.values())


class _Shelf:
    """A library being filled."""

    def __init__(self, reserved: Collection[str], override: Collection[str]) -> None:
        self.seeds: dict[str, Seed] = {}
        self.replaced: list[Seed] = []
        self._reserved = {_folded(name) for name in reserved}
        self._override = {_folded(name) for name in override}
        self._skills: dict[str, str] = {}  # the key by the skill's name
        self._paths: dict[str, str] = {}  # the path by namespace

    def put(self, seed: Seed) -> None:
        key, name = _folded(seed.key), _folded(seed.name)
        if self.seeds.get(key) == seed:
            return
        if name not in self._override and key not in self._override:
            self._check(seed, key, name)
        for old in {key, self._skills.get(name, key) if seed.is_skill else key}:
            if old in self.seeds:
                self.replaced.append(self.seeds.pop(old))
        self.seeds[key] = seed
        self._paths.setdefault(_folded(seed.namespace), seed.path)
        if seed.is_skill:
            self._skills[name] = key

    def _check(self, seed: Seed, key: str, name: str) -> None:
        other = self.seeds.get(key) or (self.seeds.get(self._skills.get(name, "")) if seed.is_skill else None)
        if other:
            what = f"{shown(seed.key)} is taken by {other.place or 'another seed'} as {shown(other.key)}; case does not count."
            raise _taken(seed, what, "duplicate_name", f"Rename one, or allow it with override=[{seed.key!r}].")
        if name in self._reserved:
            what = f"{shown(seed.name)} is a name the host keeps for itself."
            raise _taken(seed, what, "duplicate_name", f"Rename it, or allow it with override=[{seed.key!r}].")
        path = self._paths.get(_folded(seed.namespace), seed.path)
        if path != seed.path:
            what = f"the namespace {shown(seed.namespace)} belongs to {path} already."
            raise _taken(seed, what, "duplicate_namespace", "Read both from their common folder, or give one another namespace.")


def _several(names: Iterable[str], what: str) -> tuple[str, ...]:
    found = None if isinstance(names, str) or not isinstance(names, Iterable) else tuple(names)
    if found is None or not all(isinstance(name, str) for name in found):
        hint = f"Put one in brackets: [{shown(names)}]." if isinstance(names, str) else "Write ['a', 'b']."
        raise SeedError(f"{what} is not a list of names.", place=what, code="type", hint=hint)
    return found


def _check_override(override: Iterable[str], seeds: Iterable[Seed]) -> None:
    """What may be replaced has to be there: a slip of the pen would allow nothing."""
    known = {_folded(name) for seed in seeds for name in (seed.key, seed.name)}
    for name in override:
        if _folded(name) not in known:
            hint = "Give the name or the key of one of these seeds."
            raise SeedError(f"override names {shown(name)}, which no seed bears.", code="unknown_seed", hint=hint)


def _check_keys(by_key: Mapping[str, Seed], by_name: Mapping[str, tuple[Seed, ...]]) -> None:
    """No bare name may look like the key of another seed."""
    for key in by_key:
        for seed in by_name.get(key, ()):
            if seed.key != key:
                what = f"the name {shown(seed.name)} is also the key of {by_key[key].place or 'another seed'}."
                raise _taken(seed, what, "duplicate_name", "Give one of the two files another namespace.")


def _taken(seed: Seed, what: str, code: str, hint: str) -> SeedError:
    return SeedError(what, place=seed.place, code=code, hint=hint)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
