"""Actions: what each type of a script does in one round; a registry finds them by type."""
