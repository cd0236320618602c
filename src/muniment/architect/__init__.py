"""Architect: from a plain description of an agent to one readable, versioned file of memory rules, checked line by line.

Rule of this room: rules files are pure (text in, values out); step.py keeps versions through a port; the edge reads files.
What an engine needs comes at once, all else when it is named: most who open a store never read or propose a file.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from muniment.architect.rules_default import default_architecture
from muniment.architect.step import Architectures, is_zone

if TYPE_CHECKING:
    from muniment.architect.proposing import archetypes, propose, propose_with
    from muniment.architect.rules_archetypes import Archetype, Fit
    from muniment.architect.rules_diff import Change, Severity, diff
    from muniment.architect.rules_inert import OF_FILE
    from muniment.architect.rules_model import without_model
    from muniment.architect.rules_propose import Proposed
    from muniment.architect.rules_read import Checked, check, read_architecture
    from muniment.architect.rules_report import KindCount, Refused, Report, Shift, report, shifts
    from muniment.architect.rules_schema import key_tables, schema
    from muniment.architect.rules_shapes import Fault
    from muniment.architect.rules_write import write_architecture

__all__ = [
    "OF_FILE",
    "Archetype",
    "Architectures",
    "Change",
    "Checked",
    "Fault",
    "Fit",
    "KindCount",
    "Proposed",
    "Refused",
    "Report",
    "Severity",
    "Shift",
    "archetypes",
    "check",
    "default_architecture",
    "diff",
    "is_zone",
    "key_tables",
    "propose",
    "propose_with",
    "read_architecture",
    "report",
    "schema",
    "shifts",
    "without_model",
    "write_architecture",
]

_HOMES = {
    "Archetype": "rules_archetypes",
    "Change": "rules_diff",
    "Checked": "rules_read",
    "Fault": "rules_shapes",
    "Fit": "rules_archetypes",
    "KindCount": "rules_report",
    "OF_FILE": "rules_inert",
    "Proposed": "rules_propose",
    "Refused": "rules_report",
    "Report": "rules_report",
    "Severity": "rules_diff",
    "Shift": "rules_report",
    "archetypes": "proposing",
    "check": "rules_read",
    "diff": "rules_diff",
    "key_tables": "rules_schema",
    "propose": "proposing",
    "propose_with": "proposing",
    "read_architecture": "rules_read",
    "report": "rules_report",
    "schema": "rules_schema",
    "shifts": "rules_report",
    "without_model": "rules_model",
    "write_architecture": "rules_write",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'muniment.architect' has no attribute {name!r}")
    return getattr(import_module(f"muniment.architect.{_HOMES[name]}"), name)
