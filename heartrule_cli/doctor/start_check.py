"""The models of the environment tried beside the start of the services, to say early what fails."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import say, told
from heartrule_cli.doctor.findings import DoctorFinding, FindingLevel
from heartrule_cli.services.model_choice import choose_model
from heartrule_cli.style import ERASED, Style, style_for
from heartrule_cli.text import clean

# A model that is silent for so long fails the first turn, too.
_WAIT_S = 20.0


@asynccontextmanager
async def models_checked(environ: Mapping[str, str]) -> AsyncIterator[None]:
    """Try each model once in the background of a block, and print what fails as it is known.

    The rehearsal model is not tried; the end of the block waits for nothing.
    """
    if choose_model(environ).rehearsal:
        yield
        return
    checking = asyncio.create_task(_check(environ))
    try:
        yield
    finally:
        checking.cancel()
        await asyncio.gather(checking, return_exceptions=True)


async def _check(environ: Mapping[str, str]) -> None:
    from heartrule_cli.doctor.models_section import try_providers

    style, language = style_for(sys.stderr, environ), language_in(environ)
    for finding in await try_providers(environ, _WAIT_S):
        if finding.level is FindingLevel.ERROR:
            print(failed_text(finding, style, language), file=sys.stderr, flush=True)


def failed_text(finding: DoctorFinding, style: Style, language: ReaderLanguage) -> str:
    """Return what failed and what can be done about it, a line each where they are apart."""
    erased = ERASED if style.colours else ""  # a passing line may stand there
    why, model = finding.told(language), told(finding.subject, language)
    failed = clean(say("cli.model.silent", model=model, why=why).told(language))
    remedy = f"\n  {clean(f'→ {told(finding.remedy, language)}')}" if finding.remedy else ""
    return f"{erased}{style.warn(failed)}{remedy}"
