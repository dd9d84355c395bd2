"""Which tiers a machine has is found by trying; what it lacks is refused."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys

import pytest

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.sandbox.probing import SandboxesAtHand
from executor_service.workflows.sandbox.tiered_sandbox import TieredSandbox
from heartrule.domain.runs import RunErrorCode
from heartrule.domain.workflows import SandboxTier
from tests.support.sandboxes import ran
from tests.support.source_tree import ROOT

WITHOUT_LANDLOCK = """
import platform
from executor_service.workflows.sandbox import seccomp
from executor_service.workflows.sandbox.probing import SandboxesAtHand
from heartrule.domain.workflows import SandboxTier

ALLOW, MISSING, CREATE_RULESET = 0x7FFF0000, 0x00050000 | 38, 444
seccomp.install((
    seccomp.Instruction(seccomp.LOAD, 0, 0, seccomp.NUMBER_AT),
    seccomp.Instruction(seccomp.IF_EQUAL, 0, 1, CREATE_RULESET),
    seccomp.Instruction(seccomp.RETURN, 0, 0, MISSING),
    seccomp.Instruction(seccomp.RETURN, 0, 0, ALLOW),
))
print(*sorted(tier for tier in SandboxTier if tier in SandboxesAtHand()))
"""
IMPORTS = """
import sys
import executor_service.bootstrap
heavy = {'pydantic_monty', 'pandas', 'numpy'} & sys.modules.keys()
print(*heavy, 'executor_service.workflows.sandbox.process_sandbox' in sys.modules)
"""


def printed(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_this_machine_has_both() -> None:
    """Tests need them, here and in CI."""
    assert all(tier in SandboxesAtHand() for tier in SandboxTier)


def test_without_landlock_there_is_no_process_tier() -> None:
    """On a kernel that lacks it, code that needs pandas is refused; the interpreter remains."""
    assert printed(WITHOUT_LANDLOCK).split() == [SandboxTier.SMALL]


def test_nothing_is_imported_before_it_is_needed() -> None:
    """An executor that runs no code pays nothing for the sandboxes."""
    assert printed(IMPORTS).split() == ["False"]


async def test_a_tier_is_asked_for_on_a_loop() -> None:
    """Rules that ask run in a thread; where they do not, the answer is the same."""
    at_hand = SandboxesAtHand()
    assert SandboxTier.SMALL in at_hand
    assert "small" not in at_hand
    assert await asyncio.to_thread(lambda: SandboxTier.SMALL in at_hand)


def test_another_process_knows_what_was_found() -> None:
    """A worker that checks a script's workflows tries no more than nobody knows yet."""
    known = SandboxesAtHand({SandboxTier.PROCESS: False})
    told = pickle.loads(pickle.dumps(known))
    assert (SandboxTier.PROCESS in told, SandboxTier.SMALL in told) == (False, True)


async def test_imports_choose_the_tier() -> None:
    """Code without libraries runs in the small interpreter, other code in a process."""
    sandbox = TieredSandbox(frozenset(SandboxTier))
    try:
        assert (await ran(sandbox, "return 1 + 1")).value == 2
        assert (await ran(sandbox, "import numpy\nreturn numpy.arange(2)")).value == [0, 1]
    finally:
        await sandbox.aclose()


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import pandas\nreturn 1", RunErrorCode.REFUSED),
        ("return 1", RunErrorCode.REFUSED),
        ("return (", RunErrorCode.CODE_ERROR),
    ],
)
async def test_a_missing_tier_refuses(code: str, why: RunErrorCode) -> None:
    """Neither replaces the other."""
    with pytest.raises(NodeFailed) as caught:
        await ran(TieredSandbox(frozenset()), code)
    assert caught.value.failure.code is why
