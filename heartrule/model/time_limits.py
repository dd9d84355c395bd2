"""How long a call of a model may take; a provider's profile says it (ADR 65)."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

# A positive number of seconds, at most an hour.
Seconds = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)]


class Timeouts(BaseModel):
    """The time limits of one attempt at a call, in seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    connect: Seconds = 5.0
    """Until there is a connection."""
    first_token: Seconds = 60.0
    """Until the first text, thoughts included."""
    between_tokens: Seconds = 30.0
    """Without a byte, from then on."""
    total: Seconds = 60.0
    """Until the end of the reply."""

    @model_validator(mode="after")
    def _agree(self) -> Self:
        """Refuse a stated part that is longer than the whole; a default one is cut by the whole."""
        for name in sorted(self.model_fields_set):
            if (seconds := getattr(self, name)) > self.total:
                raise ValueError(f"{name} ({seconds:g}) is longer than total ({self.total:g})")
        return self
