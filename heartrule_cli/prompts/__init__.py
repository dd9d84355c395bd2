"""Prompts that can be seen and compared: those of recorded conversations, with their tokens."""
