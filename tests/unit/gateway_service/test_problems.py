"""gRPC statuses as problems."""

from __future__ import annotations

import grpc
import pytest
from grpc.aio import AioRpcError, Metadata

from gateway_service.problems import STATUS, problem, problem_in_band, problem_of_status
from heartrule.chassis.errors import TABLE, to_status
from heartrule.domain.errors import NotFound, SessionBusy
from heartrule.v1 import problem_pb2


def failed(error: Exception) -> AioRpcError:
    status = to_status(error)
    code = next(code for code in grpc.StatusCode if code.value[0] == status.code)
    details = Metadata(("grpc-status-details-bin", status.SerializeToString()))
    return AioRpcError(code, Metadata(), details, status.message)


def test_every_code_of_the_error_table_has_a_status() -> None:
    """Every row of the table of errors, and grpc's own besides, has a status."""
    assert {row.code for row in TABLE.values()} <= set(STATUS)
    assert set(grpc.StatusCode) - set(STATUS) == {grpc.StatusCode.OK}


def test_what_the_executor_says_stays_what_it_says() -> None:
    """Reason, metadata, violations and the time to wait."""
    facts = problem_of_status(failed(NotFound("session", "s1")))
    assert (facts.status, facts.title, facts.reason) == (
        404, "Session not found", "SESSION_NOT_FOUND",
    )  # fmt: skip
    busy = problem_of_status(failed(SessionBusy("wait", reason="SESSION_BUSY")))
    assert (busy.status, busy.headers()["retry-after"]) == (429, "1")


def test_what_grpc_says_itself_is_not_passed_on() -> None:
    """Its sentences hold addresses."""
    error = AioRpcError(grpc.StatusCode.UNAVAILABLE, Metadata(), Metadata(), "10.0.0.7 refused")
    facts = problem_of_status(error)
    assert (facts.reason, "10.0.0.7" in repr(facts)) == ("EXECUTOR_UNAVAILABLE", False)


def test_a_problem_inside_a_stream_is_the_same() -> None:
    """Code, reason, words and the time to wait."""
    told = problem_pb2.Problem(code=8, reason="SESSION_BUSY", message="wait")
    told.retry_after.seconds = 2
    facts = problem_in_band(told)
    assert (facts.status, facts.reason, facts.retry_after_s) == (429, "SESSION_BUSY", 2.0)


@pytest.mark.parametrize("code", [code for code in grpc.StatusCode if code in STATUS])
def test_the_body_is_rfc_9457(code: grpc.StatusCode) -> None:
    """type, title, status and detail are there."""
    facts = problem(code, "A_REASON", "why")
    assert {"type", "title", "status", "detail"} <= set(facts.as_json())
