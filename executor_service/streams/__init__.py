"""How a session's events reach those who watch: the hub, the relay by sequence, the stream rpcs."""
