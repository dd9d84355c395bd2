"""The services of the executor are composed of rpc classes that do not override one another."""

from __future__ import annotations

from collections import Counter

from executor_service.servicer import AllSessionRpcs


def test_no_two_rpc_classes_define_the_same_method() -> None:
    """A helper that two of them name alike would silently be one."""
    nouns = AllSessionRpcs.__bases__
    defined = Counter(name for noun in nouns for name, each in vars(noun).items() if callable(each))
    shared = {name for name, count in defined.items() if count > 1} - {"__init__"}
    assert len(nouns) > 1
    assert shared == set()
