"""Corrections of a payload, by path."""

from __future__ import annotations

import pytest

from executor_service.decisions.correcting import corrected, merged
from heartrule.domain.decisions import Correction
from heartrule.domain.json_value import JsonValue
from tests.support.decision_examples import part_at

PAYLOAD: JsonValue = {
    "nodes": [{"config": {"timeout": 400, "extra": 1}}],
    "updates": {"config.timeout": 400},
}


@pytest.mark.parametrize(
    ("correction", "path", "after"),
    [
        (Correction(path="nodes.0.config.timeout", before=400, after=300), "", 300),
        (Correction(path="nodes.0.config.method", after="GET"), "", "GET"),
        (Correction(path="nodes.0.config.extra", before=1, is_removed=True), "", None),
        (Correction(path="updates.config.timeout", before=400, after=300), "", 300),
        (Correction(path="action_type", after="continue"), "", "continue"),
    ],
    ids=lambda each: each.path if isinstance(each, Correction) else "",
)
def test_a_correction_changes_what_its_path_names(
    correction: Correction, path: str, after: JsonValue
) -> None:
    """A field is set, added or taken out; a key may hold dots."""
    assert part_at(corrected(PAYLOAD, [correction]), path or correction.path) == after


def test_the_proposed_payload_stays_as_it_was() -> None:
    """It is kept beside the effective one."""
    corrected(PAYLOAD, [Correction(path="nodes.0.config.timeout", after=300)])
    assert part_at(PAYLOAD, "nodes.0.config.timeout") == 400


@pytest.mark.parametrize("path", ["nodes.1.name", "nodes.x", "retry_config.delay", "nodes.0.a.b"])
def test_a_path_that_leads_nowhere_changes_nothing(path: str) -> None:
    """Whatever a rule meant, it is judged again and refused."""
    assert corrected(PAYLOAD, [Correction(path=path, after=1)]) == PAYLOAD


def test_two_corrections_of_a_field_are_told_as_one() -> None:
    """From what was proposed to what holds."""
    steps = (Correction(path="a", after=1.5), Correction(path="a", before=1.5, after=1.0))
    assert merged(steps) == (Correction(path="a", after=1.0),)
