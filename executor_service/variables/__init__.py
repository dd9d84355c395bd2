"""User variables during a turn: scopes, look-up, conversion and what changed (document 001)."""
