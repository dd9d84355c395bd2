"""The monitor service: it judges rounds and stores nothing (document 000)."""
