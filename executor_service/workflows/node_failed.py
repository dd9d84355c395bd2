"""Why a node failed, as an exception: its values, its work, or the sandbox of its code."""

from __future__ import annotations

from heartrule.domain.runs import LONGEST_FAILURE, NodeFailure, RunErrorCode


class NodeFailed(Exception):
    """A node could not do what it is for; behind `Nodes` the failure is free of secrets."""

    def __init__(self, failure: NodeFailure) -> None:
        """Hold the failure; the exception itself has no text, since tracebacks are logged."""
        super().__init__(failure.code.value)
        self.failure = failure


def failed(code: RunErrorCode, message: str, *, is_retryable: bool | None = None) -> NodeFailed:
    """Return the failure to raise; by its code it is retryable or not, unless that is given."""
    known = code.is_retryable if is_retryable is None else is_retryable
    return NodeFailed(NodeFailure(code=code, message=message[:LONGEST_FAILURE], is_retryable=known))
