"""The monitor's composition: the only module that knows which implementation is used."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass

from grpc import aio

from heartrule.chassis.health import READY, Health
from heartrule.chassis.server import Keepalive, build_server
from heartrule.chassis.system_files import system_dir
from heartrule.model.ports import ChatModel
from heartrule.model.prompt_words import load_prompt_words
from heartrule.model.template_store import TemplateStore
from heartrule.v1.monitor_service_pb2_grpc import add_MonitorServiceServicer_to_server
from monitor_service.cache import AnalysisCache
from monitor_service.handlers.handler_registry import standard_handlers
from monitor_service.json_call import Tools
from monitor_service.monitor_servicer import MonitorServicer
from monitor_service.orchestrator import TEMPLATE, TopicActionOrchestrator
from monitor_service.settings import MonitorSettings

SERVICE_NAME = "heartrule.v1.MonitorService"
# What an analysis has beside one call of the model, where nothing else is set.
_BESIDE_CALL_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningMonitor:
    """A monitor that answers until it is closed."""

    port: int
    health: Health
    grace_s: float
    server: aio.Server
    resources: AsyncExitStack

    async def drain(self) -> None:
        """Take no more calls and let those that run end within the grace."""
        await self.server.stop(grace=self.grace_s)

    async def aclose(self) -> None:
        """Stop at once and free everything, the model too; closing twice changes nothing."""
        await self.resources.aclose()


async def start_monitor(settings: MonitorSettings, model: ChatModel) -> RunningMonitor:
    """Start the service in the running loop.

    Args:
        settings: Where to listen, how long to wait, where prompts lie.
        model: What analyses are asked of; closed with the service.

    Raises:
        SettingsError: An address cannot be had.
        NotFound, InvalidTemplate: A default template is missing or broken.
        InvalidConfigFile: The engine's own words are broken.
    """
    async with AsyncExitStack() as opened:
        opened.push_async_callback(model.aclose)
        tools = _tools(settings, model)
        handlers = standard_handlers(tools)
        # A default template that cannot be read fails the start, not the first analysis.
        for name in (*handlers.templates(), TEMPLATE):
            tools.templates.get(name)
        servicer = MonitorServicer(
            handlers,
            TopicActionOrchestrator(tools),
            deadline_s=settings.analysis.analysis_timeout
            or settings.model.longest_call_s + _BESIDE_CALL_S,
            cache=AnalysisCache(settings.analysis.cache_size),
        )
        server, port = build_server(
            settings.server,
            register=lambda made: add_MonitorServiceServicer_to_server(servicer, made),
            service_names=(SERVICE_NAME,),
            keepalive=Keepalive(accept_every_s=2.0),  # executors look often whether it is there
        )
        opened.push_async_callback(server.stop, None)
        health = Health(
            settings.server.host,
            settings.server.health_port,
            variable="HEARTRULE_MONITOR_HEALTH_PORT",
        )
        opened.push_async_callback(health.close)
        await health.start()
        await server.start()
        await health.set(READY, serving=True)
        return RunningMonitor(
            port=port,
            health=health,
            grace_s=settings.server.stop_grace,
            server=server,
            resources=opened.pop_all(),
        )
    raise AssertionError("the block above returns or raises")


def _tools(settings: MonitorSettings, model: ChatModel) -> Tools:
    config = system_dir(settings.system.system_dir) / "config"
    return Tools(model=model, templates=TemplateStore(config), words=load_prompt_words(config))
