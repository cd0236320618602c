"""Lint: what a person should look at before blocks become a prompt. Pure; docs/reference/lint.md shows every rule."""

from __future__ import annotations

from muniment.registry.lint.rules import RULES, check_rules, lint
from muniment.registry.lint.values import Checked, LintFinding, Oddity, Place, Severity, Subject, subject_of

__all__ = [
    "RULES",
    "Checked",
    "LintFinding",
    "Oddity",
    "Place",
    "Severity",
    "Subject",
    "check_rules",
    "lint",
    "subject_of",
]
