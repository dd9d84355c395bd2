"""Conditions: CEL expressions over script variables (SCRIPT-LANGUAGE, Conditions)."""
