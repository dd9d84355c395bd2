"""The error tree: each class is one thing that the caller should do next.

HeartRuleError
├── InvalidRequest ── InvalidScript, InvalidPayload     correct the request
├── NotFound · AlreadyExists                            use another name
├── SessionFinished · NotReady                          the state forbids it
├── LeaseLost · RevisionConflict                        read again, then repeat
├── SessionBusy · ModelRateLimited · TooManyTurns · QuotaSpent · StoreFull   wait, then repeat
├── ModelUnavailable ── ModelStreamCut · StoreUnavailable                    repeat
│                    └─ PromptTooLong                  repeat nothing; write something else
├── DeadlinePassed · NotAuthenticated · NotPermitted
└── NotSupported                                        this server cannot
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from heartrule.domain.model_failure import ModelFailureDetails
from heartrule.domain.safety import SafetyFallback


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldViolation:
    """One thing wrong at one place of a request or script."""

    field: str
    """Path of the field, or `file:line:column` for a script."""
    description: str
    """A description of the mistake and of a right value."""


class HeartRuleError(Exception):
    """A failure with a machine-readable reason; its class decides the status code."""

    retryable = False
    """True when the same call may succeed later without any change."""
    fallback: SafetyFallback | None = None
    """What the client is shown where its input was refused with this error; None: nothing."""

    def __init__(
        self,
        message: str,
        *,
        reason: str,
        metadata: Mapping[str, str] | None = None,
        retry_after: timedelta | None = None,
    ) -> None:
        """`reason` is UPPER_SNAKE and stable; `metadata` keys are snake_case and hold the unit."""
        super().__init__(message)
        self.message = message
        self.reason = reason
        self.metadata: dict[str, str] = dict(metadata or {})
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all of it: a worker process raises it where the work was asked for."""
        return _restored, (type(self), self.args, vars(self))


def _restored(
    kind: type[HeartRuleError], args: tuple[object, ...], state: dict[str, object]
) -> HeartRuleError:
    """Return an error as it was pickled; its class may take other arguments than it keeps."""
    error = kind.__new__(kind, *args)
    vars(error).update(state)
    return error


class InvalidRequest(HeartRuleError):
    """The request can never succeed as it is."""

    def __init__(
        self,
        message: str,
        *,
        reason: str = "INVALID_REQUEST",
        metadata: Mapping[str, str] | None = None,
        violations: Sequence[FieldViolation] = (),
    ) -> None:
        """Keep every violation, so that one answer names all that is wrong."""
        super().__init__(message, reason=reason, metadata=metadata)
        self.violations = tuple(violations)


class InvalidScript(InvalidRequest):
    """The script has errors; each violation has its `file:line:column`."""


class InvalidPayload(InvalidRequest):
    """A payload inside the request breaks its own rules."""


class _Named(HeartRuleError):
    """An error about one named resource."""

    _reason: ClassVar[str]
    _problem: ClassVar[str]

    def __init__(self, kind: str, name: str) -> None:
        """`kind` is the noun, such as `session`."""
        super().__init__(
            f"{kind} {name!r} {self._problem}",
            reason=f"{kind.upper()}_{self._reason}",
            metadata={"resource_type": kind, "name": name},
        )
        self.kind = kind
        self.name = name


class NotFound(_Named):
    """Nothing of that name is visible to this caller; another tenant's resource looks the same."""

    _reason, _problem = "NOT_FOUND", "was not found"


class AlreadyExists(_Named):
    """The name is taken by something else."""

    _reason, _problem = "EXISTS", "already exists"


class SessionFinished(HeartRuleError):
    """The script of this session has ended; it takes no more input."""


class NotReady(HeartRuleError):
    """The state the call needs is not reached yet."""


class OutOfRange(HeartRuleError):
    """A sequence number lies outside what the session holds; metadata has the bounds."""


class LeaseLost(HeartRuleError):
    """Another holder took the session over; nothing of this attempt was written."""

    retryable = True


class RevisionConflict(HeartRuleError):
    """The thing changed since it was read; read it again."""

    retryable = True


class SessionBusy(HeartRuleError):
    """The session cannot take this input now; wait `retry_after`."""

    retryable = True


class ModelRateLimited(HeartRuleError):
    """The provider asked for a pause."""

    retryable = True
    details: ModelFailureDetails | None = None
    """What went wrong at which provider; None where no call was made."""


class TooManyTurns(HeartRuleError):
    """This server runs as many turns as it may."""

    retryable = True


class QuotaSpent(HeartRuleError):
    """A budget of this tenant or session is used up."""

    retryable = True


class StoreFull(HeartRuleError):
    """The database has no room left."""

    retryable = True


class ModelUnavailable(HeartRuleError):
    """No provider gave an answer."""

    retryable = True
    details: ModelFailureDetails | None = None
    """What went wrong at which provider; None where no call was made."""


class ModelStreamCut(ModelUnavailable):
    """The model's stream broke off after text was shown to the client."""


class PromptTooLong(ModelUnavailable):
    """The prompt is longer than any model asked takes, even cut to half; a repeat fails too."""

    retryable = False


class StoreUnavailable(HeartRuleError):
    """The database does not answer."""

    retryable = True


class DeadlinePassed(HeartRuleError):
    """The time allowed for a stage is over; metadata names the stage."""

    retryable = True


class NotAuthenticated(HeartRuleError):
    """The caller is not authenticated."""


class NotPermitted(HeartRuleError):
    """The caller may not do this."""


class NotSupported(HeartRuleError):
    """This server does not serve the feature; metadata names it."""
