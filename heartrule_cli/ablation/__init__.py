"""Ablations: the same conversations with the second mind's parts on and off, and what differs.

Each run is a conversation played as a rehearsal is, with a store of its own. What a run is measured
by, how runs are compared and how it is told is pure.
"""
