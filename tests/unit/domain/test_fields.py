"""A copy of a dataclass with some fields changed."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import pytest

from heartrule.domain.conversation import Message, Part, Role
from heartrule.domain.fields import replace


@dataclass(frozen=True, slots=True, kw_only=True)
class One:
    """A class with a single field."""

    name: str


def test_replace_is_that_of_dataclasses() -> None:
    """What is named is changed, all else stays, and the first value stays as it was."""
    said = Message(message_id="m", role=Role.CLIENT, parts=(Part(text="好"),), sequence=3)
    changed = replace(said, sequence=4, turn_id="t")
    assert changed == dataclasses.replace(said, sequence=4, turn_id="t")
    assert said.sequence == 3


def test_replace_takes_a_class_of_one_field() -> None:
    """A single field is read like many."""
    assert replace(One(name="a")) == One(name="a")
    assert replace(One(name="a"), name="b") == One(name="b")


def test_replace_refuses_a_field_that_is_none() -> None:
    """A name the class does not have is a mistake."""
    with pytest.raises(TypeError, match="title"):
        replace(One(name="a"), title="b")  # type: ignore[call-arg]
