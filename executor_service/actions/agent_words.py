"""What an agent says: held against what was said before, or a plain line of the template's."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from executor_service.actions.action_context import OutgoingMessage, RoundContext
from executor_service.actions.engine_lines import confirmation, plain_line
from executor_service.actions.outgoing.outgoing_text import (
    CheckedText,
    OutgoingRules,
    checked,
    not_sent,
)
from executor_service.actions.outgoing.text_fault import TextFault
from executor_service.actions.outgoing_rules import earlier_texts, lead
from executor_service.actions.prompting import Brief, talk_values
from executor_service.actions.second_try import ASKED_AGAIN
from heartrule.domain.conversation import Completeness
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.problem import Degradation
from heartrule.model.template_filling import fill

RULE = "outgoing text"
_WHY = {
    TextFault.ECHO: "is what the client said; say something of your own",
    TextFault.REPETITION: "was said before; say it in other words, or go on",
    TextFault.CLAIM: "says that you are a person or have another name; say what you are",
}
# So many characters of the client are a term to choose by, such as "sleep".
_CLIENTS_TERM = 12
# Where a template has no line of its own.
_WAITS = "…"


@dataclass
class AgentWords:
    """The words of one step of an agent."""

    context: RoundContext
    brief: Brief
    degradations: list[Degradation] = field(default_factory=list)
    """What was wrong with texts of this step."""

    def objection(self, path: str, text: str) -> RuleFinding | None:
        """Return why a text of a payload may not be said; None where it may."""
        found = checked(text, self._rules(leads=False), ends=False)
        # Of an option nothing is cut: it is shown whole or not at all.
        is_option = path.startswith("options.")
        if found.fault is None or (found.text and not is_option):
            return None
        if is_option and found.fault is TextFault.ECHO and len(text) <= _CLIENTS_TERM:
            return None
        self.degradations.append(not_sent(found.fault, ASKED_AGAIN))
        message = f"{path} {_WHY[found.fault]}"
        return RuleFinding(code=FindingCode.CONFLICT, path=path, message=message, rule=RULE)

    def message(self, text: str, *, options: tuple[str, ...], closes: bool) -> OutgoingMessage:
        """Return the message that leaves; a plain line where nothing of a text may.

        Args:
            text: What the agent says; empty: it has nothing to say.
            options: Answers to choose from.
            closes: Whether the action ends with it: then it asks nothing more.
        """
        said = checked(text, self._rules(leads=True), ends=closes) if text else CheckedText(text="")
        self.degradations += said.degradations()
        message = OutgoingMessage(message_id=self.context.make_id("msg"), text=said.text)
        if not said.text:
            return self._plain(message, closes=closes)
        return message if closes else self._with_options(message, options)

    def of_run(self, *, closes: bool) -> OutgoingMessage:
        """Return the template's line about a run that goes on; spare where the action ends."""
        (text,) = self._lines("running")
        message = OutgoingMessage(message_id=self.context.make_id("msg"), text="")
        if not text:
            return self._plain(message, closes=closes)
        return replace(message, text=f"{self._lead()}{text}", spare=closes and not self._lead())

    def placeholder(self) -> OutgoingMessage:
        """Return the message that announces what a sub-agent will answer."""
        delegated, running = self._lines("delegated", "running")
        return OutgoingMessage(
            message_id=self.context.make_id("msg"),
            text=f"{self._lead()}{delegated or running or _WAITS}",
            completeness=Completeness.PLACEHOLDER,
        )

    def undelivered(self) -> str:
        """Return the line that takes the place of a placeholder without a result."""
        undelivered, reask = self._lines("undelivered", "reask")
        return undelivered or reask or _WAITS

    def of_reply(self) -> OutgoingRules:
        """Return what a reply is held against that streams, and ends no action."""
        return replace(self._rules(leads=True), judges=False)

    def _plain(self, message: OutgoingMessage, *, closes: bool) -> OutgoingMessage:
        context = self.context
        closing, reask = self._lines("closing", "reask")
        line = plain_line(context, {"closing": closing, "reask": reask}, closes=closes)
        text = f"{self._lead()}{line.text}"
        return replace(message, text=text, spare=line.spare and text == line.text)

    def _lines(self, *names: str) -> list[str]:
        """Return lines of the template, filled; one that it does not have is empty."""
        context = self.context
        scene = context.scene
        template = context.templates.get("ai_agent", scene.scheme, scene.language)
        sections = [template.section(name) for name in names]
        return [
            fill(each, talk_values(context, self.brief, each), {}).text.strip() for each in sections
        ]

    def _with_options(self, message: OutgoingMessage, options: tuple[str, ...]) -> OutgoingMessage:
        """Return the message with its options; the client may always answer in words."""
        if not options:
            return message
        words = self.context.scene.words
        in_words = words.may_answer.format(options=words.comma.join(options))
        return replace(message, options=options, options_in_words=in_words)

    def _rules(self, *, leads: bool) -> OutgoingRules:
        return OutgoingRules(
            earlier=earlier_texts(self.context),
            role=self.context.scene.cast.who,
            own=self.brief.task,
            lead=self._lead() if leads else "",
            judges=True,
            may_end=True,
        )

    def _lead(self) -> str:
        return f"{lead(self.context)}{confirmation(self.context)}"
