"""The development set of safety sentences has its format, in every language that is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.safety_cases import CATEGORIES, FaultySafetyCases, cases, minimum, parts

Changes = dict[str, Any]


def written(
    root: Path, changed: Changes | None = None, *, held_out: bool = False, number: int | None = None
) -> Path:
    """Write a part with as many cases as it needs; the first case of `past` is changed."""
    folder = root / "en" / "held_out" if held_out else root / "en"
    folder.mkdir(parents=True, exist_ok=True)
    for category in CATEGORIES:
        numbers = range(number or minimum(category, held_out=held_out))
        names = [f"{category} {each} {held_out}" for each in numbers]
        rows = [{"id": name, "text": name, "expect": "none"} for name in names]
        if category == "past":
            rows[0] |= changed or {}
        content = {"category": category, "language": "en", "cases": rows}
        (folder / f"{category}.yaml").write_text(json.dumps(content))
    return root


def test_every_part_loads_with_its_number_of_cases() -> None:
    """Every category has its number, ids and texts are unique, every expectation is known."""
    for language, held_out in parts():
        loaded = cases(language, held_out=held_out)
        for category, found in loaded.items():
            assert len(found) >= minimum(category, held_out=held_out), (language, category)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"expects": "none"}, "Unexpected keyword argument"),
        ({"expect": "perhaps"}, "Input should be"),
        ({"id": "past 1 False"}, "the same ids: past 1 False"),
        ({"text": "past 1 FALSE."}, "the same texts: past 0 False, past 1 False"),
    ],
)
def test_a_faulty_case_is_refused(tmp_path: Path, changed: Changes, message: str) -> None:
    """A case with an unknown key or expectation, or that stands twice, is refused."""
    with pytest.raises(FaultySafetyCases, match=message):
        cases("en", root=written(tmp_path, changed))


def test_the_same_text_in_both_parts_is_refused(tmp_path: Path) -> None:
    """A text that stands in both parts is refused: the part set aside would be known."""
    written(tmp_path, {"text": "I am tired"})
    written(tmp_path, {"text": "I am tired."}, held_out=True)
    with pytest.raises(FaultySafetyCases, match="the same texts"):
        cases("en", root=tmp_path)


def test_a_category_with_too_few_cases_is_refused(tmp_path: Path) -> None:
    """A part whose categories have fewer cases than they need is refused."""
    with pytest.raises(FaultySafetyCases, match="3 cases, at least 40 are needed"):
        cases("en", root=written(tmp_path, number=3))


def test_an_error_does_not_show_a_text(tmp_path: Path) -> None:
    """An error names the file and the fault, and shows no text of the part set aside."""
    root = written(tmp_path, {"text": ["a secret"]}, held_out=True)
    with pytest.raises(FaultySafetyCases) as caught:
        cases("en", held_out=True, root=root)
    assert "past.yaml" in str(caught.value)
    assert "a secret" not in str(caught.value)
