"""What is kept of a person: which tables have it, and how it is exported."""
