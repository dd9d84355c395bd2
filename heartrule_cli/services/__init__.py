"""The services that a command starts, and how it finds those that run."""
