"""Each provider tried with a tiny call for each of its models and with a real prompt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

from heartrule.chassis.plain_yaml import InvalidSettingsFile
from heartrule.chassis.settings import SettingsError, read
from heartrule.domain.model_call import Purpose
from heartrule.model.ports import ChatRequest
from heartrule.model.providers import Provider, ProviderKind, Providers
from heartrule.model.settings import KEY_VARIABLE, ModelSettings
from heartrule_cli.doctor.ask_prompt import ask_request
from heartrule_cli.doctor.findings import DoctorFinding, DoctorSection, FindingLevel
from heartrule_cli.doctor.provider_calls import ModelTrier, TriedCall, tiny_request
from heartrule_cli.doctor.refusals import TriedModel, refusal
from heartrule_cli.model_choice import choose_model, rehearsal_environment
from heartrule_cli.text import one_line

TITLE = "Models"
ASK_TRIES = 3
_SLOW_S = 5.0


async def models_section(environ: Mapping[str, str], wait_s: float) -> DoctorSection:
    """Return what each provider answered; no call lasts longer than `wait_s`."""
    findings = [_choice(environ)]
    async with _model_environment(environ) as whole:
        request = await ask_request(environ)
        findings += await try_providers(whole, wait_s, request)
    return DoctorSection(title=TITLE, findings=tuple(findings))


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
                subject="settings",
                text=one_line(problem),
                level=FindingLevel.ERROR,
                remedy="correct it; no model is called before",
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
        return DoctorFinding(subject="choice", text=choice.line.removeprefix("model: "))
    return DoctorFinding(
        subject="choice",
        text=f"HEARTRULE_MODEL names {one_line(named)} and no key is set, so the rehearsal model "
        "of fixed answers speaks",
        level=FindingLevel.WARNING,
        remedy=f"set {KEY_VARIABLE}, or OPENAI_BASE_URL where the server asks for no key",
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
        raise SettingsError((f"no model is named: set {KEY_VARIABLE} and HEARTRULE_MODEL",))
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
                text=f"its key is not set: {one_line(provider.api_key_env)}",
                level=FindingLevel.ERROR,
                remedy=f"set {one_line(provider.api_key_env)}",
            )
        ]
    trier = ModelTrier(name, provider, key, wait_s)
    is_file = bool(environ.get("HEARTRULE_PROVIDERS", "").strip())
    async with aclosing(trier):
        found = []
        for model, purposes in _purposes(provider).items():
            tried = TriedModel(provider=provider, model=model, api_key=key, is_from_file=is_file)
            found += await _try_model(trier, tried, purposes, asking)
        return found


def _purposes(provider: Provider) -> dict[str, list[Purpose]]:
    """Return the purposes of each model; one call tries all of one."""
    found: dict[str, list[Purpose]] = {}
    for purpose in Purpose:
        found.setdefault(provider.models.serving(purpose), []).append(purpose)
    return found


async def _try_model(
    trier: ModelTrier,
    tried: TriedModel,
    purposes: Sequence[Purpose],
    asking: ChatRequest | None,
) -> list[DoctorFinding]:
    is_rehearsal = tried.provider.kind is ProviderKind.REHEARSAL
    # The rehearsal model answers task cards alone.
    first = asking if is_rehearsal and asking is not None else tiny_request(purposes[0])
    if is_rehearsal and asking is None:
        return []
    call = await trier.call(replace(first, purpose=purposes[0]))
    subject = one_line(tried.model)
    if not call.text:
        text, remedy = refusal(tried, call)
        return [
            DoctorFinding(
                subject=subject,
                text=one_line(text),
                level=FindingLevel.ERROR,
                remedy=one_line(remedy),
            )
        ]
    is_slow = call.first_text_s > _SLOW_S
    served = "every purpose" if len(purposes) == len(Purpose) else ", ".join(purposes)
    found = [
        DoctorFinding(
            subject=subject,
            text=f"answers after {call.first_text_s:.1f} s, for {served}",
            level=FindingLevel.WARNING if is_slow else FindingLevel.OK,
            remedy="clients wait that long for each first word: a faster model" if is_slow else "",
        )
    ]
    if asking is not None and Purpose.TALK in purposes:
        calls = [await trier.call(asking) for _ in range(ASK_TRIES)]
        found += _asked(tried, calls, is_rehearsal=is_rehearsal)
    return found


def _asked(
    tried: TriedModel, calls: Sequence[TriedCall], *, is_rehearsal: bool
) -> list[DoctorFinding]:
    """Return whether a model streams and keeps JSON, over several answers to a real prompt."""
    subject, answered = one_line(tried.model), [each for each in calls if each.text]
    if not answered:
        text, remedy = refusal(tried, calls[0])
        text = f"answers a word, and not the prompt of a question: {text}"
        level = FindingLevel.ERROR
        return [DoctorFinding(subject=subject, text=one_line(text), level=level, remedy=remedy)]
    found = []
    if not is_rehearsal:
        streams = any(each.pieces > 1 for each in answered)
        found.append(
            DoctorFinding(
                subject=subject,
                text="streams" if streams else "does not stream: its answers come whole",
                level=FindingLevel.OK if streams else FindingLevel.WARNING,
                remedy="" if streams else "a proxy may hold them back; clients wait for the end",
            )
        )
    kept = sum(each.is_json for each in calls)
    is_kept = kept == len(calls)
    found.append(
        DoctorFinding(
            subject=subject,
            text=f"keeps JSON in {kept} of {len(calls)} answers to the prompt of a question",
            level=FindingLevel.OK if is_kept else FindingLevel.WARNING,
            remedy=""
            if is_kept
            else "set `profile.response_format` of a providers file, or take "
            "another model; what is no JSON is repaired or asked for again",
        )
    )
    return found
