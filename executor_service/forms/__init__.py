"""Forms: which values their fields take, how far one is filled, and how it is shown; all pure."""
