"""The store on SQLite and PostgreSQL: one function per transaction, written once for both."""
