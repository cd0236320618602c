"""Seed files from disk: single files, folders and archives, read into memory whole and never written anywhere.

Rule of this room: nothing outside the paths a caller names is read, and whatever is wrong with one of them refuses the call.
"""

from __future__ import annotations

from muniment.seedfiles.read import read_chain, read_seed_files

__all__ = ["read_chain", "read_seed_files"]
