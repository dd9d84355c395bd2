"""Crisis rules: a text that names suicide or self-harm gets a fixed answer before any model call.

Not an emergency service; docs/explanation/safety.md states what it is and what it is not.
"""
