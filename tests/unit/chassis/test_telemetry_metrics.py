"""Metrics: counted where a meter is used, and exported only where somebody asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from heartrule.chassis import telemetry_metrics as metrics
from heartrule.chassis.telemetry_setup import setup_metrics
from tests.support.meters import counted, counting


def enabled(environ: Mapping[str, str]) -> bool:
    """Return whether a process with these variables exports metrics."""
    return setup_metrics(service="s", version="1", environ=environ).enabled


async def test_nothing_is_exported_unless_it_is_asked_for() -> None:
    """An endpoint of traces alone asks for none."""
    assert not enabled({})
    assert not enabled({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:1"})
    asked = {"OTEL_METRICS_EXPORTER": "console"}
    assert not enabled({**asked, "OTEL_SDK_DISABLED": "true"})


def test_an_unknown_exporter_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    """A typing mistake must not look like a quiet monitor."""
    assert not enabled({"OTEL_METRICS_EXPORTER": "prometheuss"})
    assert "not understood" in caplog.text


def test_without_a_meter_nothing_is_counted() -> None:
    """The calls are there and cost nothing."""
    assert not metrics.measured()
    metrics.count("heartrule.nothing")
    metrics.record("heartrule.nothing", 1.0)


def test_counters_add_up_by_their_attributes() -> None:
    """One instrument of a name, however often it is used."""
    with counting() as reader:
        assert metrics.measured()
        for word in ("a", "a", "b"):
            metrics.count("heartrule.things", word=word)
        metrics.record("heartrule.seconds", 0.5, word="a")
    assert counted(reader, "heartrule.things") == {("a",): 2, ("b",): 1}
    assert counted(reader, "heartrule.seconds") == {("a",): 1}


async def test_closing_twice_changes_nothing() -> None:
    """A process that leaves sends what it has, once."""
    made = setup_metrics(service="s", version="1", environ={}, reader=InMemoryMetricReader())
    assert made.enabled
    await made.close()
    await made.close()
    assert not made.enabled


async def test_a_reader_that_fails_at_the_end_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """It is told as what it is, at once, and not as a collector that did not answer."""

    class Failing(InMemoryMetricReader):
        def shutdown(self, timeout_millis: float = 0, **kwargs: Any) -> None:
            raise OSError("no way out")

    await setup_metrics(service="s", version="1", environ={}, reader=Failing()).close()
    assert [each.message for each in caplog.records] == ["spans or metrics were lost"]
