"""A session as it is taken out of the system: read in pieces, told to people."""
