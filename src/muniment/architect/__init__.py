"""Architect: from a plain description of an agent to one readable, versioned file of memory rules, checked line by line.

Rule of this room: rules files are pure (text in, values out); step.py keeps versions through a port; the edge reads files.
"""

from muniment.architect.rules_archetypes import Archetype, Fit
from muniment.architect.rules_default import default_architecture
from muniment.architect.rules_diff import Change, Severity, diff
from muniment.architect.rules_inert import OF_FILE, OF_KIND
from muniment.architect.rules_model import without_model
from muniment.architect.rules_propose import Proposed
from muniment.architect.rules_read import Checked, check, read_architecture
from muniment.architect.rules_report import KindCount, Refused, Report, Shift, report, shifts
from muniment.architect.rules_schema import key_tables, schema
from muniment.architect.rules_shapes import Fault
from muniment.architect.rules_write import write_architecture
from muniment.architect.step import Architectures, archetypes, is_zone, propose, propose_with

__all__ = [
    "OF_FILE",
    "OF_KIND",
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
