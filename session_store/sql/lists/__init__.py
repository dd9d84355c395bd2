"""Lists that callers filter and order."""
