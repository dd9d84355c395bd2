"""Runs of workflows, over SQL."""
