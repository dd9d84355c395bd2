"""What this server is: version, features, limits."""

from __future__ import annotations

from typing import Final

from executor_service.rpc.requests import Context
from heartrule import __version__
from heartrule.domain.labels import LONGEST_LABEL, MOST_LABELS
from heartrule.domain.pictures import LARGEST_ASSET
from heartrule.domain.request_limits import (
    LARGEST_INPUT,
    LARGEST_MEDIA,
    LARGEST_PAGE,
    LONGEST_FILTER,
    LONGEST_NAME,
    MOST_PARTS,
)
from heartrule.v1 import server_pb2

FEATURES: Final = ("export", "filters", "labels", "notes")


class ServerRpcs:
    """GetServerInfo."""

    def __init__(self, max_input_chars: int) -> None:
        """`max_input_chars` is what an input has at most where no script says."""
        self._max_input_chars = max_input_chars

    async def GetServerInfo(  # noqa: N802  the contract's name
        self, _request: server_pb2.GetServerInfoRequest, _context: Context
    ) -> server_pb2.GetServerInfoResponse:
        """Return version, features and limits; they stay the same until the process ends."""
        limits = server_pb2.ServerLimits(
            max_input_bytes=LARGEST_INPUT,
            max_input_chars=self._max_input_chars,
            max_input_parts=MOST_PARTS,
            max_media_bytes=LARGEST_MEDIA,
            max_asset_bytes=LARGEST_ASSET,
            max_name_bytes=LONGEST_NAME,
            max_page_size=LARGEST_PAGE,
            max_labels=MOST_LABELS,
            max_label_bytes=LONGEST_LABEL,
            max_filter_chars=LONGEST_FILTER,
        )
        info = server_pb2.ServerInfo(version=__version__, features=FEATURES, limits=limits)
        return server_pb2.GetServerInfoResponse(info=info)
