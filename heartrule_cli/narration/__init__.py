"""Sessions, runs, decisions and threads as text for a person."""
