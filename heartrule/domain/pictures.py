"""Which pictures a script may show: kinds are known by their first bytes, never by their names.

SVG is none of them: it can hold scripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# The type of a picture of which only the address is known: the server never follows addresses.
ANY_PICTURE = "image/*"
# Begins the address of a picture that GetAsset gives by its hash.
ASSET_SCHEME = "asset:"
# Bytes of a picture that may be uploaded.
LARGEST_ASSET = 8_388_608
# Bytes up to which a picture travels inside its message; a larger one would hold up its stream.
LARGEST_INLINE = 262_144
# Kind by the ending of an address.
MIME_TYPES: Mapping[str, str] = MappingProxyType(
    {
        ".png": "image/png",
        ".jpg": "image/jpeg",
        ".jpeg": "image/jpeg",
        ".gif": "image/gif",
        ".webp": "image/webp",
    }
)
_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


def picture_type(data: bytes) -> str:
    """Return the kind of picture the bytes begin like; "" for anything else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for beginning, kind in _BEGINNINGS if data.startswith(beginning)), "")
