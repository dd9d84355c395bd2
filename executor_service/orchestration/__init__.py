"""Edits of a topic's queue: checked, applied between turns, undone, replayed (document 000)."""
