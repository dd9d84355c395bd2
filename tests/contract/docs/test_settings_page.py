"""docs/reference/settings.md says what processes really read."""

from __future__ import annotations

import ast
import re

from executor_service.failpoints import Failpoint
from heartrule.chassis.settings import variables
from heartrule.model.providers import read_providers
from tests.support import settings_page
from tests.support.documents import page
from tests.support.source_tree import code

PAGE = page("docs/reference/settings.md")
VARIABLE = re.compile(r"(?:HEARTRULE|OPENAI|OTEL)_[A-Z_]+|NO_COLOR")


def written_in_the_code() -> set[str]:
    """Return every name of a variable that stands as a text in the code."""
    constants = (node for source in code() for node in ast.walk(source.tree))
    texts = (node.value for node in constants if isinstance(node, ast.Constant))
    return {text for text in texts if isinstance(text, str) and VARIABLE.fullmatch(text)}


def told() -> set[str]:
    return {quoted for quoted in PAGE.quoted() if VARIABLE.fullmatch(quoted)}


def test_the_tables_are_those_of_the_code() -> None:
    """Default and meaning of each variable are written once, in the settings class."""
    assert settings_page.filled(PAGE.text) == PAGE.text, f"run {settings_page.REGENERATE}"


def test_no_meaning_is_the_name_again() -> None:
    """A reader sees the name beside it."""
    told = [info for cls in settings_page.PROCESSES.values() for info in variables(cls)]
    assert [info.name for info in told if info.name in info.description] == []


def test_a_variable_that_no_settings_class_holds_is_told_too() -> None:
    """A name that stands in the code stands on the page."""
    assert written_in_the_code() - told() == set()


def test_every_variable_told_is_read() -> None:
    """A variable that nobody reads any more is gone from the page."""
    assert told() - written_in_the_code() - set(settings_page.known()) == set()


def test_the_providers_example_loads() -> None:
    """The file of the page is one the code accepts."""
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE.text, re.DOTALL)
    assert read_providers(example, source="the page").in_order()[0][0] == "ark"


def test_every_failpoint_is_told() -> None:
    """Whoever writes a kill test finds the places on the page, in the order a turn meets them."""
    rows = PAGE.table("Where a failpoint kills")
    assert [f"`{point.value}`" for point in Failpoint] == [row[0] for row in rows]
