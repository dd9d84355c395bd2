"""The table from errors to statuses, and what of an error may be seen."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TypeVar

import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2 as rpc
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from heartrule.chassis.errors import MAX_DETAILS, TABLE, to_problem, to_status
from heartrule.domain import errors as domain
from heartrule.domain.model_failure import LASTING, ModelFailureCause, ModelFailureDetails
from heartrule.words.failures import failure_sentence

DetailT = TypeVar("DetailT", bound=Message)


def plain(kind: type[domain.HeartRuleError]) -> domain.HeartRuleError:
    return kind("it went wrong", reason="SOME_REASON")


def detail(status: Status, kind: type[DetailT]) -> DetailT:
    found = kind()
    assert any(packed.Unpack(found) for packed in status.details), f"no {kind.__name__}"
    return found


def subclasses(kind: type[domain.HeartRuleError]) -> set[type[domain.HeartRuleError]]:
    return {kind, *(deep for sub in kind.__subclasses__() for deep in subclasses(sub))}


def test_every_class_of_the_domain_has_a_row() -> None:
    """No error of ours becomes INTERNAL for want of a row."""
    ours = {
        kind for kind in subclasses(domain.HeartRuleError) if kind.__module__ == domain.__name__
    }
    named = {kind for kind in ours if not kind.__name__.startswith("_")}
    assert named - TABLE.keys() == {domain.HeartRuleError}


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (domain.InvalidScript, StatusCode.INVALID_ARGUMENT),
        (domain.SessionFinished, StatusCode.FAILED_PRECONDITION),
        (domain.OutOfRange, StatusCode.OUT_OF_RANGE),
        (domain.LeaseLost, StatusCode.ABORTED),
        (domain.SessionBusy, StatusCode.RESOURCE_EXHAUSTED),
        (domain.ModelStreamCut, StatusCode.UNAVAILABLE),
        (domain.DeadlinePassed, StatusCode.DEADLINE_EXCEEDED),
        (domain.NotAuthenticated, StatusCode.UNAUTHENTICATED),
        (domain.NotPermitted, StatusCode.PERMISSION_DENIED),
        (domain.NotSupported, StatusCode.UNIMPLEMENTED),
    ],
)
def test_a_class_decides_the_code(kind: type[domain.HeartRuleError], code: StatusCode) -> None:
    """The caller learns from the code what to do next."""
    assert to_problem(plain(kind)).code == code.value[0]


def test_a_further_detail_gives_way_to_nothing() -> None:
    """Violations are left out until the status fits; what a client is shown stays."""
    error = domain.InvalidScript("bad", violations=violations(30, "错" * 5000))
    status = to_status(error, lambda _: rpc.Help(links=[rpc.Help.Link(description="y" * 900)]))
    assert len(detail(status, rpc.Help).links[0].description) == 900
    assert status.ByteSize() * 4 / 3 <= MAX_DETAILS


def test_a_subclass_without_a_row_takes_that_of_its_parent() -> None:
    """A finer error class needs no row of its own."""

    class VeryBusy(domain.SessionBusy):
        pass

    assert to_problem(plain(VeryBusy)).code == StatusCode.RESOURCE_EXHAUSTED.value[0]


def test_every_status_says_its_reason_and_metadata() -> None:
    """ErrorInfo carries the stable reason, our domain and the facts."""
    error = domain.OutOfRange("too far", reason="SEQUENCE", metadata={"newest": "7"})
    info = detail(to_status(error), rpc.ErrorInfo)
    assert (
        info.reason,
        info.domain,
        dict(info.metadata),
    ) == ("SEQUENCE", "heartrule", {"newest": "7"})


def test_not_found_names_the_resource() -> None:
    """ResourceInfo says what kind of thing is missing, and its name."""
    info = detail(to_status(domain.NotFound("session", "s-1")), rpc.ResourceInfo)
    assert (info.resource_type, info.resource_name) == ("session", "s-1")


def test_a_finished_session_names_its_precondition() -> None:
    """PreconditionFailure repeats the reason as its type."""
    failure = detail(to_status(plain(domain.SessionFinished)), rpc.PreconditionFailure)
    assert [one.type for one in failure.violations] == ["SOME_REASON"]


def test_a_busy_session_says_when_to_come_back() -> None:
    """RetryInfo holds the wait the error names."""
    error = domain.SessionBusy("wait", reason="BUSY", retry_after=timedelta(seconds=2.5))
    status = to_status(error)
    assert detail(status, rpc.RetryInfo).retry_delay.ToTimedelta() == timedelta(seconds=2.5)
    assert detail(status, rpc.QuotaFailure).violations


def test_a_dead_model_says_when_to_come_back_even_if_nobody_did() -> None:
    """UNAVAILABLE always has a wait, a second by default."""
    info = detail(to_status(plain(domain.ModelUnavailable)), rpc.RetryInfo)
    assert info.retry_delay.ToTimedelta() == timedelta(seconds=1)


def violations(count: int, text: str = "错") -> list[domain.FieldViolation]:
    return [domain.FieldViolation(field=f"a.yaml:{n}:1", description=text) for n in range(count)]


def test_the_first_twenty_violations_are_told_and_their_total() -> None:
    """A script with thirty errors lists twenty and says thirty."""
    status = to_status(domain.InvalidScript("bad", violations=violations(30)))
    assert len(detail(status, rpc.BadRequest).field_violations) == 20
    assert detail(status, rpc.ErrorInfo).metadata["violations_total"] == "30"


def test_long_violations_give_way_so_that_the_status_arrives() -> None:
    """The whole status stays below what trailers can carry, with the first violations kept."""
    status = to_status(domain.InvalidScript("坏" * 5000, violations=violations(30, "错" * 5000)))
    assert status.ByteSize() * 4 / 3 <= MAX_DETAILS
    assert detail(status, rpc.BadRequest).field_violations[0].field == "a.yaml:0:1"


def test_an_unforeseen_error_shows_an_id_and_hides_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The password in a foreign exception stays in the log, found by the id."""
    status = to_status(RuntimeError("password=hunter2"))
    error_id = detail(status, rpc.ErrorInfo).metadata["error_id"]
    assert b"hunter2" not in status.SerializeToString()
    assert [vars(record)["error_id"] for record in caplog.records] == [error_id]
    assert "hunter2" in caplog.text


def test_a_cancelled_piece_of_work_may_be_sent_again() -> None:
    """Cancellation inside the server is ABORTED, not a fault of the caller."""
    assert to_status(asyncio.CancelledError()).code == StatusCode.ABORTED.value[0]


def test_the_plain_twin_tells_the_same() -> None:
    """Problem holds the code, reason, message, wait and facts of the status."""
    error = domain.SessionBusy(
        "wait", reason="BUSY", metadata={"waiting": "16"}, retry_after=timedelta(seconds=3)
    )
    problem, status = to_problem(error), to_status(error)
    assert (problem.code, problem.message) == (status.code, status.message)
    assert (problem.reason, problem.retry_after) == ("BUSY", timedelta(seconds=3))
    assert problem.metadata == {"waiting": "16"}


@pytest.mark.parametrize("reason", ["MODEL_REJECTED", "MODEL_RATE_LIMITED", "MODEL_PAUSED"])
@pytest.mark.parametrize("cause", sorted(LASTING))
def test_nobody_is_told_to_wait_where_waiting_does_not_help(
    reason: str, cause: ModelFailureCause
) -> None:
    """A rejected key, or an account that is used up, has a remedy and no time; nor has a pause."""
    error = domain.ModelUnavailable("no answer", reason=reason, retry_after=timedelta(seconds=5))
    error.details = ModelFailureDetails(cause=cause, provider="p")
    problem, status = to_problem(error), to_status(error)
    assert problem.retry_after is None
    assert not any(each.Unpack(rpc.RetryInfo()) for each in status.details)
    assert problem.message == failure_sentence(problem.metadata)


def test_a_model_that_is_down_says_when_to_come_back() -> None:
    """What may pass by itself is told with a time, a pause too."""
    error = domain.ModelUnavailable("x", reason="MODEL_PAUSED", retry_after=timedelta(seconds=5))
    error.details = ModelFailureDetails(cause=ModelFailureCause.SERVER_ERROR, provider="p")
    assert to_problem(error).retry_after == timedelta(seconds=5)
