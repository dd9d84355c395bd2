"""What the services are told."""

from __future__ import annotations

import pytest

from executor_service.settings import ExecutorSettings
from gateway_service.settings import GatewaySettings
from heartrule.chassis.settings import read
from heartrule_cli.commands.up import described
from heartrule_cli.services.running_services import (
    Ports,
    database_text,
    free_ports,
    service_environment,
)
from monitor_service.settings import MonitorSettings

PORTS = Ports(executor=1001, executor_health=1002, monitor=1003, monitor_health=1004, gateway=1005,
    gateway_health=1006,
)  # fmt: skip


def test_each_service_reads_its_own_ports_out_of_one_environment() -> None:
    """The executor finds the monitor where the monitor listens, whatever was set before."""
    environ = {"HEARTRULE_PORT": "7", "HEARTRULE_MONITOR_ADDRESS": "elsewhere:1"}
    told = environ | service_environment(PORTS, environ)
    executor, monitor = read(ExecutorSettings, told), read(MonitorSettings, told)
    assert (executor.server.port, executor.server.health_port) == (1001, 1002)
    assert (monitor.server.port, monitor.server.health_port) == (1003, 1004)
    assert executor.monitor.monitor_address == "127.0.0.1:1003"


def test_the_monitor_can_be_switched_off() -> None:
    """The one value of its address that is the user's."""
    told = service_environment(PORTS, {"HEARTRULE_MONITOR_ADDRESS": "off"})
    assert told["HEARTRULE_MONITOR_ADDRESS"] == "off"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("", ".heartrule/heartrule.db"),
        ("other.db", "other.db"),
        ("sqlite:///other.db", "sqlite:///other.db"),
        ("postgresql://me:secret@host/db", "postgresql (HEARTRULE_DATABASE_URL)"),
    ],
)
def test_a_database_is_told_without_its_password(address: str, shown: str) -> None:
    """What stands on a terminal stands in screenshots."""
    assert database_text({"HEARTRULE_DATABASE_URL": address}) == shown


def test_services_of_up_describe_themselves_unless_they_are_told_not_to() -> None:
    """A deployment, which sets nothing, does not."""
    assert not read(ExecutorSettings, {}).server.reflection
    assert read(ExecutorSettings, described({})).server.reflection
    assert read(MonitorSettings, described({})).server.reflection
    asked = described({"HEARTRULE_REFLECTION": "false"})
    assert not read(ExecutorSettings, asked).server.reflection


def test_probed_ports_differ() -> None:
    """Two services never get one port."""
    assert len(set(free_ports(8))) == 8


def test_the_gateway_finds_the_executor_and_listens_where_the_user_says() -> None:
    """A port that is asked for is kept; the executor's address is this command's to tell."""
    told = service_environment(PORTS, {})
    gateway = read(GatewaySettings, told)
    assert (gateway.server.port, gateway.server.health_port) == (1005, 1006)
    assert gateway.requests.executor_address == "127.0.0.1:1001"
