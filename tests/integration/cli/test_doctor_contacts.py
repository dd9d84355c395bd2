"""The doctor calls the services: a listener that is none of them is told apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule.chassis.health import READY, Health
from heartrule.words.language import ReaderLanguage
from heartrule_cli.doctor.contacts import ServiceContact, gateway_at, health_at, monitor_at
from heartrule_cli.doctor.findings import DoctorFinding, FindingLevel
from heartrule_cli.doctor.services_section import services_section
from heartrule_cli.services.folder_lock import folder_taken
from heartrule_cli.services.known_ports import ports_in, ports_told
from heartrule_cli.services.running_services import FOLDER, free_ports
from tests.support.fake_model import FakeModel
from tests.support.gateways import gateway_to, running_gateway
from tests.support.monitors import running_monitor
from tests.support.odd_servers import answered, listening

HERE = "127.0.0.1"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor looks where it was started."""
    monkeypatch.chdir(tmp_path)


async def test_a_process_is_ready_when_its_health_says_so() -> None:
    """It runs before that, and nothing answers at a free port."""
    health = Health(HERE, 0)
    await health.start()
    try:
        address = f"{HERE}:{health.port}"
        assert await health_at(address) is ServiceContact.NOT_READY
        await health.set(READY, serving=True)
        assert await health_at(address) is ServiceContact.READY
    finally:
        await health.close()
    (free,) = free_ports(1)
    assert await health_at(f"{HERE}:{free}") is ServiceContact.NOBODY


async def test_a_gateway_is_ready_when_it_reaches_its_executor() -> None:
    """A web page at that port is another program; one without an executor is not ready."""
    async with running_gateway() as running:
        assert await gateway_at(str(running.http.base_url)) is ServiceContact.READY
    (free,) = free_ports(1)
    async with gateway_to(f"{HERE}:{free}") as (_, http):
        assert await gateway_at(str(http.base_url)) is ServiceContact.NOT_READY
    async with listening(answered(b"<html>")) as page:
        assert await gateway_at(page.url("")) is ServiceContact.ANOTHER
    assert await gateway_at(f"http://{HERE}:{free}") is ServiceContact.NOBODY


async def test_a_monitor_is_one_when_it_takes_requests_of_its_kind() -> None:
    """A health service is none, though gRPC answers there."""
    async with running_monitor(FakeModel()) as running:
        assert await monitor_at(f"{HERE}:{running.service.port}") is ServiceContact.READY
    health = Health(HERE, 0)
    await health.start()
    try:
        assert await monitor_at(f"{HERE}:{health.port}") is ServiceContact.ANOTHER
    finally:
        await health.close()


def finding(found: tuple[DoctorFinding, ...], subject: str) -> DoctorFinding:
    return next(each for each in found if str(each.subject) == subject)


async def test_services_that_run_in_this_folder_are_found_by_their_ports() -> None:
    """A monitor at a port of its own that is not ready is doubtful."""
    health = Health(HERE, 0)
    await health.start()
    try:
        FOLDER.mkdir()
        with folder_taken(FOLDER), ports_told(FOLDER, {"monitor_health": health.port}):
            section = await services_section({})
    finally:
        await health.close()
    monitor = finding(section.findings, "monitor")
    assert monitor.level is FindingLevel.WARNING
    assert "is not ready" in monitor.told(ReaderLanguage.ENGLISH)
    assert ports_in(FOLDER) == {}
