"""Decisions and the workflows that came of them, over SQL."""
