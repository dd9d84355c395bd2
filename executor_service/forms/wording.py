"""The fixed texts about a form: Chinese in a Chinese session about a Chinese form, else English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from executor_service.forms.progress import FormProgress
from executor_service.scripts.model.actions import FormConfig
from executor_service.scripts.model.fields import FieldType, FormField


def label_of(each: FormField) -> str:
    """Return what a field is called."""
    return each.label or each.name


def takes(each: FormField, *, chinese: bool) -> str:
    """Return which values a field takes."""
    match each.type:
        case FieldType.TEXT:
            return "文字" if chinese else "a text"
        case FieldType.BOOLEAN:
            return "是或否" if chinese else "yes or no"
        case FieldType.DATE:
            return "日期，写成 2020-05-01 的样子" if chinese else "a date such as 2020-05-01"
        case FieldType.CHOICE:
            if chinese:
                return f"以下之一：{'、'.join(each.options)}"
            return f"one of: {', '.join(each.options)}"
        case _:
            return _number(each, chinese=chinese) + _steps(each, chinese=chinese)


@dataclass(frozen=True, slots=True)
class FormWording:
    """What is said of a form; its own words stay as they are written."""

    config: FormConfig
    language: str = "zh"
    """The session's."""

    @property
    def chinese(self) -> bool:
        """Whether the client reads Chinese words around those of the form."""
        words = self.config.title + "".join(label_of(each) for each in self.config.fields)
        return self._base and any("\u3400" <= char <= "\u9fff" for char in words)

    @property
    def _base(self) -> bool:
        return self.language.partition("-")[0] == "zh"

    def invitation(self) -> str:
        """Return the text that replaces the form where it cannot be shown."""
        names, title = [label_of(each) for each in self.config.fields], self.config.title
        if self.chinese:
            return f"请填写「{title}」，共 {len(names)} 项：{'、'.join(names)}"
        return f"Please fill in “{title}”, {len(names)} fields: {', '.join(names)}"

    def received(self) -> str:
        """Return the answer to a complete form whose action goes on all the same."""
        if self.chinese:
            return "表单收到了，谢谢。还有什么想补充的吗？"
        return "Thank you, the form has arrived. Is there anything you would like to add?"

    def correction(self, progress: FormProgress, *, wrong_only: bool = False) -> str:
        """Return which fields of a form are wrong and which are still empty, one a line."""
        fields = self.config.fields
        wrong = [self._needed(each) for each in progress.refused(fields)]
        empty = [f"- {label_of(each)}" for each in progress.missing(fields) if not wrong_only]
        lines = []
        if wrong:
            lines += ["有几处还要改一改：" if self.chinese else "Please correct:", *wrong]
        if empty:
            lines += ["这些还没有填：" if self.chinese else "Still empty:", *empty]
        return "\n".join(lines)

    def _needed(self, each: FormField) -> str:
        wanted = takes(each, chinese=self.chinese)
        space = " " if wanted[0].isascii() else ""
        return f"- {label_of(each)}{f'：要填{space}' if self.chinese else ': needs '}{wanted}"

    def question(self, each: FormField) -> str:
        """Return a field as it is asked for in words: its label, with what it takes."""
        if each.type is FieldType.TEXT:
            return label_of(each)
        wanted = takes(each, chinese=self.chinese)
        return f"{label_of(each)}（{wanted}）" if self.chinese else f"{label_of(each)} ({wanted})"

    def field_lines(self, fields: Sequence[FormField]) -> str:
        """Return fields for a prompt: name, label and what each takes, one a line.

        What a field takes is not said again where it is the same as of the one before.
        """
        taken = [takes(each, chinese=self._base) for each in fields]
        same = "同上" if self._base else "as above"
        before = ["", *taken]
        lines = zip(fields, taken, before, strict=False)
        return "\n".join(
            self._line(each, same if wanted == last else wanted) for each, wanted, last in lines
        )

    def _line(self, each: FormField, wanted: str) -> str:
        if self._base:
            optional = "" if each.required else "，可以不填"
            return f"- {each.name}：{label_of(each)}（{wanted}{optional}）"
        return f"- {each.name}: {label_of(each)} ({wanted}{'' if each.required else '; optional'})"

    def progress_line(self, progress: FormProgress) -> str:
        """Return in one line how far the form is filled, for a prompt."""
        filled, fields = len(progress.filled), len(self.config.fields)
        if self._base:
            return f"已填 {filled} 项，共 {fields} 项"
        return f"{filled} of {fields} items are filled in"


def _number(each: FormField, *, chinese: bool) -> str:
    kind = ("数字", "number") if each.type is FieldType.NUMBER else ("整数", "whole number")
    least, most = (f"{bound:g}" if bound is not None else "" for bound in (each.min, each.max))
    if least and most:
        texts = f"{least} 到 {most} 的{kind[0]}", f"a {kind[1]} from {least} to {most}"
    elif least:
        texts = f"不小于 {least} 的{kind[0]}", f"a {kind[1]}, {least} or more"
    elif most:
        texts = f"不大于 {most} 的{kind[0]}", f"a {kind[1]}, {most} or less"
    else:
        texts = kind[0], f"a {kind[1]}"
    return texts[0] if chinese else texts[1]


def _steps(each: FormField, *, chinese: bool) -> str:
    if not each.options:
        return ""
    first = int(each.min or 0)  # a scale has bounds; the checks refuse one without
    steps = [f"{step} {word}" for step, word in enumerate(each.options, start=first)]
    return f"：{'，'.join(steps)}" if chinese else f": {', '.join(steps)}"
