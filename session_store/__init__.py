"""The session store: ports, records, an in-memory twin, one SQL implementation."""
