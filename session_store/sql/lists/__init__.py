"""Lists that callers filter and order, and the labels that sessions are found by."""
