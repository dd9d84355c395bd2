"""Agents of threads at work in runs: what the parts of threads and the workers of runs need."""
