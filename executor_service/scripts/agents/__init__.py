"""Agents in YAML: read with their prompts, and checked."""
