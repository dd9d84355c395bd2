"""What a script must agree with beyond its mappings' own limits."""
