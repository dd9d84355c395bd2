"""A request for input other than text, such as a form (CONTRACT: InputRequested)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heartrule.domain.conversation import Feature
from heartrule.domain.json_value import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRequested:
    """A form to fill in; talk answers it as well, and a newer request takes its place."""

    input_request_id: str
    """Named by the input that answers it."""
    kind: Feature
    """The feature a client must accept to receive it."""
    schema: Mapping[str, JsonValue] = field(default_factory=dict)
    """The content to show: for a form a JSON Schema of an object."""
    fallback_text: str = ""
    """Text for a client that cannot show it."""
