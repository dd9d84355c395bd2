"""The bench of conversations: written clients talk with scripted models; faults are counted."""
