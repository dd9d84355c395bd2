"""Published scripts, and the pictures they show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRecord:
    """One published version of a script: a bundle of files."""

    tenant: str
    script_id: str
    version: str
    """Hash over the sorted paths and bytes, and over the assets named beside them."""
    main: str
    """Path of the script within the bundle."""
    files: Mapping[str, bytes]
    session_name: str = ""
    create_time: datetime | None = None
    assets: Mapping[str, str] = field(default_factory=dict)
    """Path below assets/ → SHA-256 of the picture; those that lie in `files` too."""
    number: int = 0
    """Counted from 1 in the order of first publication; the store gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetRecord:
    """One asset; it never changes."""

    tenant: str
    sha256: str
    """Of the content, as 64 hex digits."""
    mime_type: str
    size: int
    """Bytes."""
    content: bytes = b""
    """Left out where only the description was asked for."""
    create_time: datetime | None = None
