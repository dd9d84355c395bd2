"""The shape of a reply, shown to a model."""

from __future__ import annotations

import json

from heartrule.model.template_texts import reply_shape


def test_dots_stand_for_values() -> None:
    """Fields keep their order, groups are objects, and every value is dots."""
    shape = reply_shape(["EXIT", "metrics.a", "metrics.b", "variables"], quotes=False)
    assert json.loads(shape) == {
        "EXIT": "…",
        "metrics": {"a": "…", "b": "…"},
        "variables": {"…": "…"},
    }
    assert list(json.loads(shape)) == ["EXIT", "metrics", "variables"]


def test_a_variable_stands_beside_its_quote() -> None:
    """Where quotes are asked for, the shape of a variable has a place for them."""
    shape = json.loads(reply_shape(["variables"], quotes=True))
    assert shape["variables"] == {"…": {"value": "…", "quote": "…"}}
