"""Checks of a reply's text before it leaves: each lets pieces pass, and holds what may not go."""
