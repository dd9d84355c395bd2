"""What is done about a node that failed (document 002, scenario 8)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from executor_service.workflows.strict_model import (
    WHOLE,
    ConditionalField,
    Filled,
    Id,
    StrictModel,
)


class RecoveryPlan(StrictModel):
    """What is done about a node that failed."""

    conditions: ClassVar[tuple[ConditionalField, ...]] = (
        ConditionalField(("max_attempts",), ("action", "RETRY")),
        ConditionalField(("modifications",), ("action", "MODIFY")),
    )
    action: Literal["RETRY", "SKIP", "ABORT", "MODIFY"]
    """Try again, go on without it, stop the run, or change the node and try again."""
    delay: Annotated[float, Field(ge=0, le=60)] | None = None
    """Seconds before it is tried again."""
    max_attempts: Annotated[int, Field(ge=1, le=10), WHOLE] | None = None
    """Retries after the first run (RESOLUTIONS D23)."""
    modifications: Filled | None = None
    """New values by field of the node, as in `modify_node`."""
    alternative_node: Id | None = None
    """A node of the workflow that runs in its place (RESOLUTIONS D29)."""
