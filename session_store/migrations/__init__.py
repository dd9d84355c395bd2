"""Numbered changes of the schema; `session_store.sql.migrate` applies them at start."""
