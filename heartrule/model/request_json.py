"""The messages of a request as the protocol spells them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property

import orjson

from heartrule.domain.json_value import JsonValue
from heartrule.model.model_limits import REPLY_PARAMETERS
from heartrule.model.ports import ChatMessage, ChatRequest


class Messages(list[dict[str, JsonValue]]):
    """Written as JSON once, for the request and for the ledger."""

    @cached_property
    def json(self) -> bytes:
        """Return them as a list in JSON."""
        return json_bytes(self)


def json_messages(messages: Iterable[ChatMessage]) -> Messages:
    """Return messages as the protocol spells them."""
    return Messages([{"role": each.role, "content": each.content} for each in messages])


def own_parameters(
    request: ChatRequest, parameters: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """Return the provider's parameters, with those that the request has of its own."""
    own = dict(parameters)
    if request.temperature is not None:
        own["temperature"] = request.temperature
    if request.max_tokens:
        # A model takes one of the two names; the provider's says which.
        name = next((name for name in REPLY_PARAMETERS if name in own), "max_tokens")
        own[name] = request.max_tokens
    return own


def json_bytes(value: Mapping[str, object] | list[dict[str, JsonValue]]) -> bytes:
    """Return a value as JSON."""
    try:
        return orjson.dumps(value)
    except TypeError:  # a lone surrogate, an integer above 64 bits
        return json.dumps(value).encode()
