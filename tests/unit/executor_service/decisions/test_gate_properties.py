"""What holds for every payload: the gate never raises, and corrects once and for all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from heartrule.domain.decisions import DecisionType, FindingCode, Verdict
from tests.support.decision_examples import changed, examples
from tests.support.gate_ground import judged, printed

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1_000, 100_000),
    st.floats(),
    st.sampled_from(["", " ", "GET", "node_1", "import os", "${SECRET}", "file:///etc/passwd"]),
    st.just({}),
    st.just([]),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.sampled_from(["prompt", "code", "a.b"]), st.text(max_size=3), max_size=2),
)


def paths(value: Any, path: str = "") -> Iterator[str]:
    """Yield the path of everything in a payload, and of a field that is not there."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        place = f"{path}.{key}" if path else str(key)
        if "." not in str(key):
            yield place
            if isinstance(inner, dict | list):
                yield from paths(inner, place)
    if isinstance(value, dict):
        yield f"{path}.colour" if path else "colour"


@st.composite
def payloads(draw: st.DrawFn) -> dict[str, Any]:
    """An example with another value somewhere, and its type where that was taken."""
    name = draw(st.sampled_from(sorted(examples())))
    path = draw(st.sampled_from(sorted(paths(printed(name)))))
    payload = changed(name, path, draw(VALUES))
    return {**payload, "action_type": printed(name)["action_type"]}


def leaves(value: Any) -> Iterator[str]:
    """Yield the texts of a payload, its keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (key, *leaves(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner)


def shown(verdict: Verdict) -> str:
    """Return a verdict as text: NaN is not equal to itself."""
    return repr((verdict.is_valid, verdict.payload, verdict.errors))


@given(payloads())
def test_a_corrected_payload_is_not_corrected_again(payload: dict[str, Any]) -> None:
    """Correcting twice equals correcting once (section 3.3)."""
    verdict = judged(payload)
    assert FindingCode.VALIDATOR_ERROR not in {each.code for each in verdict.errors}
    if verdict.is_valid:
        assert isinstance(verdict.payload, dict)
        again = judged(verdict.payload)
        assert (shown(again), again.corrections) == (shown(verdict), ())


@given(payloads())
def test_a_correction_brings_no_text_of_its_own(payload: dict[str, Any]) -> None:
    """Hosts, secrets, code and queries of a corrected payload are those of the proposed one."""
    before, after = set(leaves(payload)), set(leaves(judged(payload).payload))
    own = {*DecisionType, "action_type", "confidence", "method", "GET", "node_id"}
    assert {each for each in after - before if not each.startswith("added_")} <= own


@given(payloads())
def test_a_verdict_is_json(payload: dict[str, Any]) -> None:
    """It is stored and sent; an effective payload holds finite numbers where it has a schema."""
    verdict = judged(payload)
    assert json.loads(json.dumps(verdict.payload)) is not None
    assert verdict.is_valid != bool(verdict.errors)
