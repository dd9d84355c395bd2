"""Turns: inputs are accepted, one worker per session runs attempts under a lease."""
