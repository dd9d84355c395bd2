"""Sessions and what is kept of them: messages, events, variables, forks, erasure."""
