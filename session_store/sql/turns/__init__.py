"""Turns: inputs, leases, attempts, steps, stops."""
