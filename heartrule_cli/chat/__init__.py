"""A conversation at the terminal: a client's lines in, the session's events out."""
