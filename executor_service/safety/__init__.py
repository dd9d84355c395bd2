"""The crisis line: plain words of suicide or self-harm get fixed help before any model is called.

Not an emergency service; docs/explanation/safety.md states what it is and what it is not.
"""
