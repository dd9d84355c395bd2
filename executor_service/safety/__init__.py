"""The crisis line: plain words of suicide or self-harm get fixed help before any model speaks.

Not an emergency service; docs/explanation/safety.md says what it is and what it is not.
"""
