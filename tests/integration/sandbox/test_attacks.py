"""What hostile code tries: each try ends in its code, and none gets through."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from pathlib import Path

import pytest

from executor_service.workflows.sandbox.sandbox_port import Sandbox
from heartrule.domain.workflows import SandboxTier
from tests.support.loop_watch import watched_loop
from tests.support.sandbox_attacks import ATTACKS, CANARY, LIMITED, NO_JSON, outcome
from tests.support.sandboxes import opened_sandbox, ran, run_unprivileged

LONGEST_STEP_S = 0.05
LATEST_S = 1.0
"""Beyond the limit, on a machine at rest; a busy one has some starts of a sandbox more."""


def files_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def children() -> list[str]:
    """Return the command lines of this process's children."""
    pids = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [Path(f"/proc/{pid}/cmdline").read_text() for pid in pids]


async def seconds_of_a_start(sandbox: Sandbox) -> float:
    """Return how long this machine takes now for a job that does nothing."""
    began = time.monotonic()
    await ran(sandbox, "return 1")
    return time.monotonic() - began


@pytest.mark.parametrize("tier", SandboxTier)
@pytest.mark.parametrize("name", ATTACKS)
async def test_an_attack_ends_in_its_code(tier: SandboxTier, name: str) -> None:
    """Run here, as root where tests run as root; its limit is kept within a second."""
    attack = ATTACKS[name]
    async with opened_sandbox(tier) as sandbox:
        start = await seconds_of_a_start(sandbox) if attack.is_endless else 0.0
        async with asyncio.timeout(attack.timeout_s + LATEST_S + 5 * start):
            assert await outcome(sandbox, attack) in attack.ends(tier)


@pytest.mark.parametrize("tier", SandboxTier)
async def test_an_unprivileged_user_needs_no_more(tier: SandboxTier) -> None:
    """The same list as nobody: no privilege is needed to confine code, and none is left to it."""
    done = await asyncio.to_thread(
        run_unprivileged, "-m", "tests.support.sandbox_attacks", tier.value
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["user"] != 0
    ended: dict[str, str] = told["ended"]
    assert {n: e for n, e in ended.items() if e not in ATTACKS[n].ends(tier)} == {}
    assert ended.keys() == ATTACKS.keys()


async def test_no_variable_of_the_environment_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process has what its libraries need, and nothing of the executor's."""
    monkeypatch.setenv(CANARY, "secret")
    async with opened_sandbox(SandboxTier.PROCESS) as sandbox:
        seen = (await ran(sandbox, "import os\nreturn dict(os.environ)")).value
    assert isinstance(seen, dict)
    assert set(seen) - {"LC_CTYPE"} == {"MPLBACKEND", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}


async def test_nothing_outside_is_changed(tmp_path: Path) -> None:
    """Rights and times of a file need no opening, so Landlock alone would not keep them."""
    canary = tmp_path / "canary"
    canary.write_text("alive")
    before = canary.stat()
    tries = ("os.chmod(p, 0)", "os.truncate(p, 0)", "os.utime(p, (0, 0))", "os.remove(p)",
             "os.chown(p, 1, 1)", "os.rename(p, p + 'x')", "os.setxattr(p, 'user.x', b'x')",
             "open(p, 'w')")  # fmt: skip
    code = f"import os\ndone = []\nfor each in {tries}:\n    try:\n        eval(each)\n"
    code += "        done.append(each)\n    except OSError:\n        pass\nreturn done"
    async with opened_sandbox(SandboxTier.PROCESS) as sandbox:
        assert (await ran(sandbox, code, p=str(canary))).value == []
    after = canary.stat()
    assert (after.st_mode, after.st_uid, after.st_mtime) == (
        before.st_mode,
        before.st_uid,
        before.st_mtime,
    )
    assert canary.read_text() == "alive"


@pytest.mark.parametrize("tier", SandboxTier)
async def test_attacks_leave_nothing(
    tier: SandboxTier, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Folder and process are gone when a job has ended, however it ended."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    async with opened_sandbox(tier) as sandbox:
        for name in ("a loop", "a full disk", "the end of the process", "a function"):
            await outcome(sandbox, ATTACKS[name])
    assert files_in(tmp_path) == []
    assert [each for each in children() if "sandbox" in each] == []


@pytest.mark.parametrize("tier", SandboxTier)
async def test_an_attack_does_not_hold_the_event_loop(tier: SandboxTier) -> None:
    """However large a result is, the conversations beside it go on."""
    names = [name for name, each in ATTACKS.items() if each.process & (LIMITED | NO_JSON)]
    async with opened_sandbox(tier) as sandbox:
        await ran(sandbox, "return 1")
        with watched_loop() as longest:
            for name in names:
                await outcome(sandbox, ATTACKS[name])
    assert longest.cpu_s < LONGEST_STEP_S, longest.what
