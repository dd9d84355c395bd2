"""Decisions of agents, and the one gate they pass (document 002)."""
