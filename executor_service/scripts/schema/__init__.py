"""JSON Schema of the language's files."""
