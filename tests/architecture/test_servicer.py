"""The executor's servicer is put together from the nouns' own; none may stand in another's way."""

from __future__ import annotations

from collections import Counter

from executor_service.servicer import ExecutorServicer


def test_no_two_nouns_define_the_same_method() -> None:
    """A helper that two of them name alike would silently be one."""
    nouns = [base for base in ExecutorServicer.__bases__ if base.__name__.endswith("Rpcs")]
    defined = Counter(name for noun in nouns for name, each in vars(noun).items() if callable(each))
    shared = {name for name, count in defined.items() if count > 1} - {"__init__"}
    assert len(nouns) > 5
    assert shared == set()
