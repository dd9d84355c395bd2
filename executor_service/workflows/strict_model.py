"""Strict models: what payloads, nodes and configurations are read with.

A number is never read from a text or from true, an unknown field is an error, and all errors of a
document come together. `executor_service.workflows.schema_findings` says them as findings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any, ClassVar, Self, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    Strict,
    ValidationError,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError, PydanticKnownError

from heartrule.domain.decisions import FindingCode

T = TypeVar("T")

MOST_ITEMS = 1_000
"""Items of a list, nodes aside: each may be an error of its own, so there is a limit to them."""
MOST_KEYS = 200
"""Fields of an object that has a model; free-form maps have no limit of their own."""
MOST_FAULTS = 1_000
"""Faults of a document that are looked at; a megabyte has room for a hundred thousand."""
LONGEST_ID = 200
"""Characters of an id: it stands in the path or the sentence of each fault around it."""
LONGEST_NAME = 64
"""Characters of a name."""
NOT_BLANK = r"\S"
NAME = r"^[^\W\d]\w*$"


@dataclass(frozen=True, slots=True)
class ConditionalField:
    """One of the fields `names` must be given; `when` limits it to one value of another field."""

    names: tuple[str, ...]
    when: tuple[str, str] | None = None

    def is_lacking(self, value: Mapping[str, Any]) -> bool:
        """Return whether it applies to an object, and none of the fields is there."""
        if self.when and value.get(self.when[0]) != self.when[1]:
            return False
        return all(value.get(name) is None for name in self.names)

    def text(self) -> str:
        """Return what is said behind the path of the first field."""
        if self.when:
            return f"is missing: it is required where {self.when[0]} is {self.when[1]}."
        return f"is missing: one of {', '.join(self.names)} is required."


def objection(code: FindingCode, text: str) -> PydanticCustomError:
    """Return an error with a code of ours; `text` goes on where the path of a field stops."""
    return PydanticCustomError(code.value, "{text}", {"text": text})


class StrictModel(BaseModel):
    """An object of a payload: exact types, no unknown fields, immutable."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )
    conditions: ClassVar[tuple[ConditionalField, ...]] = ()

    @classmethod
    def objections(cls, value: Mapping[str, Any]) -> Iterator[InitErrorDetails]:
        """Yield what is wrong between the fields of an object, before they are read."""
        for each in cls.conditions:
            if each.is_lacking(value):
                error = objection(FindingCode.MISSING_CONDITIONAL, each.text())
                yield InitErrorDetails(type=error, loc=(each.names[0],), input=value)

    def given(self) -> dict[str, Any]:
        """Return the fields that were given a value, as JSON."""
        return self.model_dump(mode="json", exclude_none=True)

    @model_validator(mode="wrap")
    @classmethod
    def _together(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Read the object; errors of its fields and between its fields come as one."""
        if not isinstance(value, dict):
            return handler(value)
        if len(value) > MOST_KEYS:
            raise objection(FindingCode.TOO_LARGE, f"has more than {MOST_KEYS} fields.")
        found = list(cls.objections(value))
        if not found:
            return handler(value)
        try:
            handler(value)
        except ValidationError as error:
            if error.error_count() > MOST_FAULTS:
                raise
            found = [*map(_again, error.errors(include_url=False)), *found]
        raise ValidationError.from_exception_data(cls.__name__, found)


def _again(error: Mapping[str, Any]) -> InitErrorDetails:
    """Return an error in the form it is raised in; one with a code of ours is made anew."""
    kind, context = error["type"], error.get("ctx", {})
    is_ours = kind in set(FindingCode)
    return InitErrorDetails(
        type=objection(FindingCode(kind), context["text"]) if is_ours else kind,
        loc=error["loc"],
        input=error["input"],
        ctx=context,
    )


def _whole(value: object) -> object:
    """Return 3 for 3.0: numbers that came in a Struct are all floats."""
    if not isinstance(value, float):
        return value
    if not isfinite(value):
        raise PydanticKnownError("finite_number")
    return int(value) if value.is_integer() else value


def _finite(value: Any) -> Any:
    """Pass what can be written as JSON; one that came in a Struct may hold NaN."""
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        text = "holds a number that is not finite."
        raise objection(FindingCode.OUT_OF_RANGE, text) from None
    return value


def _few(value: object) -> object:
    # Here, as pydantic counts the items only when it has read them all.
    if isinstance(value, list | tuple) and len(value) > MOST_ITEMS:
        raise objection(FindingCode.TOO_LARGE, f"has more than {MOST_ITEMS} items.")
    return value


Text: TypeAlias = Annotated[str, Field(pattern=NOT_BLANK)]
"""A text with a character that is seen."""
Id: TypeAlias = Annotated[str, Field(pattern=NOT_BLANK, max_length=LONGEST_ID)]
"""What a node, a workflow, a connection or a type of sub-agent is found by."""
Name: TypeAlias = Annotated[str, Field(pattern=NAME, max_length=LONGEST_NAME)]
"""A letter or underscore, then letters, digits and underscores, of any script."""
WHOLE = BeforeValidator(_whole)
"""Behind the bounds of a whole number, in whose schema they are lost otherwise."""
Json: TypeAlias = Annotated[Any, AfterValidator(_finite)]
"""Any JSON, which has no NaN."""
Unread: TypeAlias = dict[str, Any]
"""An object that another model reads."""
Free: TypeAlias = Annotated[Unread, AfterValidator(_finite)]
"""A free-form map of JSON: what is in it is the business of who uses it."""
Filled: TypeAlias = Annotated[Unread, Field(min_length=1), AfterValidator(_finite)]
"""One with something in it."""
Several: TypeAlias = Annotated[
    # Lax, since a strict tuple refuses the lists that JSON has.
    tuple[T, ...], Strict(False), Field(max_length=MOST_ITEMS), BeforeValidator(_few)
]
AtLeastOne: TypeAlias = Annotated[
    tuple[T, ...], Strict(False), Field(min_length=1, max_length=MOST_ITEMS), BeforeValidator(_few)
]
