"""A new session made of the past of another."""
