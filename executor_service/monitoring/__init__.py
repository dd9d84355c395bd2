"""Handing rounds to the second mind and taking its advice, beside the conversation."""
