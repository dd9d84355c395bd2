"""Ablations: the same conversations with monitor, strategy and orchestration on and off, compared.

Each run plays one conversation as a rehearsal, with a store of its own.
"""
