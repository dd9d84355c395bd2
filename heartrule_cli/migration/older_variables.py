"""Variables of the older dialect in texts and conditions, written as today's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from executor_service.scripts.loading.tree import ListNode, MapNode, Node, ScalarNode

# The keys under which an older script names a variable.
_NAMING = frozenset({"var", "get", "set", "tolist", "user_option"})
_PLACEHOLDER = re.compile(r"\$\{(\w+)\}|\{\{(\w+)\}\}|\$([^\W\d]\w*)")
_TEXT = r"'[^']*'|\"[^\"]*\""
_OF_CONDITION = re.compile(rf"{_TEXT}|\{{\w+\}}|\bnot\s+|[^\W\d]\w*")
_LETTER = re.compile(_TEXT)
# What a variable is compared with, on either side of it.
_COMPARED = (
    rf"(?:(?:{_TEXT})\s*[!=]=\s*)?\{{{{{{name}}\}}}}"
    rf"(?:\s*(?:[!=]=|in)\s*(?:\[[^\]]*\]|{_TEXT}))?"
)
_SIGNS = {"and": "&&", "or": "||", "True": "true", "False": "false"}


class OlderVariables:
    """The variables of one older session."""

    def __init__(self, session: Node) -> None:
        """Know each name that the session declares, gathers or sets."""
        self._names = sorted(_named(session), key=len, reverse=True)
        self._choices: dict[str, Mapping[str, str]] = {}

    def chosen(self, name: str, words: Mapping[str, str]) -> None:
        """Know that a variable holds the words of a choice from now on, not its letter."""
        self._choices[name] = words

    def in_text(self, text: str) -> str:
        """Return a text with `{x}` for `${x}`, `{{x}}`, and `$x` where x is a variable."""
        return _PLACEHOLDER.sub(self._braces, text)

    def in_condition(self, condition: str) -> str:
        """Return a condition with `{x}` for each variable, and the signs for and, or, not.

        Letters that a choice's variable is compared with become the choice's words.
        """
        made = _OF_CONDITION.sub(self._sign, self.in_text(condition))
        for name, words in self._choices.items():
            made = re.sub(_COMPARED.format(name=name), partial(_all_worded, words), made)
        return made

    def _braces(self, match: re.Match[str]) -> str:
        if match[3] is None:
            return f"{{{match[1] or match[2]}}}"
        # Chinese has no spaces: behind the name the sentence goes on.
        name = next((each for each in self._names if match[3].startswith(each)), "")
        return f"{{{name}}}{match[3][len(name) :]}" if name else match[0]

    def _sign(self, match: re.Match[str]) -> str:
        word = match[0]
        if word in self._names:
            return f"{{{word}}}"
        return "!" if word.split() == ["not"] else _SIGNS.get(word, word)


def _all_worded(words: Mapping[str, str], comparison: re.Match[str]) -> str:
    return _LETTER.sub(partial(_worded, words), comparison[0])


def _worded(words: Mapping[str, str], text: re.Match[str]) -> str:
    """Return a quoted text; that of a choice's letter with the choice's words."""
    found = words.get(text[0][1:-1])
    quote = '"' if found and "'" in found else "'"
    return text[0] if found is None else f"{quote}{found}{quote}"


def _named(node: Node) -> Iterator[str]:
    if isinstance(node, ListNode):
        for item in node.items:
            yield from _named(item)
    elif isinstance(node, MapNode):
        for key, entry in node.entries.items():
            if key in _NAMING and isinstance(entry.value, ScalarNode):
                yield entry.value.text.strip()
            yield from _named(entry.value)
