"""Paths of a payload, such as `nodes.1.config.url`."""

from __future__ import annotations


def below(path: str, *parts: str | int) -> str:
    """Return the path of what stands below another; the empty path is the payload itself."""
    return ".".join([*([path] if path else []), *map(str, parts)])
