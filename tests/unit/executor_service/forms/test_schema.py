"""The schema a front end renders, and the words that stand for a form elsewhere."""

from __future__ import annotations

from dataclasses import replace

from executor_service.forms.progress import FormProgress
from executor_service.forms.schema import form_schema
from executor_service.forms.values import Trouble
from executor_service.forms.wording import FormWording
from executor_service.scripts.model.actions import FormConfig
from executor_service.scripts.model.fields import FieldType, Form, FormField

_ASKED = Form(
    title="睡眠",
    fields=(
        FormField(
            name="入睡", label="多久睡着", type=FieldType.SCALE, min=0, max=1, options=("快", "慢")
        ),
        FormField(name="地方", type=FieldType.CHOICE, options=("家", "宿舍"), required=False),
        FormField(name="小时", label="睡几小时", type=FieldType.NUMBER, min=0, max=24),
        FormField(name="哪天", type=FieldType.DATE, required=False),
    ),
)
FORM = FormConfig(form=_ASKED)
HALF = FormProgress(filled=frozenset({"入睡"}), wrong={"小时": Trouble.RANGE})


def test_the_schema_describes_every_field_in_order() -> None:
    """Types, bounds, options and labels; the order stands beside, an object keeps none."""
    schema = form_schema(FormWording(FORM), FormProgress(), lambda _: None)
    assert (schema["title"], schema["required"]) == ("睡眠", ["入睡", "小时"])
    assert schema["x-order"] == ["入睡", "地方", "小时", "哪天"]
    assert schema["properties"] == {
        "入睡": {
            "type": "integer",
            "title": "多久睡着",
            "x-type": "scale",
            "minimum": 0,
            "maximum": 1,
            "oneOf": [{"const": 0, "title": "快"}, {"const": 1, "title": "慢"}],
        },
        "地方": {"type": "string", "title": "地方", "x-type": "choice", "enum": ["家", "宿舍"]},
        "小时": {
            "type": "number",
            "title": "睡几小时",
            "x-type": "number",
            "minimum": 0,
            "maximum": 24,
        },
        "哪天": {"type": "string", "title": "哪天", "x-type": "date", "format": "date"},
    }


def test_the_schema_tells_what_is_filled_and_what_is_wrong() -> None:
    """A form that comes again comes filled in."""
    properties = form_schema(FormWording(FORM), HALF, {"入睡": 1}.get)["properties"]
    assert isinstance(properties, dict)
    assert properties["入睡"]["default"] == 1
    assert properties["小时"]["x-error"] == "0 到 24 的数字"
    assert "default" not in properties["小时"]


def test_the_invitation_names_the_form_and_its_fields() -> None:
    """It stands for the form where none can be shown."""
    assert (
        FormWording(FORM).invitation() == "请填写「睡眠」，共 4 项：多久睡着、地方、睡几小时、哪天"
    )


def test_a_correction_names_what_is_wrong_and_what_is_empty() -> None:
    """With what each field takes, never with what stood there."""
    wrong = FormProgress(wrong={"地方": Trouble.OPTION})
    assert FormWording(FORM).correction(wrong).splitlines() == [
        "有几处还要改一改：",
        "- 地方：要填以下之一：家、宿舍",
        "这些还没有填：",
        "- 多久睡着",
        "- 睡几小时",
    ]
    assert len(FormWording(FORM).correction(wrong, wrong_only=True).splitlines()) == 2


def test_an_english_form_speaks_english() -> None:
    """Its own words decide."""
    hours = FormField(name="hours", type=FieldType.INTEGER, min=0)
    form = FormConfig(form=Form(title="Sleep", fields=(hours,)))
    wrong = FormProgress(wrong={"hours": Trouble.TYPE})
    assert (
        FormWording(form).correction(wrong)
        == "Please correct:\n- hours: needs a whole number, 0 or more"
    )


def test_a_prompt_says_once_what_equal_fields_take() -> None:
    """The nine items of a scale have the same options, which stand at the first."""
    scale = FormField(name="一", type=FieldType.SCALE, min=0, max=1, options=("没有", "有"))
    items = (scale, replace(scale, name="二"), replace(scale, name="三", required=False))
    lines = FormWording(FORM).field_lines(items).splitlines()
    assert lines[1:] == ["- 二：二（同上）", "- 三：三（同上，可以不填）"]
    assert "0 没有，1 有" in lines[0]
