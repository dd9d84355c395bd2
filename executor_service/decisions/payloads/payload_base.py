"""What every payload has."""

from __future__ import annotations

from executor_service.workflows.strict_model import StrictModel


class Payload(StrictModel):
    """What a decision carries; `action_type` says again which type it is of."""

    action_type: str
    """The decision's type."""
