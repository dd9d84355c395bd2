"""Numbered changes of the schema; `session_store.sql.database.migrate` applies them at start."""
