"""Rehearsals: a conversation written as data is played with a script, and what differs is found.

The engine, turns, streams, dispatcher and templates are the real ones, in one process, with the
store in memory; only the models' words are written. Nothing is listened on, nothing is left behind.
"""
