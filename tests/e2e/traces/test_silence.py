"""Without OTEL_* nothing is exported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.traces.conftest import environment
from tests.support.processes import service

pytestmark = pytest.mark.slow


async def imported(folder: Path, **environ: str) -> str:
    """Return the modules a service has imported by the time it listens, as Python told them."""
    told = {**environment("http://127.0.0.1:9/v1", "none"), "PYTHONPROFILEIMPORTTIME": "1"}
    async with service("monitor_service", folder, {**told, **environ}) as monitor:
        assert await monitor.stop() == 0
        return monitor.log.read_text()


async def test_without_the_variables_no_exporter_is_even_loaded(tmp_path: Path) -> None:
    """A process that was told of no collector holds nothing that could reach one."""
    assert "opentelemetry.sdk" not in await imported(tmp_path)


async def test_with_them_the_exporter_is_loaded(tmp_path: Path) -> None:
    """The rule above would notice an exporter."""
    collector = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    assert "opentelemetry.sdk" in await imported(tmp_path, **collector)
