"""Assets: pictures that scripts show, kept once per tenant under the hash of their bytes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


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
