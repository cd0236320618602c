"""What is wrong with blocks as files: references to nothing, too much text, the same text twice, names that clash.

Rules of this file: nothing is opened; whether a path exists is asked of the function given. A path that a sentence tells to
write is not missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from muniment.registry.lint.reading import line_at, lines_of, prose_of, shortened
from muniment.registry.lint.values import Checked, LintFinding, Place, Severity, Subject

LONG_BLOCK: Final = 256
"""Tokens that a small sentence embedder reads; of a longer block only the best passage is scored."""
LONG_SKILL: Final = 5_000
"""Tokens that the Agent Skills format advises for a body, at most."""
LONG_CHAIN: Final = 32 * 1024
"""Bytes of AGENTS.md files, from the root down, after which readers are known to cut off silently."""
LONG_CARD: Final = 1024
"""Characters of a description in the Agent Skills format, at most."""

_LINK: Final = re.compile(r"\[[^\]\n]{0,300}\]\(\s*<?([^)\s<>]{1,500})>?(?:\s+[\"'(][^)\n]{0,200})?\)")
_DEFINED: Final = re.compile(r"^ {0,3}\[([^\[\]\n^]{1,200})\]:[ \t]{0,9}<?([^\s<>]{1,500})>?", re.MULTILINE)
_LABEL: Final = re.compile(r"\[([^\[\]\n]{1,200})\]")
_IMPORT: Final = re.compile(r"(?<![\w@/.`])@((?:\.{1,2}/)?[\w.-]+(?:/[\w.-]+)*\.\w{1,8})(?![\w/@])")
_CODE: Final = re.compile(r"(?<!`)`([^`\n]{2,200})`(?!`)")
_PATH: Final = re.compile(r"(?:\.{1,2}/){0,4}[A-Za-z0-9_][\w.-]*(?:(?:/[\w.-]+)+/?|/)|(?:\.{1,2}/){1,4}[\w.-]+|[\w-]+\.md")
_GENERAL: Final = frozenset({"skill.md", "claude.md", "agents.md", "readme.md"})
_COMMAND: Final = re.compile(
    r"(?:^|[\s;&|(])(?:(?:ba|z)?sh|python3?|node|source|cat|\.)\s+((?:\./)?(?:scripts|references?|assets|templates)/[\w./-]+\.\w+)"
)
_RESOURCES: Final = frozenset({"scripts", "references", "reference", "assets", "templates"})
_ODD: Final = {
    True: "Mend it, or other programs that read skills will refuse or overlook it.",
    False: "Mend it, so that what was meant is what is read.",
}
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)
_ENTRY: Final = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\*\*)?$")
_SENDING: Final = re.compile(r"\b(?:see|read|refer|consult|follow|load|open)\b[^.!?\n]{0,40}$", re.IGNORECASE)
_VERB: Final = re.compile(
    r"\b(?:(?P<write>save|writ|creat|generat|output|put|store|produc|cop(?:y|ies)|export|nam|call|mak|add|organi[sz])"
    r"|(?P<read>see|read|run|load|refer|follow|consult|open|us(?:e|ing)|check|execut|import|display|show|describ|document|defin))\w*",
    re.IGNORECASE,
)
_FROM: Final = re.compile(r"\b(?:from|in|at|per)\b[^.!?\n]{0,60}$", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"[.!?;]\s")
_EXAMPLE: Final = re.compile(r"\b(?:e\.g\.|for example|such as|like|example)\b[^.!?\n]{0,80}$", re.IGNORECASE)


def find_dead_paths(checked: Checked) -> Iterator[LintFinding]:
    """Files that a block refers to and that are not there; each once for a file."""
    told: set[tuple[str, str]] = set()
    for subject in checked.subjects:
        for reference, line, severity in _references(subject.text):
            path = reference.partition("#")[0].partition("?")[0]
            if path and (subject.path, path) not in told and not checked.exists(subject.path, path):
                told.add((subject.path, path))
                yield LintFinding(
                    rule="dead-path",
                    severity=severity,
                    place=subject.at(line),
                    message=f'there is no "{shortened(path)}" beside this file',
                    hint="Add the file, or mend or remove the reference: a model spends a call on finding out.",
                    block=subject.name,
                )


def _references(text: str) -> Iterator[tuple[str, int, Severity]]:
    """Relative links and imports, then paths in code that a sentence sends a reader to, and what commands run."""
    prose = prose_of(text)
    yield from _links(prose)
    bare = _CODE.sub(lambda code: " " * len(code[0]), prose)
    for imported in _IMPORT.finditer(bare):
        if "/" in imported[1] or imported[1].endswith(".md"):
            yield imported[1], line_at(prose, imported.start()), Severity.ERROR
    named = [(code, _sentence_before(prose, code.start())) for code in _CODE.finditer(prose) if _PATH.fullmatch(code[1])]
    written = {code[1] for code, before in named if _last_verb(before) == "write"}
    for code, before in named:
        if code[1] not in written and not _EXAMPLE.search(before) and _is_read(code[1], before):
            yield code[1], line_at(prose, code.start()), Severity.WARNING
    for code in _CODE.finditer(prose):
        if (command := _COMMAND.search(code[1])) and not _EXAMPLE.search(_sentence_before(prose, code.start())):
            yield command[1], line_at(prose, code.start()), Severity.WARNING
    for line in lines_of(text):
        for command in _COMMAND.finditer(line.text) if line.code else ():
            yield command[1], line.number, Severity.WARNING


def _links(prose: str) -> Iterator[tuple[str, int, Severity]]:
    """Targets of links in place and of those that are defined apart and used."""
    for link in _LINK.finditer(prose):
        if _is_relative(link[1]) and not _CODE.search(link[0]):
            yield unquote(link[1]), line_at(prose, link.start()), Severity.ERROR
    named = Counter(label[1].lower() for label in _LABEL.finditer(prose))
    for defined in _DEFINED.finditer(prose):
        if _is_relative(defined[2]) and named[defined[1].lower()] > 1:
            yield unquote(defined[2]), line_at(prose, defined.start()), Severity.ERROR


def _is_relative(target: str) -> bool:
    return "." in target and not target.startswith("/") and not _SCHEME.match(target)


def _sentence_before(prose: str, at: int) -> str:
    before = prose[max(at - 200, 0) : at].rpartition("\n")[2]
    return _SENTENCE_END.split(before)[-1]


def _last_verb(before: str) -> str:
    """Whether the verb next to a path tells to write it or to read it; empty when there is none."""
    verbs = [verb.lastgroup or "" for verb in _VERB.finditer(before)]
    return verbs[-1] if verbs else ""


def _is_read(path: str, before: str) -> bool:
    """Whether the words before a path say that it is there."""
    if "/" not in path:
        return path.lower() not in _GENERAL and bool(_SENDING.search(before))
    is_file = "." in path.rpartition("/")[2].lstrip(".")
    if path.removeprefix("./").partition("/")[0] in _RESOURCES:
        return True
    told = _last_verb(before) == "read" or _FROM.search(before) or (is_file and _ENTRY.match(before))
    return (is_file or path.endswith("/")) and bool(told)


def find_oversized(checked: Checked) -> Iterator[LintFinding]:
    """Blocks, cards and chains of files beyond what their readers take."""
    for subject in checked.subjects:
        if subject.tool is None:
            yield from _long_block(subject, checked.count(subject.text))
        if len(subject.description) > LONG_CARD and not subject.is_skill:
            told = f"the description has {len(subject.description):,} characters; a card may have {LONG_CARD:,}"
            yield _size(subject, told, "Say when to use it, and leave how to the body.", Severity.WARNING)
    yield from _long_chains(checked)


def _long_block(subject: Subject, tokens: int) -> Iterator[LintFinding]:
    if subject.is_skill and tokens > LONG_SKILL:
        told = f"the body has {tokens:,} tokens; at most {LONG_SKILL:,} are advised"
        yield _size(subject, told, "Move what is not always needed to files beside it.", Severity.WARNING)
    elif tokens > LONG_BLOCK and not subject.description:
        told = f"this has {tokens:,} tokens; a gate scores a block of more than {LONG_BLOCK} by its best passage alone"
        yield _size(subject, told, "Split it by subject, so that a part can enter a prompt without the rest.", Severity.NOTE)


def _long_chains(checked: Checked) -> Iterator[LintFinding]:
    """AGENTS.md files are read from the root down as one text, and cut off where it becomes too long."""
    sizes = {path: len(text.encode("utf-8", "surrogatepass")) for path, text in checked.files.items() if _is_agents(path)}
    for path, size in sizes.items():
        folder = path.rpartition("/")[0]
        above = [one for one in sizes if one != path and _is_above(one.rpartition("/")[0], folder)]
        before = sum(sizes[one] for one in above)
        total = before + size
        if before <= LONG_CHAIN < total:
            with_them = f" with the {len(above)} above it" if above else ""
            yield LintFinding(
                rule="oversized",
                severity=Severity.WARNING,
                place=Place(path=path, line=1),
                message=f"this has {total:,} bytes{with_them}; what is behind byte {LONG_CHAIN:,} is cut off without a word",
                hint="Move what only some folders need into an AGENTS.md there, or into skills.",
            )


def _is_agents(path: str) -> bool:
    return path.rpartition("/")[2].lower() in {"agents.md", "agents.override.md"}


def _is_above(folder: str, other: str) -> bool:
    return folder != other and (not folder or other.startswith(f"{folder}/"))


def find_odd_seeds(checked: Checked) -> Iterator[LintFinding]:
    """What the parsers noticed: points of the Agent Skills format, keys that mean nothing, code that is never closed."""
    for subject in checked.subjects:
        for odd in subject.warnings:
            if odd.code == "import_missing":  # a dead path, which is told as one
                continue
            yield LintFinding(
                rule="oversized" if odd.code == "skill_length" else "skill-spec" if odd.code.startswith("skill_") else "odd-seed",
                severity=Severity.WARNING,
                place=Place(path=subject.path, line=odd.line or 1),
                message=odd.message.rstrip("."),
                hint=_ODD[odd.code.startswith("skill_")],
                block=subject.name,
            )


def _size(subject: Subject, message: str, hint: str, severity: Severity) -> LintFinding:
    return LintFinding(rule="oversized", severity=severity, place=subject.at(), message=message, hint=hint, block=subject.name)
