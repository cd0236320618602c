"""Keys and passwords that stand in a block.

Rules of this file: shapes that services give their keys, and long values behind a word for a key; never a placeholder. A finding
shows the first characters only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from muniment.registry.lint.parts import parts_of
from muniment.registry.lint.values import Checked, LintFinding, Severity


class _Kind(NamedTuple):
    """What a pattern gives away; its group `value`, where it has one, is the key itself."""

    what: str
    pattern: re.Pattern[str]


_MIXED: Final = r"(?=[^\s\"'`]{0,80}\d)(?=[^\s\"'`]{0,80}[a-z])"
"""A value with digits and letters, as words seldom are."""
_NO_NAME: Final = r"(?!\w+(?:\.\w+)+\b|\w+://|[./~])"
"""Nor is it a name in a program, an address or a path."""
_KINDS: Final = (
    _Kind("a private key", re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----")),
    _Kind("an access key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    _Kind(
        "an access token",
        re.compile(
            r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{20,}|npm_[A-Za-z0-9]{36})\b"
        ),
    ),
    _Kind(
        "an API key",
        re.compile(
            r"\b(?:sk-(?:ant-|proj-)?[A-Za-z0-9_-]{24,}|AIza[\w-]{35}|hf_[A-Za-z0-9]{30,}|[sr]k_live_[A-Za-z0-9]{16,}"
            r"|SG\.[\w-]{16,}\.[\w-]{16,})\b"
        ),
    ),
    _Kind("a signed token", re.compile(r"\beyJ[\w-]{8,500}\.eyJ[\w-]{8,}\.[\w-]{8,}")),
    _Kind(
        "a token in a header",
        re.compile(
            rf"\bauthorization[\"']?\s{{0,3}}:\s{{0,3}}[\"']?(?:bearer|token|basic)\s(?P<value>{_MIXED}[\w.~+/=-]{{16,}})",
            re.IGNORECASE,
        ),
    ),
    _Kind(
        "a key that is written out",
        re.compile(
            r"(?:api[_-]?key|(?:secret|private)[_-]?(?:access[_-]?)?key|(?:access|auth)[_-]?token|client[_-]?secret|passw(?:or)?d)"
            rf"[\"'`*]{{0,3}}\s{{0,3}}[:=]\s{{0,3}}[\"'`]?(?P<value>{_MIXED}{_NO_NAME}[^\s\"'`<>{{}}$()\[\],;]{{12,}})",
            re.IGNORECASE,
        ),
    ),
    _Kind("a password in a URL", re.compile(r"\b[a-z][a-z0-9+]{1,15}://[\w.-]{1,60}:[^\s:@/<>{}$*]{6,80}@")),
)
_PLACEHOLDER: Final = re.compile(r"example|placeholder|x{4,}|your|\.\.\.|password|secret|1234|abcd", re.IGNORECASE)
_SHOWN: Final = 8


def find_secrets(checked: Checked) -> Iterator[LintFinding]:
    """What looks like a key or a password, and not like a placeholder for one; every place of it."""
    for subject in checked.subjects:
        for part in parts_of(subject):
            for what, found in _in(part.text):
                yield LintFinding(
                    rule="secret",
                    severity=Severity.WARNING,
                    place=part.at(subject, found.start()),
                    message=f"this looks like {what} ({found[0][:_SHOWN]}…)",
                    hint="Take it out and replace it at its service: what is in a prompt can be asked out of a model.",
                    block=subject.name,
                )


def _in(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Every key, in order of its kind; one that is part of another is told once."""
    told: set[int] = set()
    for kind in _KINDS:
        for found in kind.pattern.finditer(text):
            span = range(*found.span())
            if told.isdisjoint(span) and not _PLACEHOLDER.search(found.groupdict().get("value") or found[0]):
                told.update(span)
                yield kind.what, found
