"""Each provider tried with a tiny call for each of its models and with a real prompt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace

from heartrule.chassis.errors import model_details
from heartrule.chassis.plain_yaml import InvalidSettingsFile
from heartrule.chassis.settings import SettingsError, read
from heartrule.domain.model_call import Purpose
from heartrule.model.ports import ChatRequest
from heartrule.model.providers import Provider, ProviderKind, Providers
from heartrule.model.settings import KEY_VARIABLE, ModelSettings
from heartrule.words.words import Said, say
from heartrule_cli.doctor.ask_prompt import ask_request
from heartrule_cli.doctor.findings import DoctorFinding, DoctorSection, FindingLevel
from heartrule_cli.doctor.provider_calls import ModelTrier, TriedCall, tiny_request
from heartrule_cli.services.model_choice import choose_model, rehearsal_environment
from heartrule_cli.text import one_line

ASK_TRIES = 3
_SLOW_S = 5.0


async def models_section(environ: Mapping[str, str], wait_s: float) -> DoctorSection:
    """Return what each provider answered; no call lasts longer than `wait_s`."""
    findings = [_choice(environ)]
    async with _model_environment(environ) as whole:
        request = await ask_request(environ)
        findings += await try_providers(whole, wait_s, request)
    return DoctorSection(title=say("cli.doctor.models"), findings=tuple(findings))


async def try_providers(
    environ: Mapping[str, str], wait_s: float, asking: ChatRequest | None = None
) -> list[DoctorFinding]:
    """Return a finding for each model of each provider, all tried at one time.

    With `asking`, the model that talks is also sent that prompt several times.
    """
    try:
        providers = _providers(environ)
    except (SettingsError, InvalidSettingsFile, OSError) as error:
        problem = "; ".join(error.problems) if isinstance(error, SettingsError) else str(error)
        return [
            DoctorFinding(
                subject=say("cli.doctor.settings_subject"),
                text=one_line(problem),
                level=FindingLevel.ERROR,
                remedy=say("cli.doctor.settings_remedy"),
            )
        ]
    tries = [
        _try_provider(name, provider, environ, wait_s, asking)
        for name, provider in providers.in_order()
    ]
    return [finding for found in await asyncio.gather(*tries) for finding in found]


def _choice(environ: Mapping[str, str]) -> DoctorFinding:
    """Return which model is chosen; a model that is named and has no key is doubtful."""
    choice = choose_model(environ)
    named = environ.get("HEARTRULE_MODEL", "").strip()
    if not choice.rehearsal or not named:
        return DoctorFinding(subject=say("cli.doctor.choice"), text=choice.line)
    return DoctorFinding(
        subject=say("cli.doctor.choice"),
        text=say("cli.doctor.no_key", model=one_line(named)),
        level=FindingLevel.WARNING,
        remedy=say("cli.doctor.no_key_remedy", key=KEY_VARIABLE),
    )


@asynccontextmanager
async def _model_environment(environ: Mapping[str, str]) -> AsyncIterator[Mapping[str, str]]:
    """Yield the environment of a service, with the rehearsal model where that one is chosen."""
    if not choose_model(environ).rehearsal:
        yield environ
        return
    from heartrule.model.rehearsal.rehearsal_server import serve

    server = await serve(pace_s=0.0)
    try:
        yield {**environ, **rehearsal_environment(server.base_url)}
    finally:
        await server.aclose()


def _providers(environ: Mapping[str, str]) -> Providers:
    settings = read(ModelSettings, environ)
    if not settings.named:
        raise SettingsError((str(say("cli.doctor.none_named", key=KEY_VARIABLE)),))
    return settings.read_providers()


async def _try_provider(
    name: str,
    provider: Provider,
    environ: Mapping[str, str],
    wait_s: float,
    asking: ChatRequest | None,
) -> list[DoctorFinding]:
    key = environ.get(provider.api_key_env, "").strip() if provider.api_key_env else ""
    if provider.api_key_env and not key:
        return [
            DoctorFinding(
                subject=one_line(name),
                text=say("cli.doctor.key_not_set", key=one_line(provider.api_key_env)),
                level=FindingLevel.ERROR,
                remedy=say("cli.doctor.key_not_set_remedy", key=one_line(provider.api_key_env)),
            )
        ]
    trier = ModelTrier(name, provider, key, wait_s)
    async with aclosing(trier):
        found = []
        for model, purposes in _purposes(provider).items():
            tried = TriedModel(trier=trier, name=model, purposes=purposes)
            found += await _try_model(tried, asking, provider.kind)
        return found


def _purposes(provider: Provider) -> dict[str, list[Purpose]]:
    """Return the purposes of each model; one call tries all of one."""
    found: dict[str, list[Purpose]] = {}
    for purpose in Purpose:
        found.setdefault(provider.models.serving(purpose), []).append(purpose)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedModel:
    """One model of a provider."""

    trier: ModelTrier
    name: str
    purposes: Sequence[Purpose]

    def finding(
        self, text: Said, remedy: Said = "", level: FindingLevel = FindingLevel.OK
    ) -> DoctorFinding:
        """Return a finding about it."""
        return DoctorFinding(subject=one_line(self.name), text=text, remedy=remedy, level=level)

    def refused(self, call: TriedCall, before: Said = "") -> DoctorFinding:
        """Return why it gave no answer; `before` begins the sentence."""
        known = None if call.error is None else model_details(call.error)
        if known is not None:
            wrong = self.finding(before, level=FindingLevel.ERROR)
            return replace(wrong, failure=known.metadata)
        silent = say("cli.doctor.silent")
        text = silent if call.error is None else one_line(call.error.message)
        return self.finding(text, say("cli.doctor.silent_remedy"), FindingLevel.ERROR)


async def _try_model(
    tried: TriedModel, asking: ChatRequest | None, kind: ProviderKind
) -> list[DoctorFinding]:
    purposes, is_rehearsal = tried.purposes, kind is ProviderKind.REHEARSAL
    # The rehearsal model answers task cards alone.
    first = asking if is_rehearsal else tiny_request(purposes[0])
    if first is None:
        return []
    call = await tried.trier.call(replace(first, purpose=purposes[0]))
    if call.error is not None or not call.text:
        return [tried.refused(call)]
    is_slow = call.first_text_s > _SLOW_S
    all_served = len(purposes) == len(Purpose)
    served = (
        say("cli.doctor.every_purpose") if all_served else say("cli.list", items=tuple(purposes))
    )
    found = [
        tried.finding(
            say("cli.doctor.answers", seconds=f"{call.first_text_s:.1f}", purposes=served),
            say("cli.doctor.slow_remedy") if is_slow else "",
            FindingLevel.WARNING if is_slow else FindingLevel.OK,
        )
    ]
    if asking is not None and Purpose.TALK in purposes:
        calls = [await tried.trier.call(asking) for _ in range(ASK_TRIES)]
        found += _asked(tried, calls, is_rehearsal=is_rehearsal)
    return found


def _asked(
    tried: TriedModel, calls: Sequence[TriedCall], *, is_rehearsal: bool
) -> list[DoctorFinding]:
    """Return whether a model streams and keeps JSON, over several answers to a real prompt."""
    if not any(each.text for each in calls):
        return [tried.refused(calls[0], say("cli.doctor.no_real_prompt"))]
    found = []
    if any(each.pieces > 1 for each in calls):
        found.append(tried.finding(say("cli.doctor.streams")))
    elif not is_rehearsal:  # that one answers so fast that its pieces arrive together
        text, remedy = say("cli.doctor.no_stream"), say("cli.doctor.no_stream_remedy")
        found.append(tried.finding(text, remedy, FindingLevel.WARNING))
    kept = sum(each.is_json for each in calls)
    text = say("cli.doctor.keeps_json", kept=kept, tries=len(calls))
    if kept == len(calls):
        return [*found, tried.finding(text)]
    remedy = say("cli.doctor.keeps_json_remedy")
    return [*found, tried.finding(text, remedy, FindingLevel.WARNING)]
