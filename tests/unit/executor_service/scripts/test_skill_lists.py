"""Lists that a skill gathers, as the script outside reads them."""

from __future__ import annotations

from tests.unit.executor_service.scripts.test_techniques import PLAIN, USE, load_all, nest


def test_a_list_that_a_skill_hands_out_is_a_list_to_conditions() -> None:
    """Through two skills too: its size and its records can be asked for."""
    collect = "collect: {into: 情境, fields: [{get: 时候}]}"
    tells = PLAIN.replace("content: x", f"content: x, {collect}").replace("ai_say", "ai_ask")
    tells = tells.replace("topic:", "output_variables: [情境]\ntopic:", 1)
    hands_on = nest("hands_on", "plain, output: [{get: 外, from: 情境}]").replace(
        "topic:", "output_variables: [外]\ntopic:", 1
    )
    use = USE.replace("breathe", "hands_on").replace("from: 分数", "from: 外")
    use = use.replace("  input: [{name: 称呼, value: 朋友}]\n", "")
    condition = "size({之后}) > 1 && {之后}[0]['时候'] == '夜里'"
    behind = f'- {{action_type: ai_say, action_id: b, content: x, condition: "{condition}"}}\n'
    assert not load_all(use + behind, {"plain": tells, "hands_on": hands_on}).errors
