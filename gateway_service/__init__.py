"""The HTTP face of HeartRule: JSON, server-sent events, an OpenAI-compatible door, the console."""
