from __future__ import annotations

import orjson
import pytest

from executor_service.workflows.nodes.json_weight import MOST_WEIGHT, weight_of


@pytest.mark.parametrize(
    ("value", "weight"),
    [(1, 0), ("a", 0), ([], 10), ([1, 2, 3], 12), ({"a": [1], "b": 2}, 21)],
)
def test_a_list_or_object_weighs_as_ten_values(value: object, weight: int) -> None:
    """Values are counted by what stands between them."""
    assert weight_of(orjson.dumps(value)) == weight


def test_signs_in_a_text_weigh_nothing_where_it_matters() -> None:
    """A page of code is one value, however many brackets it has; a list as long is too much."""
    code = '[{\\",' * MOST_WEIGHT
    assert weight_of(orjson.dumps([code, code])) < MOST_WEIGHT
    assert weight_of(orjson.dumps([code, *range(MOST_WEIGHT)])) > MOST_WEIGHT


def test_half_a_text_ends_somewhere() -> None:
    """What is no JSON has a weight too."""
    assert weight_of(b'["' + b"[" * MOST_WEIGHT) > MOST_WEIGHT
