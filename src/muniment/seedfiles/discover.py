"""Which files of a tree are seeds, which are resources of a skill, and what each of them brings along.

Rule of this file: what decides is the name, never the content; the same tree gives the same files in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from muniment.errors import SeedError
from muniment.registry.seeds.lines import Scanner
from muniment.registry.seeds.values import JSON_BYTES, MARKDOWN, TEXT_BYTES, Notice, Resource, SeedFile
from muniment.seedfiles.trees import Allowance, Tree, decoded, joined, place
from muniment.types import Trust

MOST_HOPS: Final = 4
"""How far imports of a CLAUDE.md are followed."""

_SKILL: Final = "skill.md"
_DATA: Final = (".json", ".yaml", ".yml")
_TOOLS = re.compile(r"""\binputSchema\b|\binput_schema\b|"parameters"\s*:|^\s*["']?openapi["']?\s*:""", re.MULTILINE)
_IMPORT = re.compile(r"(?<![\w`@/.])@((?:~?/)?(?:\.{1,2}/)*\.?\w[\w./~-]*)")
_CODE_SPAN = re.compile(r"`[^`]*`")


class Mention(NamedTuple):
    """One `@path` in a text, and its line."""

    path: str
    line: int


def seed_files(tree: Tree, *, trust: Trust, allowance: Allowance) -> Iterator[SeedFile]:
    """The seed files of a tree in order."""
    reader = Reader(tree, trust, allowance)
    resources = {path for paths in reader.beside_skills().values() for path in paths}
    for path in tree.sizes():
        if path in resources or (_name(path) == "agents.md" and tree.size(_override(path)) is not None):
            continue
        if path.lower().endswith(MARKDOWN):
            yield from reader.named(path)
        elif path.lower().endswith(_DATA):
            yield from reader.data(path)


class Reader:
    """Reads files of one tree, each once."""

    def __init__(self, tree: Tree, trust: Trust, allowance: Allowance) -> None:
        self._tree = tree
        self._trust = trust
        self._allowance = allowance
        self._read: set[str] = set()
        self._beside: dict[str, list[str]] | None = None

    def beside_skills(self) -> dict[str, list[str]]:
        """The files below the folder of every SKILL.md, by folder; those of a skill within a skill are its own."""
        if self._beside is None:
            self._beside = {_folder(path): [] for path in self._tree.sizes() if _name(path) == _SKILL}
            for path in self._tree.sizes():
                home = _home(path, self._beside)
                if home is not None and _name(path) != _SKILL:
                    self._beside[home].append(path)
        return self._beside

    def named(self, path: str) -> Iterator[SeedFile]:
        """A file with what it brings along: resources, imports or the chain above it. Nothing, if it was read before."""
        if path in self._read:
            return
        file = self.file(path)
        if file.is_skill:
            yield replace(file, resources=tuple(self._resources(_folder(path))))
        elif file.is_context and _name(path).startswith("claude."):
            yield from self._imported(path, file)
        elif file.is_context:
            yield replace(file, chain=self._chain(path), notices=self._overridden(path))
        else:
            yield file

    def data(self, path: str) -> Iterator[SeedFile]:
        """A JSON or YAML file, if it looks like definitions of tools."""
        if (self._tree.size(path) or 0) <= _most(path) and _TOOLS.search(self._tree.read(path).decode(errors="replace")):
            yield self.file(path)

    def file(self, path: str) -> SeedFile:
        """One file as it is. Raises SeedError when it is too large or not text."""
        name, size = place(self._tree, path), self._tree.size(path) or 0
        if size > _most(path):
            what = f"this file is {size:,} bytes long; at most {_most(path):,} are read."
            raise SeedError(what, place=name, code="too_large", hint="Split it into several files.")
        self._allowance.take(size, name)
        self._read.add(path)
        return SeedFile(name, decoded(self._tree.read(path), name), trust=self._trust, root=self._tree.label)

    def _resources(self, folder: str) -> Iterator[Resource]:
        for path in self.beside_skills().get(folder, ()):
            size = self._tree.size(path) or 0
            yield Resource(path=path.removeprefix(f"{folder}/" if folder else ""), size=size, text=self._text(path, size))

    def _text(self, path: str, size: int) -> str | None:
        """The text of a resource; None when it is not text, or longer than a block may be."""
        if size > TEXT_BYTES:
            return None
        self._allowance.take(size, place(self._tree, path))
        try:
            text = self._tree.read(path).decode("utf-8-sig")
        except UnicodeDecodeError:
            return None
        return None if "\0" in text else text

    def _chain(self, path: str) -> tuple[str, ...]:
        """The AGENTS.md files of the folders above, outermost first."""
        parts = path.split("/")[:-1]
        above = (first_of("/".join([*parts[:n], "AGENTS.md"]), self._tree) for n in range(len(parts)))
        return tuple(place(self._tree, path) for path in above if path)

    def _overridden(self, path: str) -> tuple[Notice, ...]:
        hidden = re.sub(r"\.override(?=\.[^.]*$)", "", path, flags=re.IGNORECASE)
        if hidden == path or self._tree.size(hidden) is None:
            return ()
        return (Notice(code="overridden", message=f"{place(self._tree, hidden)} is not read: this file stands in for it."),)

    def _imported(self, path: str, file: SeedFile) -> Iterator[SeedFile]:
        """A file, then the files it imports, each followed by its own; what cannot be imported is told by a notice."""
        notices, targets = [], []
        for mention in mentions(file.text):
            target = joined(_folder(path), mention.path)
            if told := self._refused(mention, target, file):
                notices.append(Notice(code=told[0], message=f"@{mention.path} is not imported: {told[1]}.", line=mention.line))
            elif target and self._tree.size(target) is not None and target not in targets:
                targets.append(target)
        yield replace(file, notices=(*file.notices, *notices))
        for target in targets:
            if target not in self._read:
                yield from self._imported(target, replace(self.file(target), chain=(*file.chain, file.path)))

    def _refused(self, mention: Mention, target: str | None, file: SeedFile) -> tuple[str, str] | None:
        if target is None or mention.path.startswith(("~", "/")):
            return "import_outside", f"it lies outside {self._tree.label or 'this folder'}"
        if self._tree.size(target) is None:
            named = "/" in mention.path and mention.path.startswith(".")
            return ("import_missing", "there is no such file") if named or target.lower().endswith(MARKDOWN) else None
        if len(file.chain) >= MOST_HOPS:
            return "import_depth", f"imports are followed {MOST_HOPS} files deep"
        return None


def mentions(text: str) -> list[Mention]:
    """Every `@path` of a Markdown text that stands outside code and comments."""
    found = []
    for line in Scanner(text):
        if not line.opaque and "@" in line.text:
            found += [Mention(m[1].rstrip("."), line.number) for m in _IMPORT.finditer(_CODE_SPAN.sub("``", line.text))]
    return found


def _most(path: str) -> int:
    return JSON_BYTES if path.lower().endswith(".json") else TEXT_BYTES


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1].lower()


def _folder(path: str) -> str:
    return path.rsplit("/", 1)[0] if "/" in path else ""


def first_of(path: str, tree: Tree) -> str | None:
    """The override beside a path, else the path itself, else None: whichever the tree has."""
    return next((name for name in (_override(path), path) if tree.size(name) is not None), None)


def _override(path: str) -> str:
    return f"{path[: path.rindex('.')]}.override{path[path.rindex('.') :]}"


def _home(path: str, skills: Container[str]) -> str | None:
    """The nearest folder above a path that is a skill's."""
    folder = path
    while folder:
        folder = _folder(folder)
        if folder in skills:
            return folder
    return None
