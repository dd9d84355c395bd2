"""The crisis path over SQL: where sessions are on it, what was found, alerts."""
