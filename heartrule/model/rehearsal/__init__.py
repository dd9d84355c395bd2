"""A model for nothing: deterministic, offline, behind the same protocol as a real one.

It understands no language. It reads the task card of a prompt and follows fixed rules, so that a
newcomer, a test and a demonstration can run a whole conversation without a key.
"""
