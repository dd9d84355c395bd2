"""Each servicer of the executor is composed of rpc classes that do not override one another."""

from __future__ import annotations

from collections import Counter

import pytest

from executor_service import servicer

SERVICERS = [
    servicer.ConversationServicer,
    servicer.SessionServicer,
    servicer.HistoryServicer,
    servicer.ScriptServicer,
    servicer.AssetServicer,
    servicer.SafetyServicer,
    servicer.DecisionServicer,
    servicer.RunServicer,
    servicer.ThreadServicer,
]


@pytest.mark.parametrize("composed", SERVICERS)
def test_no_two_rpc_classes_define_the_same_method(composed: type) -> None:
    """A helper that two of them name alike would silently be one."""
    nouns = [base for base in composed.__bases__ if base.__name__.endswith("Rpcs")]
    defined = Counter(name for noun in nouns for name, each in vars(noun).items() if callable(each))
    shared = {name for name, count in defined.items() if count > 1} - {"__init__"}
    assert nouns
    assert shared == set()


@pytest.mark.parametrize("composed", SERVICERS)
def test_every_rpc_is_served(composed: type) -> None:
    """No rpc is left to the generated base class, which answers UNIMPLEMENTED."""
    (generated,) = [base for base in composed.__bases__ if base.__name__.endswith("Servicer")]
    rpcs = {name for name in vars(generated) if name[0].isupper()}
    served = {name for base in composed.__bases__ if base is not generated for name in vars(base)}
    assert rpcs <= served
