"""Unforeseen inputs: requests, scripts and model outputs, made by hypothesis."""
