"""What requests may hold: limits of the contract, which GetServerInfo tells."""

from __future__ import annotations

from typing import Final

LARGEST_INPUT: Final = 1_048_576
"""Bytes of all parts together: texts as UTF-8, forms as compact JSON, media as they are."""
LARGEST_MEDIA: Final = 262_144
"""Bytes of one picture or sound; larger ones are uploaded as assets."""
MOST_PARTS: Final = 16
"""Of an input; more are sent as a further input."""
LARGEST_PAGE: Final = 500
"""Items of a page: model calls with their prompts; they fit the largest answer of a channel."""
LONGEST_NAME: Final = 256
"""Bytes of an id or an idempotency key."""
LONGEST_FILTER: Final = 4_096
"""Code points of a page's filter."""
