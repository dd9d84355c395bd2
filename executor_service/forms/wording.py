"""The fixed texts about a form, Chinese or English as the form itself is written."""

from __future__ import annotations

from collections.abc import Sequence

from executor_service.forms.progress import FormProgress
from executor_service.scripts.model.actions import FormConfig
from executor_service.scripts.model.fields import FieldType, FormField


def label_of(each: FormField) -> str:
    """Return what a field is called."""
    return each.label or each.name


def is_chinese(config: FormConfig) -> bool:
    """Return whether the form is written in Chinese."""
    words = config.title + "".join(label_of(each) for each in config.fields)
    return any("\u3400" <= char <= "\u9fff" for char in words)


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


def invitation(config: FormConfig) -> str:
    """Return the text that replaces the form where it cannot be shown."""
    names = [label_of(each) for each in config.fields]
    if is_chinese(config):
        return f"请填写「{config.title}」，共 {len(names)} 项：{'、'.join(names)}"
    return f"Please fill in “{config.title}”, {len(names)} fields: {', '.join(names)}"


def received(config: FormConfig) -> str:
    """Return the answer to a complete form whose action goes on all the same."""
    if is_chinese(config):
        return "表单收到了，谢谢。还有什么想补充的吗？"
    return "Thank you, the form has arrived. Is there anything you would like to add?"


def correction(config: FormConfig, progress: FormProgress, *, wrong_only: bool = False) -> str:
    """Return which fields of a form are wrong and which are still empty, one a line."""
    chinese = is_chinese(config)
    wrong = [_needed(each, chinese=chinese) for each in progress.refused(config.fields)]
    empty = [f"- {label_of(each)}" for each in progress.missing(config.fields) if not wrong_only]
    lines = []
    if wrong:
        lines += ["有几处还要改一改：" if chinese else "Please correct:", *wrong]
    if empty:
        lines += ["这些还没有填：" if chinese else "Still empty:", *empty]
    return "\n".join(lines)


def _needed(each: FormField, *, chinese: bool) -> str:
    wanted = takes(each, chinese=chinese)
    space = " " if wanted[0].isascii() else ""
    return f"- {label_of(each)}{f'：要填{space}' if chinese else ': needs '}{wanted}"


def completed(config: FormConfig) -> str:
    """Return why a form that is filled in ends its action."""
    return f"表单「{config.title}」已填完"


def field_lines(fields: Sequence[FormField]) -> str:
    """Return fields for a prompt: name, label and what each takes, one a line.

    What a field takes is not said again where it is the same as of the one before.
    """
    taken = [takes(each, chinese=True) for each in fields]
    before = ["", *taken]
    lines = zip(fields, taken, before, strict=False)
    return "\n".join(
        f"- {each.name}：{label_of(each)}（{'同上' if takes_ == last else takes_}"
        f"{'' if each.required else '，可以不填'}）"
        for each, takes_, last in lines
    )


def progress_line(config: FormConfig, progress: FormProgress) -> str:
    """Return in one line how far the form is filled."""
    return f"已填 {len(progress.filled)} 项，共 {len(config.fields)} 项"


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
