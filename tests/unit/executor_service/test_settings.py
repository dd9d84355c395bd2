"""What the executor can be told by its environment."""

from __future__ import annotations

import pytest

from executor_service.settings import ExecutorSettings
from heartrule.chassis.settings import SettingsError, read


def settings(**environ: str) -> ExecutorSettings:
    """Read the settings of an environment."""
    return read(ExecutorSettings, environ)


def test_defaults() -> None:
    """Local address, embedded database, a lease of 15 s and a turn of 120 s."""
    plain = settings()
    assert (plain.server.host, plain.server.port) == ("127.0.0.1", 50051)
    assert plain.store.database_url == ".heartrule/heartrule.db"
    assert (plain.turns.lease_ttl, plain.turns.turn_timeout) == (15.0, 120.0)
    assert (plain.turns.merge_window_ms, plain.testing.test_mode) == (0, False)


def test_names() -> None:
    """Each setting is HEARTRULE_ and its name in capitals."""
    named = settings(
        HEARTRULE_PORT="0", HEARTRULE_LEASE_TTL="1", HEARTRULE_MONITOR_ADDRESS="monitor:50052"
    )
    assert (named.server.port, named.turns.lease_ttl) == (0, 1.0)
    assert named.monitor.monitor_address == "monitor:50052"


@pytest.mark.parametrize(("address", "monitored"), [("monitor:1", True), ("off", False)])
def test_the_monitor_can_be_switched_off(address: str, *, monitored: bool) -> None:
    """`off` in place of its address: no round is analysed."""
    assert settings(HEARTRULE_MONITOR_ADDRESS=address).monitor.monitored is monitored


def test_everything_wrong_is_named() -> None:
    """All wrong variables stand in one error."""
    wrong = {"HEARTRULE_LEASE_TTL": "-1", "HEARTRULE_MERGE_WINDOW_MS": "many"}
    with pytest.raises(SettingsError) as refused:
        settings(**wrong)
    assert [problem.split(":")[0] for problem in refused.value.problems] == list(wrong)


@pytest.mark.parametrize("secret", ["", "whsec_c2hvcnQ=", "no base64", "QUFB" * 30])
def test_alerts_are_signed(secret: str) -> None:
    """An address for alerts needs a secret of 24 to 64 bytes; what was given is not repeated."""
    with pytest.raises(SettingsError, match="HEARTRULE_ALERT_SECRET") as refused:
        settings(HEARTRULE_ALERT_URL="https://on-call.example/a", HEARTRULE_ALERT_SECRET=secret)
    assert not secret or secret not in str(refused.value)
    good = settings(HEARTRULE_ALERT_URL="https://o.example", HEARTRULE_ALERT_SECRET="QUFB" * 8)
    assert good.alerts.alert_secret is not None


@pytest.mark.parametrize("url", ["on-call.example", "ftp://o.example/", "https:///path"])
def test_alerts_go_to_an_address_of_http(url: str) -> None:
    """Anything else is refused at start."""
    with pytest.raises(SettingsError, match="HEARTRULE_ALERT_URL"):
        settings(HEARTRULE_ALERT_URL=url, HEARTRULE_ALERT_SECRET="QUFB" * 8)


@pytest.mark.parametrize(
    ("environ", "problem"),
    [
        ({"HEARTRULE_ROLE": "worker"}, "HEARTRULE_ROLE: worker needs PostgreSQL"),
        (
            {"HEARTRULE_ROLE": "worker", "HEARTRULE_RUN_CONCURRENCY": "0", "URL": "postgresql://d"},
            "HEARTRULE_RUN_CONCURRENCY: a worker takes one run at least",
        ),
        ({"POD_NAME": "local", "URL": "postgresql://d"}, "POD_NAME: 'local' is the name of"),
    ],
    ids=["on a file", "without runs", "a name of many"],
)
def test_a_role_that_cannot_be_played_is_refused(environ: dict[str, str], problem: str) -> None:
    """At the start, with what to do about it."""
    given = {name: text for name, text in environ.items() if name != "URL"}
    with pytest.raises(SettingsError, match=problem):
        settings(**given, HEARTRULE_DATABASE_URL=environ.get("URL", ""))
