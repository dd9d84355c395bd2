"""Prompt templates written in a test: the shape of the shipped ones, a few words long."""

from __future__ import annotations

from pathlib import Path

from heartrule.domain.errors import NotFound
from heartrule.model.template import DEFAULT_LAYER, Template, parse_template
from heartrule.model.template_store import TemplateStore

_TALK = """---
template: {name}
version: 1
asks: [{asks}]
fields:
  EXIT: 能结束写YES否则写NO
  content: 这一轮要说的话
  variables: 说过的内容没有就留空
---
<!-- section: system -->
你是{{%who%}}，对方是{{%user%}}。
{{%field_list%}}
<!-- section: opening -->
任务：{{%task%}}
目标：{{%goal%}}
结束：{{%exit%}}
话题：{{%topic_name%}} {{%topic_goal%}} {{%topic_strategy%}}
要了解：
{{%output_list%}}
必须：{{%required%}}
已知：
{{%variables%}}
{{%strategy_prompt%}}
{{%advice%}}
{{%repeated_hint%}}
只写 JSON。
<!-- section: turn -->
任务：{{%task%}}
要了解：
{{%output_list%}}
标准：{{%exit_criteria%}}
他说：
{{%user_input%}}
说完
轮次 {{%current_round%}}/{{%max_rounds%}}
{{%strategy_prompt%}}
{{%advice%}}
{{%repeated_hint%}}
只写 JSON。
<!-- section: reask -->
再说一次好吗？
<!-- section: closing -->
先到这里。
"""
_THINK = """---
template: ai_think
version: 1
asks: []
fields:
  variables: 按说明得出的内容
---
<!-- section: system -->
安静地想。
<!-- section: turn -->
任务：{%task%}
资料：
{%input_variables%}
要得出：
{%output_list%}
只写 JSON。
"""
_AGENT = """---
template: ai_agent
version: 1
asks: [metrics]
fields:
  intent: 对方想要什么写一个词
  decisions: 接下来怎么做至少写一个
  variables: 说过的内容没有就留空
---
<!-- section: system -->
你是{%who%}，先决定再说话。
<!-- section: opening -->
目标：{%goal%}
可以：
{%decision_list%}
刚才：
{%decided%}
还剩 {%decisions_left%}
只写 JSON。
<!-- section: turn -->
目标：{%goal%}
可以：
{%decision_list%}
通常：
{%intent_list%}
步骤：
{%node_list%}
流程：
{%workflows%}
要了解：
{%output_list%}
刚才：
{%decided%}
还剩 {%decisions_left%}
{%advice%}
他说：
{%user_input%}
说完
轮次 {%current_round%}/{%max_rounds%}
只写 JSON。
<!-- section: reask -->
换个说法好吗？
<!-- section: closing -->
就谈到这里。
"""
_STRATEGY = """---
template: strategy_generation
version: 1
asks: [reasoning]
fields:
  reasoning.userStateAnalysis: 说明来访者此刻的状态
  strategyPrompt: 给同事的四个方面的建议
---
<!-- section: system -->
想好怎样说。
<!-- section: turn -->
画像：
{%user_profile%}
对话：
{%conversation_history%}
话题：{%topic_description%}
进度：{%progress_summary%}
只写 JSON。
"""
REASK = "再说一次好吗？"
CLOSING = "先到这里。"
AGENT_REASK = "换个说法好吗？"
AGENT_CLOSING = "就谈到这里。"
TEXTS = {
    "ai_ask": _TALK.format(name="ai_ask", asks="metrics"),
    "ai_say": _TALK.format(name="ai_say", asks="metrics, assessment"),
    "fill_form": _TALK.format(name="fill_form", asks="metrics"),
    "ai_think": _THINK,
    "ai_agent": _AGENT,
    "strategy_generation": _STRATEGY,
}


class WrittenTemplates(TemplateStore):
    """Templates by name; `schemes` maps scheme and name to a text of its own."""

    def __init__(self, schemes: dict[tuple[str, str], str] | None = None) -> None:
        """Parse everything at once; no file is read."""
        super().__init__(Path("nowhere"))
        self._default = {name: _parsed(name, text) for name, text in TEXTS.items()}
        self._custom = {
            (scheme, name): _parsed(name, text, layer=f"custom/{scheme}")
            for (scheme, name), text in (schemes or {}).items()
        }

    def get(self, name: str, scheme: str = "", language: str = "") -> Template:
        """Return the scheme's own template, else the default one."""
        found = self._custom.get((scheme, name)) or self._default.get(name)
        if found is None:
            raise NotFound("template", name)
        return found


def written_templates(schemes: dict[tuple[str, str], str] | None = None) -> WrittenTemplates:
    """Return the templates of this module, and those of schemes beside them."""
    return WrittenTemplates(schemes)


def _parsed(name: str, text: str, layer: str = DEFAULT_LAYER) -> Template:
    return parse_template(text, source=f"{name}_v1.md", layer=layer)
