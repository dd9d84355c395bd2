"""Sends judged rounds to the monitor and takes its advice, beside the conversation."""
