"""The crisis path without a model: the screen of clients' texts, the steps, the output guard.

Pure but for reading `_system/safety`. Not an emergency service; docs/explanation/safety.md states
what it is and what it is not.
"""
