"""The monitor service: judges rounds and stores nothing (document 000)."""
