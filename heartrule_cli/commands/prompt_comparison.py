"""`heartrule prompts show` and `diff`: the prompts of recorded conversations, with tokens."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from executor_service.installation import Installation, read_installation
from executor_service.scripts.model.findings import Located
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import Words, say
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.prompts.prompt_changes import (
    PromptChange,
    PromptDiff,
    changes,
    sum_words,
    tokens_line,
)
from heartrule_cli.prompts.prompt_sources import PromptSource, source_before, with_source
from heartrule_cli.prompts.recorded_states import (
    RecordedState,
    RenderedState,
    load_states,
    render,
    shipped_states,
)
from heartrule_cli.prompts.rendered_prompt import RenderedPrompt
from heartrule_cli.rehearsal.files import find_file, print_problems
from heartrule_cli.scripts import system_folder
from heartrule_cli.style import Style, style_for
from heartrule_cli.text import clean


def prompts(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print prompts, or how they differ from those of another folder or revision.

    Returns 0; 1 where prompts differ or a conversation was not played to its end; 2 where a file
    is wrong.
    """
    folder, language = system_folder(environ), language_in(environ)
    installation = read_installation(folder)
    if args.scheme and not installation.templates.has_scheme(args.scheme):
        raise Failure(say("cli.prompt.no_scheme", name=repr(args.scheme)), code=WRONG)
    problems: list[Located] = []
    states = load_states(_files(args, environ), installation, problems)
    if problems:
        print_problems(problems, language)
        return WRONG
    playing = _Playing(installation, args.scheme, args.template, states, language=language)
    now = playing.prompts(PromptSource(name=str(folder), config=folder / "config"))
    style = style_for(sys.stdout, environ)
    if args.of_prompts == "show":
        _show(now, style, language)
        return FAILED if playing.troubles else 0
    with source_before(args.against, folder) as source:
        before = playing.prompts(source)
    found = changes(before, now)
    _print_changes(found, source, style, language)
    return FAILED if playing.troubles or any(each.is_one for each in found) else 0


def _files(args: Namespace, environ: Mapping[str, str]) -> Iterable[tuple[Path, Path]]:
    """Return script and conversation of each state to play."""
    if bool(args.file) != bool(args.conversations):
        raise Failure(say("cli.prompt.both"), code=WRONG)
    if not args.file:
        return shipped_states()
    script = find_file(args.file, environ)
    return [(script, find_file(each, environ)) for each in args.conversations]


class _Playing:
    """Plays the same states with the prompts of several sources, and tells what went wrong."""

    def __init__(
        self,
        installation: Installation,
        scheme: str,
        template: str,
        states: Sequence[RecordedState],
        *,
        language: ReaderLanguage,
    ) -> None:
        self._installation, self._scheme, self._language = installation, scheme, language
        self._template, self._states = template, states
        self.troubles: list[Words] = []

    def prompts(self, source: PromptSource) -> list[RenderedPrompt]:
        """Return the prompts of all states; troubles are printed and kept."""
        notes: list[Words] = []
        installation = with_source(self._installation, source, self._scheme, notes)
        rendered = asyncio.run(self._render(installation))
        for each in rendered:
            self.troubles += each.troubles
            notes += (
                say("cli.prompt.of_source", source=source.name, what=it) for it in each.troubles
            )
        for note in notes:
            print(clean(note.told(self._language)), file=sys.stderr)
        found = (prompt for each in rendered for prompt in each.prompts)
        return [each for each in found if self._template in {"", each.template}]

    async def _render(self, installation: Installation) -> list[RenderedState]:
        found = []
        for state in self._states:
            try:
                found.append(await render(state, installation))
            except TimeoutError:
                raise Failure(say("cli.rehearse.no_end", file=state.conversation.file)) from None
        return found


def _show(found: Iterable[RenderedPrompt], style: Style, language: ReaderLanguage) -> None:
    """Print prompts whole; a system text that stands above is not repeated."""
    shown: dict[str, Words] = {}
    for each in found:
        print(_heading(each, style, language))
        print(tokens_line(each.tokens, each.tokens, language))
        if each.system in shown:
            same = say("cli.prompt.as_in", place=shown[each.system])
            print(style.dim(f"[system] {same.told(language)}"))
        else:
            shown[each.system] = each.place
            print(style.dim("[system]"), clean(each.system), sep="\n")
        for message in each.spoken:
            print(style.dim(f"[{message.role}]"), clean(message.content), sep="\n")
        print()


def _print_changes(
    found: Sequence[PromptChange], source: PromptSource, style: Style, language: ReaderLanguage
) -> None:
    diff = PromptDiff(language)
    for each in found:
        if not each.is_one:
            continue
        print(_heading(each.prompt, style, language))
        for line in diff.lines(each):
            print(clean(line))
        print()
    total = say("cli.prompt.against", source=clean(source.name), sum=sum_words(found))
    print(total.told(language))


def _heading(prompt: RenderedPrompt, style: Style, language: ReaderLanguage) -> str:
    heading = say(
        "cli.prompt.heading",
        state=prompt.state,
        turn=say("cli.rehearse.turn", number=prompt.turn),
        title=prompt.named,
        layer=prompt.layer,
    )
    return style.bold(clean(heading.told(language)))
