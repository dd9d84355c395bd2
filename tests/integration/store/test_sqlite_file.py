"""One executor per SQLite file, and what it does to the file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from heartrule.domain.errors import NotReady, StoreUnavailable
from session_store.open import open_store
from session_store.records import NoTurn
from tests.support.store_builders import LONG, accept, begun, opened, ticket
from tests.support.store_builders import judged_turn as judge
from tests.support.stores import FILE, sqlite_store


async def test_a_second_opener_is_refused(tmp_path: Path) -> None:
    """It is told which process and which boot holds the file, and what to do instead."""
    async with sqlite_store(tmp_path, boot_id="boot_1"):
        with pytest.raises(NotReady) as refused:
            async with sqlite_store(tmp_path, boot_id="boot_2"):
                pass
    assert refused.value.reason == "DATABASE_IN_USE"
    assert refused.value.metadata["pid"] == str(os.getpid())
    assert refused.value.metadata["boot_id"] == "boot_1"
    assert "PostgreSQL" in refused.value.message


async def test_the_refused_harms_nothing(tmp_path: Path) -> None:
    """The holder's lease and its lock outlive somebody else's attempt."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store)
        await accept(store, key)
        lease = (await begun(store, key)).lease
        for _ in range(2):
            with pytest.raises(NotReady):
                await open_store(tmp_path / FILE).start()
        assert await store.renew_lease(lease, LONG)


async def test_a_killed_holder_keeps_nobody_out(tmp_path: Path) -> None:
    """The lock dies with its process, whatever it left in the folder."""
    assert killed_holder(tmp_path / FILE) == -9
    async with sqlite_store(tmp_path) as store:
        await store.ping()


async def test_a_restart_waits_for_no_lease(tmp_path: Path) -> None:
    """With the file locked, leases of earlier boots are void at once."""
    async with sqlite_store(tmp_path, boot_id="before") as store:
        key = await opened(store)
        await accept(store, key)
        lost = await begun(store, key, ttl=LONG)
    async with sqlite_store(tmp_path, boot_id="after") as store:
        assert await store.find_work(10) == (key,)
        again = await begun(store, key)
        assert (again.turn_id, again.attempt) == (lost.turn_id, 2)


async def test_a_restart_waits_for_no_monitor(tmp_path: Path) -> None:
    """A request that a dead process claimed is due at once."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store)
        await judge(store, key)
        assert await store.claim_monitor_request(ticket(), owner="dead", ttl=LONG)
        assert await store.due_monitor_requests(10) == ()
    async with sqlite_store(tmp_path) as store:
        assert await store.due_monitor_requests(10) == (ticket(),)


async def test_a_live_lease_of_this_boot_holds(tmp_path: Path) -> None:
    """Only a start voids leases."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store)
        await accept(store, key)
        await begun(store, key)
        assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.HELD


async def test_nobody_else_may_read_the_files(tmp_path: Path) -> None:
    """The database, its log and its lock are their owner's alone, in a folder of its own."""
    async with sqlite_store(tmp_path / "new" / "folder") as store:
        await opened(store)
        folder = tmp_path / "new" / "folder"
        assert {path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())} == {0}


async def test_the_file_is_kept_with_care(tmp_path: Path) -> None:
    """Commits survive a power cut, deleted rows are zeroed, the log is a WAL."""
    async with sqlite_store(tmp_path) as store:
        names = ("journal_mode", "synchronous", "secure_delete", "foreign_keys")
        found = await store._engine.write(
            lambda db: [db.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]
        )
    assert found == ["wal", 2, 1, 1]


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    """After aclose, as before start, a call fails with StoreUnavailable, and nothing is open."""
    async with sqlite_store(tmp_path) as store:
        pass
    with pytest.raises(StoreUnavailable):
        await store.ping()
    assert [path for path in open_files() if path.is_relative_to(tmp_path)] == []


def killed_holder(path: Path) -> int:
    """Open the store in a process that is then killed, and return how that ended."""
    program = (
        "import asyncio, os; from session_store.open import open_store; "
        f"asyncio.run(open_store({str(path)!r}).start()); os.kill(os.getpid(), 9)"
    )
    return subprocess.run([sys.executable, "-c", program], check=False).returncode


def open_files() -> list[Path]:
    """Return what this process has open."""
    return [path.readlink() for path in Path("/proc/self/fd").iterdir() if path.exists()]
