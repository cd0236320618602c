"""Architect: from a plain description of an agent to one readable, versioned file of memory rules, checked line by line.

Rule of this room: rules files are pure (text in, values out); step.py keeps versions through a port; the edge reads files.
"""

from muniment.architect.rules_default import default_architecture
from muniment.architect.rules_read import Checked, check, read_architecture
from muniment.architect.rules_schema import schema
from muniment.architect.rules_shapes import Fault
from muniment.architect.rules_write import write_architecture
from muniment.architect.step import Architectures

__all__ = [
    "Architectures",
    "Checked",
    "Fault",
    "check",
    "default_architecture",
    "read_architecture",
    "schema",
    "write_architecture",
]
