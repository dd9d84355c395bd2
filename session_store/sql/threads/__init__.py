"""Threads nested in messages, over SQL."""
