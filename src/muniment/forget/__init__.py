"""Forget: erase by id, conversation or scope, and sweep out what retention lets go, each with a receipt that proves it."""
