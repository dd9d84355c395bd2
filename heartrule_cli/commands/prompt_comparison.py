"""`heartrule prompts show` and `diff`: the prompts of recorded conversations, with tokens."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from executor_service.installation import Installation, read_installation
from executor_service.scripts.model.findings import Located
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.prompts.prompt_changes import PromptChange, PromptDiff, changes, sum_line
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
    folder = system_folder(environ)
    installation = read_installation(folder)
    if args.scheme and not installation.templates.has_scheme(args.scheme):
        raise Failure(f"there is no template scheme {args.scheme!r}", code=WRONG)
    problems: list[Located] = []
    states = load_states(_files(args, environ), installation, problems)
    if problems:
        print_problems(problems)
        return WRONG
    playing = _Playing(installation, args.scheme, args.template, states)
    now = playing.prompts(PromptSource(name=str(folder), config=folder / "config"))
    style = style_for(sys.stdout, environ)
    if args.of_prompts == "show":
        _show(now, style)
        return FAILED if playing.troubles else 0
    with source_before(args.against, folder) as source:
        before = playing.prompts(source)
    found = changes(before, now)
    _print_changes(found, source, style)
    return FAILED if playing.troubles or any(each.is_one for each in found) else 0


def _files(args: Namespace, environ: Mapping[str, str]) -> Iterable[tuple[Path, Path]]:
    """Return script and conversation of each state to play."""
    if bool(args.file) != bool(args.conversations):
        raise Failure("name a script and, with `--with`, its conversations", code=WRONG)
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
    ) -> None:
        self._installation, self._scheme = installation, scheme
        self._template, self._states = template, states
        self.troubles: list[str] = []

    def prompts(self, source: PromptSource) -> list[RenderedPrompt]:
        """Return the prompts of all states; troubles are printed and kept."""
        told: list[str] = []
        installation = with_source(self._installation, source, self._scheme, told)
        rendered = asyncio.run(self._render(installation))
        for each in rendered:
            self.troubles += each.troubles
            told += (f"{source.name}: {trouble}" for trouble in each.troubles)
        for line in told:
            print(clean(line), file=sys.stderr)
        found = (prompt for each in rendered for prompt in each.prompts)
        return [each for each in found if self._template in {"", each.template}]

    async def _render(self, installation: Installation) -> list[RenderedState]:
        found = []
        for state in self._states:
            try:
                found.append(await render(state, installation))
            except TimeoutError:
                said = f"{state.conversation.file}: a turn did not come to its end"
                raise Failure(said) from None
        return found


def _show(found: Iterable[RenderedPrompt], style: Style) -> None:
    """Print prompts whole; a system text that stands above is not repeated."""
    shown: dict[str, str] = {}
    for each in found:
        print(_heading(each, style))
        tokens = each.tokens
        parts = f"system {tokens.system:,}, task {tokens.task:,}, data {tokens.data:,}"
        print(f"    {tokens.whole:,} tokens: {parts}, earlier {tokens.earlier:,}")
        if each.system in shown:
            print(style.dim(f"[system] as in {shown[each.system]}"))
        else:
            shown[each.system] = f"{each.title}, turn {each.turn}"
            print(style.dim("[system]"), clean(each.system), sep="\n")
        for message in each.spoken:
            print(style.dim(f"[{message.role}]"), clean(message.content), sep="\n")
        print()


def _print_changes(found: Sequence[PromptChange], source: PromptSource, style: Style) -> None:
    diff = PromptDiff()
    for each in found:
        if not each.is_one:
            continue
        print(_heading(each.prompt, style))
        for line in diff.lines(each):
            print(clean(line))
        print()
    print(f"against {clean(source.name)}: {sum_line(found)}")


def _heading(prompt: RenderedPrompt, style: Style) -> str:
    place = f"{prompt.state} · turn {prompt.turn} · {prompt.title}"
    return style.bold(clean(f"{place} ({prompt.layer})"))
