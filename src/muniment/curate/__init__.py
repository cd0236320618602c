"""Curate: what people and agents do by hand with what was derived: look, correct, take back, restore, merge, split, review.

Rule of this room: every write goes through the store's `settle` and says what it changed; nothing is rewritten out of history.
"""
