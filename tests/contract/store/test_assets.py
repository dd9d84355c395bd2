"""Assets: once per tenant and hash, described without their bytes, read whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heartrule.domain.errors import NotFound
from session_store.ports import Store
from session_store.records import AssetRecord
from tests.contract.store.test_scripts import script

TREE = AssetRecord(
    tenant="t", sha256="a" * 64, mime_type="image/png", size=5, content=b"\x89\x00\xff\x01 "
)


async def test_an_asset_is_read_back_byte_by_byte(store: Store) -> None:
    """What was uploaded is what is shown."""
    await store.save_asset(TREE)
    found = await store.load_asset("t", TREE.sha256)
    assert replace(found, create_time=None) == TREE
    assert found.create_time is not None


async def test_a_description_spares_the_bytes(store: Store) -> None:
    """Only what is there is described."""
    saved = await store.save_asset(TREE)
    assert saved.content == b""
    assert await store.find_assets("t", (TREE.sha256, "b" * 64)) == {TREE.sha256: saved}
    assert await store.find_assets("t", ()) == {}


async def test_the_same_bytes_are_stored_once(store: Store) -> None:
    """The first time counts."""
    first = await store.save_asset(TREE)
    assert await store.save_asset(TREE) == first


async def test_assets_belong_to_their_tenant(store: Store) -> None:
    """Another tenant's asset is nobody's business."""
    await store.save_asset(TREE)
    assert await store.find_assets("other", (TREE.sha256,)) == {}
    with pytest.raises(NotFound):
        await store.load_asset("other", TREE.sha256)


async def test_a_version_keeps_the_hashes_of_its_assets(store: Store) -> None:
    """By path, whether the picture lies in the bundle or not."""
    record = replace(script(), assets={"assets/树.png": TREE.sha256})
    await store.save_script(record)
    assert (await store.load_script("t", "greeting")).assets == record.assets
