"""The monitor service: the second mind, which judges rounds and keeps nothing (document 000)."""
