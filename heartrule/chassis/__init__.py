"""Shared by every service: settings, logs, traces, errors on the wire, servers, life cycle."""
