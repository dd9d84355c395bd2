"""One prompt as it was sent: its messages, what it is of, and the tokens of its parts. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.template import Template
from heartrule.model.template_filling import fill, placeholders
from heartrule.model.token_counting import estimated_tokens
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, Words, say, told

# No text holds it: it marks where a placeholder stood.
_MARK = "\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTokens:
    """About how many tokens the parts of a prompt have, as they are estimated everywhere."""

    system: int
    task: int
    """The template's own words in the last message."""
    data: int
    """What was filled into the last message."""
    earlier: int
    """The messages between the two."""

    @property
    def whole(self) -> int:
        """The sum, without the few that a server adds to each message."""
        return self.system + self.task + self.data + self.earlier


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPrompt:
    """One prompt of a conversation."""

    state: str
    """The conversation's name."""
    turn: int
    """Counted from 1, the opening."""
    template: str
    """Such as `ai_ask`."""
    layer: str
    """Where the template was found, such as `default/en`."""
    moment: Said
    """`opening` or `round 2 of 3`; empty where an action has neither."""
    messages: tuple[ChatMessage, ...]
    tokens: PromptTokens

    @property
    def title(self) -> str:
        """What the prompt is of, such as `ai_ask, round 2 of 3`."""
        return told(self.named, ReaderLanguage.ENGLISH)

    @property
    def named(self) -> Said:
        """The same, as words."""
        if not self.moment:
            return self.template
        return say("cli.prompt.title", template=self.template, moment=self.moment)

    @property
    def place(self) -> Words:
        """What it is of, and its turn."""
        turn = say("cli.rehearse.turn", number=self.turn)
        return say("cli.prompt.place", title=self.named, turn=turn)

    @property
    def system(self) -> str:
        """The system text."""
        return self.messages[0].content

    @property
    def spoken(self) -> tuple[ChatMessage, ...]:
        """All messages behind the system text."""
        return self.messages[1:]


def rendered_prompt(
    request: ChatRequest, template: Template, *, state: str, turn: int
) -> RenderedPrompt:
    """Return a request as a prompt to be read; the template is the one that made it."""
    stage = str(request.card.get("stage", ""))
    return RenderedPrompt(
        state=state,
        turn=turn,
        template=template.name,
        layer=template.layer,
        moment=_moment(request, stage),
        messages=request.messages,
        tokens=_tokens(request, template, stage),
    )


def _moment(request: ChatRequest, stage: str) -> Said:
    if stage != "turn":
        return say("cli.prompt.opening") if stage else ""
    number, most = str(request.card.get("round") or ""), str(request.card.get("max_rounds"))
    return say("cli.place.round_of", number=number, most=most) if number else ""


def _tokens(request: ChatRequest, template: Template, stage: str) -> PromptTokens:
    system, *earlier, last = (each.content for each in request.messages)
    shape = template.shape(request.reply_fields)
    task = estimated_tokens(_own_words(template, stage, last, shape))
    return PromptTokens(
        system=estimated_tokens(system),
        task=task,
        data=max(0, estimated_tokens(last) - task),
        earlier=sum(map(estimated_tokens, earlier)),
    )


def _own_words(template: Template, stage: str, text: str, shape: str) -> str:
    """Return what of a filled section is the template's own, its lines that were left out aside."""
    section, text = template.section(stage), f"\n{text}"
    marks = {place.name: _MARK for place in placeholders(section)}
    marks |= {"shape": shape, "field_list": template.field_list}
    found, cursor = [], 0
    for piece in _pieces(fill(section, marks, {}).text):
        at = text.find(piece, cursor)
        if at >= 0:
            found.append(piece)
            cursor = at + len(piece)
    return "".join(found).strip("\n")


def _pieces(marked: str) -> Iterator[str]:
    """Yield the words between placeholders; what begins a line has its line break before it."""
    for line in marked.split("\n"):
        first, *others = line.split(_MARK)
        yield from ([f"\n{first}"] if first else [])
        yield from filter(None, others)
