"""The strategy engine: recommends how to talk with a client (document 001, section 4)."""
