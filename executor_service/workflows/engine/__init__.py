"""Runs of workflows: what drives one to its end, and what keeps many going whatever dies."""
