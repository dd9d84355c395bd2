"""Deletion by age."""
