"""HeartRule over HTTP: JSON, server-sent events, an OpenAI-compatible API, the console."""
