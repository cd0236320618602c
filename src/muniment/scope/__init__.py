"""Scope: credential and request become one Scope value, which nobody downstream can widen.

Rule of this room: refuse rather than guess, and answer alike for what is foreign and what is not there.
"""

from muniment.knowledge.credentials import Credential, Permission
from muniment.scope.rules import admit, resolve

__all__ = ["Credential", "Permission", "admit", "resolve"]
