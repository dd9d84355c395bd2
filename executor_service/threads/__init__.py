"""Threads inside a conversation, and the small parts of the agents that work on them."""
