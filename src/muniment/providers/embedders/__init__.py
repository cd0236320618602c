"""Embedders: texts to unit vectors. One file per source; each checks what it got with `vectors.unit_rows` before anyone sees it.

Rule of this room: work off the event loop, no network but the service that was named, and the same text gives the same vector.
"""
