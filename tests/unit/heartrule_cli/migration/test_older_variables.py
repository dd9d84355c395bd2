"""Placeholders and conditions of the older dialect."""

from __future__ import annotations

import pytest

from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import Findings
from heartrule_cli.migration.older_variables import OlderVariables

SESSION = b"""
declare: [{var: name}]
stages:
- steps:
  - actions:
    - {ai_ask: x, output: [{get: \xe5\x8a\x9e\xe6\xb3\x95}, {set: step}], tolist: all}
    - {user_option: way, choices: [{A: walk}, {B: "don't know"}]}
"""


@pytest.fixture
def variables() -> OlderVariables:
    """The variables of a session; `way` was chosen."""
    document = read_yaml(SESSION, Findings("old.yaml"))
    assert document is not None
    assert document.root is not None
    known = OlderVariables(document.root)
    known.chosen("way", {"A": "walk", "B": "don't know"})
    known.chosen("step", {"A": "stop"})
    return known


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("${name}, {{name}}, {name}", "{name}, {name}, {name}"),
        ("试试$办法吧", "试试{办法}吧"),
        ("$5, $nobody and $", "$5, $nobody and $"),
        ("${nobody}", "{nobody}"),
    ],
)
def test_a_placeholder_becomes_todays(variables: OlderVariables, text: str, made: str) -> None:
    """A dollar alone makes one only before a variable: Chinese has no space behind the name."""
    assert variables.in_text(text) == made


@pytest.mark.parametrize(
    ("condition", "made"),
    [
        ("name == 'name' and not step", "{name} == 'name' && !{step}"),
        ('$办法 == "x" or {{all}}', '{办法} == "x" || {all}'),
        ("size({all}) > 2", "size({all}) > 2"),
        ("way == 'A'", "{way} == 'walk'"),
        ("$way in ['A', \"B\"]", "{way} in ['walk', \"don't know\"]"),
        ("name == 'A'", "{name} == 'A'"),
        ("way == 'A' and name == 'A'", "{way} == 'walk' && {name} == 'A'"),
        ("'A' == way or way != 'B'", "'walk' == {way} || {way} != \"don't know\""),
        ("way == 'A' and step == 'A'", "{way} == 'walk' && {step} == 'stop'"),
        ("android == 1", "android == 1"),
    ],
)
def test_a_condition_becomes_todays(variables: OlderVariables, condition: str, made: str) -> None:
    """Variables in braces, signs for words, the words of a choice for its letter; texts stay."""
    assert variables.in_condition(condition) == made
