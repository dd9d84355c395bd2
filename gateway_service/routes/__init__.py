"""The routes, by noun; each module gives a tuple of endpoints."""
