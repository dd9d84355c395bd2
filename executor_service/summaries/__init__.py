"""Summaries of what prompts no longer hold word for word."""
