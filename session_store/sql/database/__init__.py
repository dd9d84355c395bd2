"""Databases: engines, prepared statements, tables, migrations."""
