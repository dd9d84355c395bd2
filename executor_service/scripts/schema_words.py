"""What an editor says about a key when the mouse rests on it: Chinese first, then English."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_CONDITION = '条件：成立才执行，例如 "{年龄} >= 12"。Runs only if it holds, such as "{年龄} >= 12".'
_ON_ERROR = (
    "条件无法判断时（例如变量没有值）：run 照常执行，skip 跳过。"
    "What a condition that cannot be answered means: run (default) or skip."
)
_DECLARE = "声明变量；写在哪里，作用域就是哪里。Variables; where this stands is their scope."
_DESCRIPTION = "写给人看的说明。A remark for people."
_NAME = "写给人看的名称。A name for people."
_CONTENT = "要说的话，或要点；可用 {变量}。What to say, or a brief for it; {variables} are filled."
_GOAL = "目的：为什么做这一步。What this step is for."
_TONE = "语气，例如“温和、不勉强”。The tone of voice."
_EXIT = "用您自己的话写：什么时候可以结束。In your words: when this may end."
_CRITERIA = "结束条件，全部成立才算。Conditions that must all hold before this may end."
_ROUNDS = "最多几轮。Most rounds."
_OUTPUT = "要收集的变量。The variables to gather."
_INPUT_VARIABLES = "给它看的变量。The variables it is given."
_STRATEGY_ENGINE = (
    "on：回答之前先问模型怎样对这位来访者最合适。"
    "on: before an answer the model is asked how best to go about it with this client."
)

_MONITOR = (
    "督导多久看一次，要不要等它的建议；里层的写法优先。"
    "How often the monitor looks, and whether to wait for it; the innermost counts."
)

SCRIPT = MappingProxyType(
    {
        "metadata": "随意填写：名称、版本、作者。Anything you like: name, version, author.",
        "session": "整个会谈。The whole session.",
        "global": "全局变量的声明，跨会谈保留。Global variables, kept across sessions.",
    }
)
SESSION = MappingProxyType(
    {
        "session_id": "脚本的标识。Names the script.",
        "session_name": _NAME,
        "description": _DESCRIPTION,
        "template_scheme": "使用哪一套提示词，例如 cbt_anxiety。Which set of prompts to use.",
        "roles": "谁在说话，对谁说。Who speaks, and with whom.",
        "strategy_engine": _STRATEGY_ENGINE,
        "monitor": _MONITOR,
        "input": "来访者的消息分几条发来时怎么办。What happens to messages that come in pieces.",
        "declare": _DECLARE,
        "phases": "阶段，依次进行。The phases, one after the other.",
    }
)
PHASE = MappingProxyType(
    {
        "phase_id": "阶段的标识，在会谈中唯一。Unique within the session.",
        "phase_name": _NAME,
        "phase_goal": "这个阶段的目的。What this phase is for.",
        "description": _DESCRIPTION,
        "entry_condition": _CONDITION,
        "on_error": _ON_ERROR,
        "declare": _DECLARE,
        "topics": "话题，依次进行。The topics, one after the other.",
    }
)
TOPIC = MappingProxyType(
    {
        "topic_id": "话题的标识，在阶段中唯一。Unique within its phase.",
        "topic_name": _NAME,
        "topic_goal": "这个话题的目的；模型和督导都会看到。What for; model and monitor are told.",
        "description": _DESCRIPTION,
        "strategy": "怎样进行：一段话，或下面三个键。How to go about it: a text, or three keys.",
        "monitor": _MONITOR,
        "edit_budget": "计划最多可以被修改几次；默认 3。How often its plan may be edited.",
        "declare": _DECLARE,
        "actions": "动作，依次进行。The actions, one after the other.",
    }
)
STRATEGY = MappingProxyType(
    {
        "min_completeness_requirement": "至少要了解到什么。What must be known at least.",
        "retry_strategy": "没问清楚时怎样再问。How to ask again.",
        "max_retry_count": "最多再问几次。How often to ask again at most.",
    }
)
ACTION = MappingProxyType(
    {
        "action_type": "动作的种类。What kind of step this is.",
        "action_id": "动作的标识，在话题中唯一。Unique within its topic.",
        "condition": _CONDITION,
        "on_error": _ON_ERROR,
        "mandatory": "true：计划不得跳过或删去它。true: the plan may never skip or drop it.",
        "exit_policy": "哪些来源可以结束这个动作。What may end the action.",
        "strategy_engine": _STRATEGY_ENGINE,
        "monitor": _MONITOR,
        "config": "这个动作的内容；这些键也可以直接写在 config 旁边。What it is told.",
    }
)
ACTION_TYPES = MappingProxyType(
    {
        "ai_ask": "提问，直到收集到要的变量。Asks until its outputs are gathered.",
        "ai_say": "说明，并确认对方听懂了。Says, explains, checks understanding.",
        "ai_think": "内部思考，来访者看不到。An inner step; the client sees nothing.",
        "fill_form": "填写量表或作业单。Fills a questionnaire or a homework sheet.",
        "use_skill": "运行一个技术文件。Runs a technique file.",
        "show_pic": "展示图片。Shows a picture.",
    }
)
MONITOR = MappingProxyType(
    {
        "cadence": "多久看一次。How often.",
        "n": "every_n 时：每几轮看一次。With every_n: every so many rounds.",
        "wait_for_advice_ms": "最多等建议多少毫秒；默认不等。Most milliseconds to wait for it.",
    }
)
CADENCES = MappingProxyType(
    {
        "every_round": "每一轮（默认）。Every round; the default.",
        "every_n": "每 n 轮一次。Every n-th round.",
        "on_suggestion": "只在受阻或偏题时。Only when blocked or off topic.",
        "off": "不看。Never.",
    }
)
EXIT_POLICY = MappingProxyType({"enabled_sources": "可以结束动作的来源。The sources that may."})
SOURCES = MappingProxyType(
    {
        "max_rounds": "轮数用完。The rounds are used up.",
        "exit_flag": "模型按 exit 判断结束。The model says so, following `exit`.",
        "exit_criteria": "exit_criteria 全部成立。All of exit_criteria hold.",
        "llm_suggestion": "模型建议结束。The model suggests it.",
    }
)
CRITERIA = MappingProxyType(
    {
        "understanding_threshold": "理解程度至少多少（0–100）。Least understanding, 0 to 100.",
        "has_questions": "false：来访者还有疑问就不结束。false: not while there are questions.",
        "min_rounds": "至少几轮。Least rounds before criteria or suggestions count.",
        "custom_conditions": "变量与值的比较。Variables compared with values.",
    }
)
CUSTOM_CONDITION = MappingProxyType(
    {
        "variable": "变量名。Name of the variable.",
        "operator": "比较方式，要加引号。How to compare; in quotes.",
        "value": "与之比较的值。What it is compared with.",
    }
)
ROLE = MappingProxyType(
    {
        "role": "counsellor 是说话的人（{who}），client 是来访者（{user}）。Who this is.",
        "name": "怎样称呼。What it is called.",
        "tone": "动作没有写 tone 时的语气。Its tone where an action names none.",
        "define": "是怎样的人。Who that is.",
    }
)
INPUT = MappingProxyType(
    {
        "if_busy": "正在回答时又来消息。What becomes of a message that comes meanwhile.",
        "merge_window_ms": "等后续片段的毫秒数。How long to wait for more, in milliseconds.",
    }
)
IF_BUSY = MappingProxyType(
    {
        "merge": "合并后一起回答。All that wait are answered together.",
        "queue": "一条一条地回答。One after the other.",
        "interrupt": "打断正在说的，先回答新来的。Stops what is being said for the new one.",
        "restart": "还没开口时，连同新来的重新回答。Begins anew with it, before the first word.",
        "reject": "拒收。Refused.",
    }
)
DECLARATION = MappingProxyType(
    {
        "var": "变量名。Name of the variable.",
        "define": "这个变量是什么。What it is.",
        "value": "初值；不写就没有值。Its first value; unset without one.",
        "scope": "作用域；不写则由所在位置决定。Overrides where it stands.",
        "type": "类型，默认 text。Its type, text by default.",
    }
)
OUTPUT = MappingProxyType(
    {
        "get": "变量名。Name of the variable.",
        "define": "怎样辨认它的值。How to recognise its value.",
        "type": "类型，默认 text。Its type, text by default.",
        "options": "choice 的选项。The values of a choice.",
        "sensitive": "true：非必要不显示。true: not shown where it need not be.",
    }
)
CONFIG = MappingProxyType(
    {
        "content": _CONTENT,
        "goal": _GOAL,
        "tone": _TONE,
        "exit": _EXIT,
        "exit_criteria": _CRITERIA,
        "output": _OUTPUT,
        "required": "结束前必须有的变量：true 全部，false 都不，或列出。What it must have.",
        "max_rounds": _ROUNDS,
        "require_acknowledgment": "true：等来访者说一句再继续。true: waits for the client.",
        "input_variables": _INPUT_VARIABLES,
        "form": "表单：标题和题目。The form: its title and fields.",
        "skill": "技术文件的 technique_id。The technique_id.",
        "input": "交给技术的值。What the technique is given.",
        "source": "https 地址，或 assets/ 下的文件。An https address, or a file below assets/.",
        "caption": "图片旁边的话。What is said with it.",
        "alt": "看不到图片时的文字。What is said where pictures cannot be shown.",
    }
)
EXTRACTION = "旧写法：与 target_variable 并用。Older: stood beside target_variable."
FORM = MappingProxyType({"title": "标题。Its title.", "fields": "题目。Its fields."})
FORM_FIELD = MappingProxyType(
    {
        "name": "变量名，在表单中唯一。The variable; each once in a form.",
        "label": "来访者看到的题目。What the client reads.",
        "type": "种类，默认 text。Its kind, text by default.",
        "options": "choice 的选项，或 scale 各级的含义。Values of a choice, or a scale's words.",
        "min": "最小值。The least.",
        "max": "最大值。The most.",
        "required": "false：可以不填。false: may stay empty.",
    }
)
SKILL_INPUT = MappingProxyType(
    {"name": "技术的输入参数。An input parameter.", "value": "交给它的值。Its value."}
)
SKILL_OUTPUT = MappingProxyType(
    {"get": "您的变量。Your variable.", "from": "技术的输出变量。The technique's variable."}
)
TECHNIQUE = MappingProxyType(
    {
        "technique_id": "技术的标识，脚本用它来引用。How scripts name it.",
        "technique_name": _NAME,
        "input_parameters": "它需要的值。What it is given.",
        "output_variables": "它交出的变量。The variables it hands out.",
        "topic": "它的话题，写法与脚本相同。Its topic, written as in a script.",
    }
)
INPUT_PARAMETER = MappingProxyType(
    {
        "name": "变量名。Name of the variable.",
        "description": _DESCRIPTION,
        "required": "false：可以不给。false: need not be given.",
    }
)
NOTHING: Mapping[str, str] = MappingProxyType({})
"""For words that explain themselves."""
