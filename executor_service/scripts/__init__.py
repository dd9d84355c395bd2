"""Scripts: YAML read into frozen values, with every mistake located (SCRIPT-LANGUAGE)."""
