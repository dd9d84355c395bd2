"""A service that others can reach is started with a long token, or not at all."""

from __future__ import annotations

import pytest

from executor_service.settings import ExecutorServerSettings
from gateway_service.settings import GatewayServerSettings
from heartrule.chassis.server import ServerSettings
from heartrule.chassis.service_token import LEAST_TOKEN
from heartrule.chassis.settings import SettingsError, read
from monitor_service.settings import MonitorServerSettings

LONG = "x" * LEAST_TOKEN
Served = type[ServerSettings] | type[GatewayServerSettings]
each_service = pytest.mark.parametrize(
    "served", [ExecutorServerSettings, MonitorServerSettings, GatewayServerSettings]
)


def exposed(served: Served, **others: str) -> dict[str, str]:
    named = {f"{served.prefix}{name}": value for name, value in others.items()}
    return {f"{served.prefix}HOST": "0.0.0.0", **named}


@each_service
@pytest.mark.parametrize("token", ["", "x" * (LEAST_TOKEN - 1)])
def test_listening_to_others_takes_a_long_token(served: Served, token: str) -> None:
    """One sentence names the variables to set, and never the token."""
    with pytest.raises(SettingsError) as refused:
        read(served, exposed(served, TOKEN=token))
    (sentence,) = refused.value.problems
    assert f"{served.prefix}TOKEN must have at least 32 characters" in sentence
    assert "HEARTRULE_INSECURE=true" in sentence
    assert not token or token not in sentence


@each_service
def test_a_long_token_is_enough(served: Served) -> None:
    """With it, any address may be listened on."""
    assert read(served, exposed(served, TOKEN=LONG)).token is not None


@each_service
def test_this_machine_alone_needs_no_token(served: Served) -> None:
    """`make run` and `heartrule up` start without one; a short one is as good there."""
    assert read(served, {}).token is None
    assert read(served, {f"{served.prefix}TOKEN": "short"}).token is not None


@each_service
@pytest.mark.parametrize("token", ["ключ" * 8, "two words " * 4 + "more", "a\tb" * 16])
def test_a_token_must_be_sendable(served: Served, token: str) -> None:
    """Metadata and headers take visible ASCII alone; the sentence does not repeat the token."""
    with pytest.raises(SettingsError, match="ASCII") as refused:
        read(served, {f"{served.prefix}TOKEN": token})
    assert token not in str(refused.value)


@each_service
def test_one_variable_waives_it_for_every_service(served: Served) -> None:
    """Whoever sets HEARTRULE_INSECURE has said so."""
    assert read(served, exposed(served) | {"HEARTRULE_INSECURE": "true"}).token is None
