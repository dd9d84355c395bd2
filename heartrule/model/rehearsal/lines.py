"""What the rehearsal model says: Chinese|English, ways of saying it apart by a slash."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from heartrule.model.rehearsal.task import PromptTask
from heartrule.model.rehearsal.words import is_dangerous, is_heavy

# Nothing here repeats a client's words, so nothing unsafe is echoed.
_LINES: Mapping[str, str] = MappingProxyType(
    {
        # To a client, in ask, say and form.
        "thanks": "好，我记下了。/嗯，我听到了。|I see, thank you./Thank you for that.",
        "heavy": "我听到了，这确实不好受。|I hear you, that cannot be easy.",
        "danger": "谢谢你说出来，你的安全最要紧，请先联系身边信得过的人。|Thank you for saying it. "
        "Your safety comes first: please reach someone you trust.",
        "softer": "没关系，我们可以慢一点。|That's all right, we can take it slowly.",
        "plainer": "我换个更贴近生活的说法。|Let me put it more simply.",
        "refused": "这确实不太好开口，怎么说都行。/不着急，想到哪里说到哪里。"
        "|Even a little is enough./There is no hurry, start wherever you like.",
        "leave_it": "这个问题我们先放一放。|Let us leave this for now.",
        "off_topic": "这个我先记着，我们先回到刚才的问题。"
        "|Let us keep that for later and come back to the question.",
        "empty": "我在听，慢慢来。|I am listening, take your time.",
        "say_more": "可以再多说一点吗？|Could you say a little more?",
        "go_on": "好，那我们接着往下走。|Good, let us go on.",
        "again": "没关系，我再说一遍，慢一点。|No problem, let me say it again, slowly.",
        "stop": "好，不想听也没关系，我们随时可以停。|That's fine, we can stop at any time.",
        "anything_else": "刚才说的，你觉得怎么样？|Is there anything you would like to ask?",
        "more": "还有别的吗？|Is there anything else?",
        "number": "大概是多少呢？说一个数字就好。|About how much? A number is enough.",
        # About a round, as its summary and each of its metrics.
        "noted": "尚未评估|not yet",
        "noted_answered": "来访者回答了问题|the client answered",
        "noted_partial": "来访者回答了一部分|the client answered in part",
        "noted_refused": "不愿多说，有些回避，投入度低|reluctant, engagement is low",
        "noted_off_topic": "来访者在说别的事|the client talks about something else",
        "noted_empty": "来访者还没有说出内容|the client said nothing yet",
        "noted_confused": "来访者还没有听懂|the client did not follow it yet",
        "noted_heavy": "用词沉重，情绪明显|heavy words",
        "thought_over": "依据给出的资料整理|put together from what was given",
        # To the action, from its monitor and the strategy engine.
        "advise": "|",
        "advise_blocked": "来访者对这个问题有些回避，先表示理解，再用更开放的方式问"
        "|The client is holding back: show understanding first, then ask more openly",
        "advise_off_topic": "来访者在说别的事，先用一句话接住，再轻轻回到原来的问题"
        "|The client talks about something else: receive it in a sentence, then return gently",
        "advise_not_understood": "来访者还没有听懂，换成更短、更生活化的说法"
        "|The client does not follow yet: use shorter, everyday words",
        "easy": "可以先从最容易说的一点说起|Invite whatever is easiest to tell",
        "example": "可以举一件每天都会遇到的小事当例子|Take a small thing of every day",
        "comfort": "我感觉到这些问题可能让你不太舒服。我们不着急，"
        "想说的时候再说，先照顾好自己就好。"
        "|These questions may feel uncomfortable. There is no hurry: say what you like.",
        "why": "来访者连续几轮都不愿谈，先安抚，再继续后面的动作"
        "|The client has held back for several rounds: comfort first, then go on",
        "calm": "来访者目前平稳，愿意谈|The client is calm and willing to talk",
        "burdened": "来访者谈到了不容易的事|The client spoke of something hard",
        "plain": "用平实的短句，一次只说一个意思|Short everyday sentences, one idea at a time",
        "warm": "语气放缓，先承认这确实不容易|Slow down, first say that this is hard",
        # Of an agent.
        "open": "你好，我在这里，想从哪里说起都可以。|Hello, I am here. Start wherever you like.",
        "greeting": "你好，很高兴见到你，今天想谈点什么？"
        "|Hello, good to see you. What would you like to talk about today?",
        "talk": "嗯，我听到了，后来呢？/听起来这件事占了不少心思，最挂心的是哪一点？"
        "/这样过日子不轻松，平时你怎么应对？|I see. And what happened then?"
        "/That takes up a lot of room. Which part of it weighs most?"
        "/That is not easy to live with. How do you cope?",
        "thought": "先弄清楚对方最在意的是什么|First find out what matters most to the client",
        "thought_out": "我想好了，我们先挑最要紧的一件说。"
        "|I have thought about it: let us take what matters most first.",
        "create_workflow_plan": "我起草好了，分成几步，还没有运行，你看看要不要改。"
        "|I have drafted it in a few steps, and nothing has run. Tell me what to change.",
        "create_node": "加好了一步，草稿还没有运行，还要加吗？"
        "|One step is added, and the draft has not run. Shall I add more?",
        "modify_node": "改好了，草稿还没有运行，还有哪里要动？"
        "|It is changed, and the draft has not run. What else should be different?",
        "ran": "做完了，结果已经记下，你看看合不合适。"
        "|It is done, and the result is noted. Tell me whether it fits.",
        "found": "查到的在上面，你想先试哪一样？"
        "|What was found is above. Which of it would you like to try first?",
        "did_not_run": "这次没有做成，要不要先改一改再来？"
        "|That did not work out. Shall we change it and try again?",
        "stuck": "这一步我没有写好，你能换个说法吗？/我还是没有弄对，要不先说说你最想要的结果？"
        "|I did not get that right. Could you put it another way?"
        "/I still have it wrong. Shall we begin with the result you want?",
        "end": "好，那今天先谈到这里。|Good, let us leave it here for today.",
        "unclear": "你想先看哪一样？|Which would you like to look at first?",
        "choices": "睡眠,心情,别的|sleep,mood,something else",
        # Of a workflow's node and a thread's unit.
        "node": "演示模型的回答|An answer of the rehearsal model",
        "unit": "演示模型的回答，关于：|An answer of the rehearsal model about: ",
    }
)


def line(task: PromptTask, name: str) -> str:
    """Return what has that name, in the task's language; each round the next way of saying it."""
    ways = task.in_language(_LINES[name]).split("/")
    return ways[(task.round - 1) % len(ways)]


def thanks(task: PromptTask) -> str:
    """Return the acknowledgement of an answer, graver when the answer is grave."""
    if is_dangerous(task.user_input):
        return line(task, "danger")
    return line(task, "heavy" if is_heavy(task.user_input) else "thanks")


def join(task: PromptTask, *parts: str) -> str:
    """Return the sentences as one text, spaced by the language's rule."""
    return ("" if task.chinese else " ").join(part for part in parts if part)
