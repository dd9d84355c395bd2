"""How best to speak with this client: the strategy engine (document 001, section 4)."""
