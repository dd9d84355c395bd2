"""Which of several wordings is said."""

from __future__ import annotations

from executor_service.actions.outgoing.unsaid import first_unsaid, least_recent

WAYS = ("好的。", "谢谢你。", "我听到了。")


def test_the_first_one_that_was_not_said() -> None:
    """Spaces and punctuation make no difference."""
    assert first_unsaid(WAYS, ("好的", "多大了？")) == "谢谢你。"
    assert least_recent(WAYS, ("好的",)) == "谢谢你。"


def test_where_all_were_said_the_one_of_longest_ago() -> None:
    """The same question is better than none; a closing line may be left out."""
    said = ("好的。", "谢谢你。", "我听到了。", "好的。")
    assert least_recent(WAYS, said) == "谢谢你。"
    assert first_unsaid(WAYS, said) == ""
