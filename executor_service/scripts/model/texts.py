"""Messages about values that do not fit their key, by code, in English.

A catalogue in another language has the same codes and the same names in braces. The help texts of
`help.yaml` need no code: the names of their mapping and their key identify them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import yaml

from executor_service.scripts.model.rules import CheckRule

_HELP = Path(__file__).with_name("help.yaml")


@cache
def help_texts() -> Mapping[str, Mapping[str, str]]:
    """Return what editors show, by the name of a mapping or an enumeration."""
    found: Mapping[str, Mapping[str, str]] = yaml.safe_load(_HELP.read_text("utf-8"))
    return found


class Text(NamedTuple):
    """The rule a finding is filed under, and its message."""

    rule: CheckRule
    message: str


TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "missing": Text(CheckRule.MISSING_KEY, "{what} needs `{key}`{advice}"),
        "empty": Text(CheckRule.MISSING_KEY, "`{key}` is empty{advice}"),
        "wrong": Text(CheckRule.WRONG_VALUE, "{what} is {shown}; write {wanted}"),
        "unknown_word": Text(CheckRule.WRONG_VALUE, "`{key}` is {shown}; write one of {known}"),
        "likely_word": Text(CheckRule.WRONG_VALUE, "`{key}` is {shown}; did you mean `{meant}`?"),
        "bad_id": Text(
            CheckRule.BAD_ID, "`{key}` is {name}; write at most {most} letters, digits, _ and -"
        ),
        "bad_name": Text(
            CheckRule.BAD_NAME,
            "{name} cannot name a variable; write letters, digits, _ or Chinese characters, "
            "no digit first",
        ),
        "reserved_name": Text(
            CheckRule.RESERVED_NAME,
            "`{name}` is a field of the model's own reply; give the variable another name",
        ),
        "bad_operator": Text(
            CheckRule.WRONG_VALUE, "`{key}` is none of {known}; write it in quotes"
        ),
        "bad_source": Text(CheckRule.WRONG_VALUE, "a source is {shown}; {hint}"),
        "empty_option": Text(CheckRule.WRONG_VALUE, "an option is empty; leave it out or name it"),
        "twice": Text(CheckRule.DUPLICATE_NAME, "the {what} `{name}` stands here twice"),
        "freely_twice": Text(CheckRule.DUPLICATE_NAME, "the {what} {shown} stands here twice"),
        "given_twice": Text(CheckRule.DUPLICATE_NAME, "the {what} `{name}` is given twice"),
        "too_many": Text(CheckRule.TOO_LARGE, "more than {most} {key}; split the form"),
        "older_beside": Text(
            CheckRule.DUPLICATE_KEY,
            "`{key}` is the older name of `{new}`, which is given too; keep `{new}`",
        ),
        "older_name": Text(CheckRule.OLDER_NAME, "`{key}` is an older name; write `{new}`"),
        "camel_case": Text(
            CheckRule.UNKNOWN_KEY, "`{key}` is not spelled in snake_case; write `{right}`"
        ),
        "other_name": Text(CheckRule.UNKNOWN_KEY, "{what} has no `{key}`; write `{right}`"),
        "other_place": Text(
            CheckRule.UNKNOWN_KEY, "`{key}` belongs to {homes}, not to {what}{why}"
        ),
        "not_here": Text(CheckRule.UNKNOWN_KEY, "{what} has no `{key}`{why}"),
        "likely_key": Text(
            CheckRule.UNKNOWN_KEY, "unknown key {shown} in {what}; did you mean `{meant}`?"
        ),
        "unknown_key": Text(
            CheckRule.UNKNOWN_KEY, "unknown key {shown} in {what}; known here: {known}"
        ),
    }
)
