"""The session store: ports, records, an in-memory twin, and one SQL implementation for two databases."""
