"""The actions of the older dialect as actions of today."""

from __future__ import annotations

from typing import Any, TypeAlias

from executor_service.scripts.checking.question_checks import is_question
from executor_service.scripts.loading.tree import to_json
from heartrule.words.words import say
from heartrule_cli.migration.older_variables import OlderVariables
from heartrule_cli.migration.reading import Leftovers, OlderMapping

Data: TypeAlias = "dict[str, Any]"

_ONE_RECORD = "一条记录的各项都说清楚了，或来访者不愿再说"
# A record a round; without it the list would end at three.
_MOST_RECORDS = 10
_CHOOSE = "请来访者从给出的回答里选一个"
_GO_ON = "等来访者回应，再继续"


class ActionMigration:
    """The actions of one step; each call adds one, or changes the one before."""

    def __init__(self, variables: OlderVariables, leftovers: Leftovers) -> None:
        """Begin with no action."""
        self.made: list[Data] = []
        self._variables = variables
        self._leftovers = leftovers

    def add(self, older: OlderMapping) -> None:
        """Take over one action; what of it cannot be is reported."""
        makers = {
            "say": self._say,
            "ai_say": self._ai_say,
            "user_say": self._user_say,
            "ai_ask": self._ai_ask,
            "think": self._think,
            "user_option": self._user_option,
        }
        verb = next((key for key in makers if key in older.node.entries), "")
        if not verb:
            keys = tuple(f"`{key}`" for key in older.node.entries)
            self._leftovers.add(older.node, say("cli.migrate.no_action", keys=keys))
            return
        if not (text := self._text(older, verb)):
            self._leftovers.add(older.node, say("cli.migrate.empty", key=verb))
            return
        makers[verb](older, text)
        condition = older.text("condition")
        if condition:
            last = self.made[-1]
            last["condition"] = self._variables.in_condition(condition)
            # The older dialect takes a variable without a value for unequal to anything.
            last["on_error"] = "skip"
            last["config"] = last.pop("config")  # behind it, as authors write it
        older.report_unread()

    def _text(self, older: OlderMapping, key: str) -> str:
        return self._variables.in_text(older.text(key))

    def _put(self, kind: str, config: Data) -> None:
        name = f"{kind.removeprefix('ai_')}_{len(self.made) + 1}"
        kept = {key: value for key, value in config.items() if value not in ("", [], None)}
        self.made.append({"action_type": kind, "action_id": name, "config": kept})

    def _say(self, _older: OlderMapping, text: str) -> None:
        self._put("say", {"content": text})

    def _ai_say(self, older: OlderMapping, text: str) -> None:
        exit_ = self._text(older, "exit")
        waits: Data = {} if exit_ else {"require_acknowledgment": False}
        self._put("ai_say", {"content": text, "exit": exit_, **waits})

    def _ai_ask(self, older: OlderMapping, text: str) -> None:
        key = "content" if is_question(text) else "brief"
        gathered, exit_ = self._gathered(older), self._text(older, "exit")
        if "collect" in gathered and exit_:
            gathered["max_rounds"] = _MOST_RECORDS
        elif "collect" in gathered:
            exit_ = _ONE_RECORD
        self._put("ai_ask", {key: text, "exit": exit_, **gathered})

    def _think(self, older: OlderMapping, text: str) -> None:
        self._put("ai_think", {"content": text, **self._gathered(older)})

    def _user_say(self, older: OlderMapping, text: str) -> None:
        """A line prepared for the client is the one quick reply of the words before it."""
        self._ask_with({"options": [text], "max_rounds": 1}, _GO_ON, older)

    def _user_option(self, older: OlderMapping, name: str) -> None:
        choices = {
            key: entry.value
            for choice in older.mappings("choices")
            for key, entry in choice.node.entries.items()
        }
        words = {key: str(to_json(value)).strip() for key, value in choices.items()}
        self._variables.chosen(name, words)
        answers = [*words.values()]
        output = {"get": name, "type": "choice", "options": answers}
        self._ask_with({"options": answers, "output": [output], "max_rounds": 2}, _CHOOSE, older)

    def _ask_with(self, config: Data, brief: str, older: OlderMapping) -> None:
        """Make one question of what was said before and the answers to it."""
        before = self.made[-1] if self.made else {}
        words = before.get("config", {})
        joins = before.get("action_type") in {"say", "ai_say"} and "condition" not in before
        if joins and not older.text("condition"):
            self.made.pop()
            said = words["content"]
            literal = before["action_type"] == "say" or is_question(said)
            self._put("ai_ask", {"content" if literal else "brief": said, **config})
            return
        self._leftovers.add(older.node, say("cli.migrate.no_words", brief=brief))
        self._put("ai_ask", {"brief": brief, **config})

    def _gathered(self, older: OlderMapping) -> Data:
        """Return what an action gathers: outputs, or a record of a list."""
        outputs = [self._output(each) for each in older.mappings("output")]
        outputs = [each for each in outputs if each["get"]]
        name = older.text("tolist")
        if not name:
            return {"output": outputs}
        if not outputs:
            self._leftovers.add(older.node, say("cli.migrate.no_output"))
            return {}
        return {"collect": {"into": name, "fields": outputs}}

    def _output(self, older: OlderMapping) -> Data:
        name = older.text("get")
        define = self._text(older, "define")
        if fixed := older.text("set"):
            value = to_json(node) if (node := older.get("value")) is not None else ""
            name, define = fixed, f"固定写：{value}"
            self._leftovers.add(older.node, say("cli.migrate.fixed", name=fixed))
        older.report_unread()
        return {"get": name, **({"define": define} if define else {})}
