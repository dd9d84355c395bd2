"""A disk without room: answers stay honest, erasing works."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from heartrule.domain.errors import NotFound, StoreFull
from session_store.sql.database.disk_space import RESERVE_SIZE, ReserveFile
from tests.support.require import lacking
from tests.support.store_builders import accept, opened
from tests.support.stores import sqlite_store

MEGABYTE = 1024 * 1024

# Texts that fill a disk are longer than a client's message may be.
MOST_CHARS = 10_000_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a folder on a file system of its own with little more room than the reserve takes."""
    size = RESERVE_SIZE + 4 * MEGABYTE
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        lacking("mounting a small file system is not allowed here")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def fill(folder: Path) -> None:
    """Write until nothing more fits."""
    with (folder / "filler").open("wb", buffering=0) as file:
        block = b"x" * 4096
        try:
            while file.write(block) == len(block):
                pass
        except OSError:
            pass


async def test_a_full_disk_still_erases(small_disk: Path) -> None:
    """Where an input gets StoreFull, a session can be deleted: the reserve gives the room."""
    async with sqlite_store(small_disk) as store:
        key = await opened(store, max_input_chars=MOST_CHARS)
        await accept(store, key, "m1", "words " * 20_000)
        fill(small_disk)
        with pytest.raises(StoreFull):
            await accept(store, key, "m2", "words " * 20_000)
        await store.delete_session(key)
        with pytest.raises(NotFound):
            await store.get_session(key)


async def test_work_goes_on_when_there_is_room_again(small_disk: Path) -> None:
    """After StoreFull nothing has to be restarted."""
    async with sqlite_store(small_disk) as store:
        key = await opened(store, max_input_chars=MOST_CHARS)
        fill(small_disk)
        with pytest.raises(StoreFull):
            await accept(store, key, "m1", "words " * 200_000)
        (small_disk / "filler").unlink()
        await accept(store, key, "m1", "words " * 200_000)


async def test_a_store_without_room_does_not_answer_pings(small_disk: Path) -> None:
    """From the first StoreFull until there is room again, also while small writes still fit."""
    async with sqlite_store(small_disk) as store:
        key = await opened(store, max_input_chars=MOST_CHARS)
        fill(small_disk)
        await store.ping()
        with pytest.raises(StoreFull):
            await accept(store, key, "m1", "words " * 200_000)
        with pytest.raises(StoreFull):
            await store.ping()
        await store.get_session(key)
        (small_disk / "filler").unlink()
        await store.ping()


def test_a_reserve_holds_its_place(tmp_path: Path) -> None:
    """The file has its whole size on the disk, and gives it back once."""
    reserve = ReserveFile(tmp_path / "x.db")
    reserve.allocate()
    assert (tmp_path / "x.db.reserve").stat().st_blocks * 512 >= RESERVE_SIZE
    assert reserve.release()
    assert not reserve.release()


def test_without_room_there_is_no_reserve(small_disk: Path) -> None:
    """A disk too full for it is not made fuller."""
    (small_disk / "large").write_bytes(b"x" * 6 * MEGABYTE)
    ReserveFile(small_disk / "x.db").allocate()
    assert not (small_disk / "x.db.reserve").exists()
