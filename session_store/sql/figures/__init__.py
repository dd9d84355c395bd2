"""How the sessions of a version of a script went, counted by the database."""
