"""HeartRule: scripted AI conversations with a second mind beside them."""

__version__ = "0.1.0"
