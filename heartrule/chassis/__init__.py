"""What every service stands on: settings, logs, traces, errors on the wire, servers, life cycle."""
