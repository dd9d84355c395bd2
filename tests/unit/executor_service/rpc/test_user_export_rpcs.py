"""ExportUserData, called without a server."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from executor_service.rpc import user_export_rpcs
from executor_service.rpc.user_export_rpcs import UserExportRpcs
from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.v1 import erasure_pb2
from tests.unit.executor_service.rpc.test_session_rpcs import NOWHERE, Desk, desk


@dataclass
class Written:
    """What a call writes."""

    chunks: list[bytes] = field(default_factory=list)

    async def write(self, piece: erasure_pb2.ExportUserDataResponse) -> None:
        """Keep a piece."""
        self.chunks.append(piece.chunk)


async def export(one: Desk, **fields: Any) -> list[dict[str, Any]]:
    """Return the lines of an export."""
    written = Written()
    request = erasure_pb2.ExportUserDataRequest(**fields)
    await UserExportRpcs(one.rpcs._deps).ExportUserData(request, cast("Any", written))
    assert max(map(len, written.chunks)) <= user_export_rpcs.PIECE
    return [json.loads(line) for line in b"".join(written.chunks).splitlines()]


async def test_the_last_line_says_that_the_export_is_whole() -> None:
    """It counts the sessions and the rows before it; another's session is not there."""
    one = await desk()
    mine = await one.start(user_id="u1")
    await one.start(user_id="u2")
    *rows, end = await export(one, user_id="u1")
    assert end == {"end": {"sessions": 1, "rows": len(rows)}}
    assert {each["row"]["session_id"] for each in rows} == {mine.session_id}


async def test_nobody_has_an_end_alone() -> None:
    """An unknown person is no error, as with the erasure."""
    assert await export(await desk(), user_id="x") == [{"end": {"sessions": 0, "rows": 0}}]


async def test_an_export_names_the_person() -> None:
    """INVALID_ARGUMENT names the field where it is empty."""
    one = await desk()
    with pytest.raises(InvalidRequest) as caught:
        await UserExportRpcs(one.rpcs._deps).ExportUserData(
            erasure_pb2.ExportUserDataRequest(), NOWHERE
        )
    assert caught.value.violations[0].field == "user_id"


async def test_values_are_masked_unless_reveal_is_set() -> None:
    """A script that cannot be read hides every value, as in the lists of a session."""
    one = await desk()
    await one.start(user_id="u1", imported_state={"variables": {"note": "s3cret"}})
    one.shelf.script = NotFound("script", "s")
    masked, open_ = [
        json.dumps(await export(one, user_id="u1", reveal=reveal)) for reveal in (False, True)
    ]
    assert ("s3cret" in masked, "s3cret" in open_) == (False, True)
