"""Pictures on their way: found by path, told by bytes where small, read from the store once."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from executor_service.assets.pictures import Pictures
from executor_service.scripts.loading.bundle import sha256_of
from heartrule.domain.conversation import Media, Message, Part, Role, text_part
from heartrule.domain.errors import NotFound
from heartrule.domain.events import MessageCommitted, SessionEvent
from heartrule.domain.pictures import LARGEST_INLINE
from session_store.open import open_in_memory
from session_store.records import AssetRecord
from session_store.sql.database.tables import assets
from session_store.sql.store import SqlStore
from tests.support.event_builders import durable

SMALL, LARGE = b"small", b"l" * (LARGEST_INLINE + 1)


class Written:
    """A script with two pictures."""

    async def assets(self, tenant: str, script_id: str, version: str) -> Mapping[str, str]:
        """Return their hashes."""
        del tenant, script_id, version
        return {"assets/s.png": sha256_of(SMALL), "assets/gone.png": "0" * 64}


async def kept(*contents: bytes) -> SqlStore:
    store = open_in_memory()
    for content in contents:
        record = AssetRecord(
            tenant="t",
            sha256=sha256_of(content),
            mime_type="image/png",
            size=len(content),
            content=content,
        )
        await store.save_asset(record)
    return store


def shown(uri: str) -> SessionEvent:
    picture = Part(media=Media(mime_type="image/png", uri=uri), fallback_text="图")
    parts = (text_part("看"), picture)
    said = Message(message_id="msg_1", role=Role.ASSISTANT, parts=parts)
    return durable(1, MessageCommitted(message=said))


async def told(store: SqlStore, uri: str) -> Media | None:
    event = await Pictures(store, Written()).with_bytes(shown(uri), "t")
    assert isinstance(event.body, MessageCommitted)
    return event.body.message.parts[1].media


async def test_a_picture_is_found_by_its_path() -> None:
    """A message keeps its hash, never its bytes."""
    found = await Pictures(await kept(SMALL), Written()).find("t", "s", "v", "assets/s.png")
    assert found == Media(mime_type="image/png", uri=f"asset:{sha256_of(SMALL)}")


@pytest.mark.parametrize("path", ["assets/none.png", "assets/gone.png"])
async def test_a_path_without_a_picture_is_not_found(path: str) -> None:
    """Neither one the script never had, nor one whose bytes are gone."""
    with pytest.raises(NotFound):
        await Pictures(await kept(SMALL), Written()).find("t", "s", "v", path)


async def test_a_small_picture_is_told_by_its_bytes() -> None:
    """And no longer by its hash."""
    media = await told(await kept(SMALL), f"asset:{sha256_of(SMALL)}")
    assert media == Media(mime_type="image/png", data=SMALL)


@pytest.mark.parametrize(
    "uri", [f"asset:{sha256_of(LARGE)}", f"asset:{'0' * 64}", "https://example.org/a.png"]
)
async def test_any_other_is_told_by_its_address(uri: str) -> None:
    """A large one, one that is gone, one of somebody else's server."""
    assert await told(await kept(SMALL, LARGE), uri) == Media(mime_type="image/png", uri=uri)


async def test_the_bytes_are_read_once() -> None:
    """Every watcher of a session gets the same ones."""
    store = await kept(SMALL)
    pictures = Pictures(store, Written())
    event = shown(f"asset:{sha256_of(SMALL)}")
    first = await pictures.with_bytes(event, "t")
    await store._engine.write(lambda db: db.execute(assets.delete()))
    assert await pictures.with_bytes(event, "t") == first


async def test_an_event_without_such_a_picture_stays_as_it_is() -> None:
    """Nothing is copied for words."""
    event = durable(1)
    assert await Pictures(await kept(), Written()).with_bytes(event, "t") is event
