"""What this installation offers to scripts."""

from __future__ import annotations

from executor_service.lint_environment import lint_environment
from tests.support.written_templates import WrittenTemplates


class TwoSchemes(WrittenTemplates):
    """Templates with two schemes."""

    def schemes(self) -> tuple[str, ...]:
        """Return their names."""
        return ("a", "b")


def test_it_names_the_schemes() -> None:
    """A script may use what has a folder."""
    assert lint_environment(TwoSchemes()).schemes == frozenset({"a", "b"})


def test_it_tells_what_a_template_asks_for() -> None:
    """A criterion on the client's understanding needs a template that asks for it."""
    asks = lint_environment(TwoSchemes()).asks
    assert sorted(asks("", "ai_ask")) == ["metrics"]
    assert sorted(asks("", "ai_say")) == ["assessment", "metrics"]


def test_a_template_that_is_not_there_asks_for_nothing() -> None:
    """Checking a script does not fail on an installation's own fault."""
    assert lint_environment(TwoSchemes()).asks("", "nothing") == frozenset()
