"""HeartRule: scripted AI conversations, judged by a monitor in parallel."""

__version__ = "0.1.0"
