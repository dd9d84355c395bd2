from __future__ import annotations

from typing import Any

import pytest

from executor_service.decisions.payloads.payload_types import PAYLOADS, parse_payload
from heartrule.domain.decisions import DecisionType
from tests.support.decision_examples import examples
from tests.support.payload_grammar import judge
from tests.support.payload_mutations import VALUES, generated, one_fault, places

SEED = 20_261_123
HERE = "tests/unit/executor_service/decisions/payloads/test_second_reading.py"
FEW, MANY = 300, 10_000
EMPTY: tuple[Any, ...] = (..., None, "", {}, True)
Wrong = frozenset[tuple[str, str, bool]]


def readings(payload: dict[str, Any], kind: DecisionType) -> tuple[Wrong, Wrong]:
    """Return what the models refuse, and what a validator written by hand refuses."""
    parsed = parse_payload(kind, payload)
    found = parsed if isinstance(parsed, tuple) else ()
    models = frozenset((each.path, each.code.value, bool(each.correction)) for each in found)
    return models, frozenset(judge(kind.value, payload))


def disagreement(payload: dict[str, Any], kind: DecisionType) -> str:
    """Return how the two readings differ; empty where they do not."""
    models, by_hand = readings(payload, kind)
    if models == by_hand:
        return ""
    return f"{payload}: models {sorted(models - by_hand)}, by hand {sorted(by_hand - models)}"


def test_every_single_fault_is_refused_alike() -> None:
    """Each part of each example missing, empty, null, of every wrong type, past every bound."""
    tried = [
        disagreement(payload, DecisionType(each["action_type"]))
        for name, each in examples().items()
        for payload in one_fault(name)
    ]
    assert len(tried) == sum(
        len(list(places(each))) * (len(VALUES) + 1) for each in examples().values()
    )
    assert [each for each in tried if each][:5] == []


def test_a_required_field_is_required() -> None:
    """Missing, empty, null and of another type it is refused, or put in (RESOLUTIONS D1)."""
    for each in examples().values():
        kind = DecisionType(each["action_type"])
        for name, field in PAYLOADS[kind].model_fields.items():
            for value in EMPTY if field.is_required() else ():
                payload = {key: it for key, it in each.items() if key != name}
                payload |= {} if value is ... else {name: value}
                found = parse_payload(kind, payload)
                assert isinstance(found, tuple), (kind, name, value)
                assert name in found[0].path, (kind, name, value)


@pytest.mark.parametrize(
    "count",
    [
        FEW,
        pytest.param(
            MANY,
            marks=pytest.mark.long(short=f"{HERE}::test_generated_payloads_are_read_alike[{FEW}]"),
        ),
    ],
)
def test_generated_payloads_are_read_alike(count: int) -> None:
    """So many of each type, wrong in up to four places: codes, paths and corrections agree."""
    refused = 0
    for kind in DecisionType:
        for payload in generated(kind.value, count, SEED):
            assert disagreement(payload, kind) == ""
            refused += bool(readings(payload, kind)[0])
    share = refused / (count * len(DecisionType))
    assert 0.5 < share < 0.95, "neither all of them wrong nor most of them right"
