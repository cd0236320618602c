"""Architect: from a plain description of an agent to one readable, versioned file of memory rules, checked line by line.

Rule of this room: rules files are pure (text in, values out); step.py keeps versions through a port; the edge reads files.
"""

from muniment.architect.rules_default import default_architecture

__all__ = ["default_architecture"]
