"""How many tokens a model takes: as its provider states them, or as its name lets expect."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from heartrule.chassis.plain_yaml import read_plain_yaml
from heartrule.domain.json_value import JsonValue

# The context of a model of which nothing is known: the smallest that is still widely served.
UNKNOWN_CONTEXT = 8_192
# The context of what is no model.
UNLIMITED_CONTEXT = 100_000_000
# A model with less could not hold a shipped template.
LEAST_CONTEXT = 1_024
# What a reply may take where nothing says so: an eighth of the context, within these bounds. A
# reply of ours has 150 to 500 tokens.
_REPLY_SHARE = 8
_MOST_REPLY = 4_096
# Sizes that names state, such as `moonshot-v1-32k` and `glm-4-long-1m`. More than the largest are
# the parameters of a small model, such as `gemma-3-270m`.
_SIZE = re.compile(r"(?<![a-z0-9.])(\d{1,4})([km])(?![a-z0-9])")
_UNITS = {"k": 1_024, "m": 1_000_000}
_LARGEST = 10_000_000
REPLY_PARAMETERS = ("max_completion_tokens", "max_tokens")
"""Request parameters that limit a reply."""
_FILE = "model_limits.yaml"

Tokens = Annotated[int, Field(ge=1, le=100_000_000)]


class StatedLimits(BaseModel):
    """Limits as a providers file states them; what it leaves out follows from the name."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    context_tokens: Annotated[int, Field(ge=LEAST_CONTEXT, le=100_000_000)] | None = None
    """Tokens of prompt and reply together."""
    max_output_tokens: Tokens | None = None
    """Tokens kept free for the reply; a quarter of the context at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """What one model takes."""

    context_tokens: int
    """Of prompt and reply together."""
    max_output_tokens: int
    """Kept free for the reply."""
    encoding: str = ""
    """Name of tiktoken's encoding; empty where none is known."""

    @property
    def prompt_tokens(self) -> int:
        """Tokens a prompt may have."""
        return self.context_tokens - self.max_output_tokens

    def asked(self, parameters: Mapping[str, JsonValue]) -> dict[str, int]:
        """Return the request parameters that limit a reply, none above what is kept free."""
        asked = {name: _number(parameters, name) for name in REPLY_PARAMETERS}
        return {name: min(n, self.max_output_tokens) for name, n in asked.items() if n}


def model_limits(
    model: str,
    *stated: StatedLimits,
    parameters: Mapping[str, JsonValue] | None = None,
) -> ModelLimits:
    """Return a model's limits.

    Args:
        model: The name, as the provider spells it.
        stated: What is stated of it; what comes first counts first.
        parameters: The request's parameters; a limit of the reply among them is its size.
    """
    known = _known(model)
    context = _first(*(each.context_tokens for each in stated), known.context_tokens)
    context = context or UNKNOWN_CONTEXT
    asked = [number for name in REPLY_PARAMETERS if (number := _number(parameters, name))]
    reply = _first(*(each.max_output_tokens for each in stated), *asked, known.max_output_tokens)
    reply = reply or min(_MOST_REPLY, context // _REPLY_SHARE)
    return ModelLimits(
        context_tokens=context,
        # However much a reply may take, a prompt needs the larger part; what the request asks for
        # some servers add to the prompt's tokens, and refuse the sum.
        max_output_tokens=min(reply, context // (2 if asked else 4)),
        encoding=known.encoding,
    )


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value), None)


def _number(parameters: Mapping[str, JsonValue] | None, name: str) -> int | None:
    value = (parameters or {}).get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


class _KnownModel(StatedLimits):
    """An entry of the file."""

    name: str = ""
    encoding: str = ""


def _known(model: str) -> _KnownModel:
    """Return what the file, or a size in the name itself, says of a model; else nothing."""
    name = model.lower().rpartition("/")[2]
    found = next((each for each in _entries() if fnmatchcase(name, each.name)), _KnownModel())
    sizes = [int(number) * _UNITS[unit] for number, unit in _SIZE.findall(name)]
    named = [size for size in sizes if LEAST_CONTEXT <= size <= _LARGEST]
    return found.model_copy(update={"context_tokens": named[-1]}) if named else found


@cache
def _entries() -> tuple[_KnownModel, ...]:
    text = resources.files("heartrule.model").joinpath(_FILE).read_text(encoding="utf-8")
    data = read_plain_yaml(text, source=_FILE)
    models = data.get("models") if isinstance(data, dict) else None
    assert isinstance(models, list), f"{_FILE} lists models"
    return tuple(map(_KnownModel.model_validate, models))
