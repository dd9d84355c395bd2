"""Workflows: the rules that a plan obeys before any node of it runs (document 002)."""
