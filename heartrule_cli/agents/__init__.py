"""Agents of threads tried on this machine, without a server."""
