"""What the inputs of a client mean, also where the screen fails."""

from __future__ import annotations

import logging

import pytest

from executor_service.safety.inputs_found import found_in, written_in
from heartrule.domain.conversation import FormAnswer, Part
from heartrule.domain.safety import SafetyLevel
from heartrule.safety.cards import SafetyTexts
from heartrule.safety.screen import ScreenContext, Screening
from tests.support.fake_safety import WrittenScreen, shipped_texts

SECRET = "我不想活了"


class StumblingScreen:
    """Fails at a text that comes behind others, with an error that repeats it."""

    @property
    def texts(self) -> SafetyTexts:
        """The texts we ship."""
        return shipped_texts()

    def screen(self, text: str, context: ScreenContext) -> Screening:
        """Fail, or return the level that the text names."""
        if context.earlier:
            raise ValueError(f"cannot read {text} behind {context.earlier}")
        return WrittenScreen().screen(text, context)


def test_a_failing_screen_logs_its_kind_and_no_word_of_the_client(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Neither the error's text nor its place is logged; what is found by itself counts."""
    found = found_in((SECRET, SafetyLevel.CRISIS.name), StumblingScreen())
    assert found.heard.level is SafetyLevel.CRISIS
    (record,) = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert vars(record)["error"] == "ValueError"
    assert (record.exc_info, SECRET in caplog.text) == (None, False)


def test_whatever_stands_in_a_form_is_read_however_deep() -> None:
    """No answer of a form is of that shape, and a client may send it all the same."""
    form = FormAnswer(values={"a": [{"b": SECRET}], "c": "嗯"})
    assert [*written_in((Part(form=form, fallback_text="表单"),))] == ["表单", f"{SECRET}\n嗯"]
