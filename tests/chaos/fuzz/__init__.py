"""Inputs nobody thought of: requests, scripts and model outputs, made by hypothesis."""
