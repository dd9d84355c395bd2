"""What holds for every test: a clean environment."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from heartrule.safety import crisis_rules, reloading_rules
from tests.support.whole_files import WholeFiles

# No time of a test is asserted: the machine may be busy.
settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")

# Read when grpc begins: tests start sandboxes beside it, as the executor does.
FORKING = "GRPC_ENABLE_FORK_SUPPORT"
os.environ[FORKING] = "0"

# What a person reads is English where a test names no language.
for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
    os.environ.pop(name, None)

FOREIGN = ("HEARTRULE_", "OPENAI_", "OTEL_", "GRPC_", "PG")


def pytest_configure(config: pytest.Config) -> None:
    """Prove equal files of the crisis path once in a process: it takes most of a second."""
    proven: dict[str, crisis_rules.CrisisRules] = {}

    def load(folder: Path) -> crisis_rules.CrisisRules:
        content = reloading_rules.content_hash(folder)
        if content not in proven:
            proven[content] = crisis_rules.load_crisis_rules(folder)
        return proven[content]

    patched = pytest.MonkeyPatch()
    patched.setattr(reloading_rules, "load_crisis_rules", load)
    config.add_cleanup(patched.undo)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> WholeFiles:
    """Deal most tests out by the file."""
    return WholeFiles(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without collecting garbage: a third of the time went there.

    Modules and tests stay to the end of the run, so that no later pass looks at them either.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the developer's own keys and settings; restored after the test."""
    for name in list(os.environ):
        if name.startswith(FOREIGN) and name != FORKING:
            monkeypatch.delenv(name)
