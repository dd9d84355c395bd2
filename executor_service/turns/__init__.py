"""Turns: storing inputs, one driver per session, one attempt under a lease."""
