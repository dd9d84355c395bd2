"""The session store: what it takes and gives, its rules, and one implementation over SQL."""
