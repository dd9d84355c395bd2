"""The executor's rpcs, by noun; each parses a request, calls the domain and fills a response."""
