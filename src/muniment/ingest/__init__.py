"""Ingest: from what a caller or a file holds to records in a store, with one receipt per item.

`formats` reads files, `rules` decides about one turn, `step` writes. Rule of this room: nothing is lost silently and nothing
invented.
"""
