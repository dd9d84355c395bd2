"""Requests for a form, and inputs that answer one, for the store's tests."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from heartrule.domain.conversation import Feature, FormAnswer, Part, UserInput
from heartrule.domain.input_request import InputRequested


def form_request(number: int) -> InputRequested:
    """Return a request under an id of its own."""
    schema = {"title": "表", "x-order": ["x", "y"]}
    return InputRequested(input_request_id=f"req-{number}", kind=Feature.FORM, schema=schema)


def any_request(dice: Random, number: int) -> dict[str, Any]:
    """Return what a random step says of requests: one made, the open one closed, or nothing."""
    asked = form_request(number) if dice.random() < 0.2 else None
    opened = asked.input_request_id if asked else dice.choice([None, None, ""])
    return {"requested": asked, "open_request": opened}


def as_form(sent: UserInput, number: int) -> UserInput:
    """Return the input as one that submits a form for that request."""
    form = Part(form=FormAnswer(values={"x": 1}), fallback_text="填好了")
    return replace(sent, parts=(form,), input_request_id=f"req-{number}")
