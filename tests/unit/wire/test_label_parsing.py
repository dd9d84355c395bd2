"""Labels as requests have them, and the mask that names those that change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from heartrule.domain.errors import InvalidRequest
from heartrule.domain.labels import LabelChange
from heartrule.v1 import session_pb2
from heartrule.wire.label_parsing import check_labels, parse_label_change


def change(paths: Sequence[str], labels: Mapping[str, str] | None = None) -> LabelChange:
    request = session_pb2.UpdateSessionRequest(session_id="s", labels=labels or {})
    request.update_mask.paths.extend(paths)
    return parse_label_change(request)


@pytest.mark.parametrize("name", ["study", "_x", "来访者_甲", "a-b", "a" * 63])
def test_names_are_words_of_any_language(name: str) -> None:
    """A filter can name each without quotes."""
    check_labels({name: "any: 'value'"})


@pytest.mark.parametrize("name", ["", "1a", "-a", "a b", "a.b", 'a"', "a" * 64, "a\x00"])
def test_other_names_are_refused(name: str) -> None:
    """The field is named, and what is wrong with it."""
    with pytest.raises(InvalidRequest) as refused:
        check_labels({name: ""})
    assert {each.field for each in refused.value.violations} == {"labels"}


def test_values_and_their_number_have_limits() -> None:
    """256 bytes, no U+0000, 64 labels."""
    for labels in ({"a": "好" * 86}, {"a": "\x00"}, {f"l{n}": "" for n in range(65)}):
        with pytest.raises(InvalidRequest):
            check_labels(labels)


def test_a_mask_of_one_label_sets_or_removes_it() -> None:
    """By whether the labels have it."""
    assert change(["labels.a", "labels.b"], {"a": "1"}) == LabelChange(
        labels={"a": "1"}, removed=frozenset({"b"})
    )


def test_a_mask_of_all_labels_replaces_them() -> None:
    """With none it empties them."""
    assert change(["labels"], {"a": "1"}) == LabelChange(labels={"a": "1"}, replaces_all=True)
    assert change(["labels"]) == LabelChange(replaces_all=True)


@pytest.mark.parametrize(
    ("paths", "labels", "field"),
    [
        ([], {"a": "1"}, "update_mask"),
        (["script_id"], {}, "update_mask"),
        (["labels.a b"], {}, "update_mask"),
        (["labels.a"], {"b": "1"}, "labels"),
    ],
)
def test_a_mask_that_does_not_fit_is_refused(
    paths: list[str], labels: dict[str, str], field: str
) -> None:
    """No label changes that nobody named, and none is named in vain."""
    with pytest.raises(InvalidRequest) as refused:
        change(paths, labels)
    assert {each.field for each in refused.value.violations} == {field}
