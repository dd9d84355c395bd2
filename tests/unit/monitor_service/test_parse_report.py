"""What a report has to be."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import InvalidRequest
from heartrule.v1 import analysis_pb2
from heartrule.wire.message_mapping import to_message
from monitor_service.monitor_servicer import parse_report
from tests.support.reports import ASK_ROUND, SAY_ROUND


def message() -> analysis_pb2.AnalysisReport:
    """Return a whole report as it is sent."""
    return to_message(ASK_ROUND, analysis_pb2.AnalysisReport)


@pytest.mark.parametrize("report", [ASK_ROUND, SAY_ROUND], ids=["ai_ask", "ai_say"])
def test_whole_reports(report: object) -> None:
    """A report arrives as it was sent."""
    assert parse_report(to_message(report, analysis_pb2.AnalysisReport)) == report


def test_default_tenant() -> None:
    """A report that names no tenant is the default tenant's."""
    sent = message()
    sent.tenant = ""
    assert parse_report(sent).tenant == "default"


@pytest.mark.parametrize(
    "field",
    [
        "session_id",
        "action_id",
        "action_instance_id",
        "action_type",
        "turn_id",
        "round",
        "max_rounds",
        "metrics",
        "progress_suggestion",
    ],
)
def test_required_fields(field: str) -> None:
    """A report without something required is refused, the field named."""
    sent = message()
    sent.ClearField(field)
    with pytest.raises(InvalidRequest) as refused:
        parse_report(sent)
    assert [wrong.field for wrong in refused.value.violations] == [f"report.{field}"]


def test_everything_wrong_is_named() -> None:
    """An empty report is refused with all that it lacks."""
    with pytest.raises(InvalidRequest) as refused:
        parse_report(analysis_pb2.AnalysisReport())
    assert len(refused.value.violations) == 9


def test_unknown_enum_value() -> None:
    """An enum value nobody knows is refused."""
    sent = message()
    sent.progress_suggestion = 99  # type: ignore[assignment]  # what a newer caller may send
    with pytest.raises(InvalidRequest, match="progress_suggestion"):
        parse_report(sent)
