"""Runs of workflows in the terminal: those that run here, and those that a server keeps."""
