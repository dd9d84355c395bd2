"""How far a form is filled: it begins empty, keeps what fits, asks again for what does not."""

from __future__ import annotations

from executor_service.forms.progress import FormProgress, remembered
from executor_service.forms.values import Checked, Trouble
from executor_service.scripts.model.fields import FormField

FIELDS = (
    FormField(name="a"),
    FormField(name="b"),
    FormField(name="c", required=False),
)
EMPTY = FormProgress()


def names(fields: tuple[FormField, ...]) -> list[str]:
    return [each.name for each in fields]


def test_a_form_begins_with_every_required_field_missing() -> None:
    """Optional ones are never missing."""
    assert names(EMPTY.missing(FIELDS)) == ["a", "b"]
    assert not EMPTY.complete(FIELDS)


def test_it_is_complete_with_the_required_fields_alone() -> None:
    """What may be left empty need not be filled."""
    assert EMPTY.after(Checked(values={"a": 1, "b": 2})).complete(FIELDS)


def test_a_wrong_value_keeps_a_form_open_even_in_an_optional_field() -> None:
    """Somebody meant to answer it."""
    progress = EMPTY.after(Checked(values={"a": 1, "b": 2}, wrong={"c": Trouble.TYPE}))
    assert names(progress.refused(FIELDS)) == ["c"]
    assert not progress.complete(FIELDS)


def test_a_later_value_mends_a_wrong_one_and_the_other_way_round() -> None:
    """The last answer counts."""
    wrong = EMPTY.after(Checked(values={"a": 1})).after(Checked(wrong={"a": Trouble.RANGE}))
    assert (wrong.filled, dict(wrong.wrong)) == (frozenset(), {"a": Trouble.RANGE})
    assert wrong.after(Checked(values={"a": 2})) == FormProgress(filled=frozenset({"a"}))


def test_what_is_remembered_is_what_was_kept() -> None:
    """Memory holds names only, never a client's words."""
    progress = FormProgress(filled=frozenset({"a"}), wrong={"b": Trouble.OPTION})
    assert progress.memory() == {"filled": ["a"], "wrong": {"b": "option"}}
    assert remembered(progress.memory()) == progress
    assert remembered({}) == EMPTY


def test_the_result_tells_how_far_it_is() -> None:
    """Filled, missing and invalid, of how many."""
    progress = FormProgress(filled=frozenset({"a"}), wrong={"c": Trouble.TYPE})
    assert progress.facts(FIELDS) == {
        "form": {"filled": ["a"], "missing": ["b"], "invalid": {"c": "type"}, "fields": 3}
    }
