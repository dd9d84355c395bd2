"""Finds the handler of an action type."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from typing import ClassVar, TypeGuard

from heartrule.domain.action_result import ActionMetrics
from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.domain.monitoring import AnalysisReport
from heartrule.model.prompt_words import AdviceWords, MonitorWords
from monitor_service.handlers.ai_ask_monitor import AiAskMonitorHandler
from monitor_service.handlers.base import MonitorHandler
from monitor_service.json_call import Tools


class GenericMonitorHandler(AiAskMonitorHandler):
    """Judges by whatever metrics a type reports, with the template `generic_monitor`."""

    action_type: ClassVar[str] = "generic"

    def said_by(self, words: MonitorWords) -> AdviceWords:
        """Return the titles and the last sentence of a block of advice."""
        return words.generic

    def parse_metrics(self, report: AnalysisReport) -> ActionMetrics:
        """Return the reported metrics; an absent one is no error, because the type is unknown."""
        reported = asdict(report.metrics)
        return ActionMetrics(**{name: text.strip() for name, text in reported.items()})


class HandlerRegistry:
    """All handlers of a process by action type."""

    def __init__(
        self, handlers: Iterable[MonitorHandler], *, fallback: MonitorHandler | None = None
    ) -> None:
        """Of two handlers of one type the last counts; `fallback` judges types without one."""
        self._handlers = {handler.action_type: handler for handler in handlers}
        self._fallback = fallback

    def templates(self) -> tuple[str, ...]:
        """Return the names of all templates the handlers ask with, sorted."""
        types = [*self._handlers, *([self._fallback.action_type] if self._fallback else [])]
        return tuple(f"{action_type}_monitor" for action_type in sorted(types))

    def judging(self, report: AnalysisReport) -> MonitorHandler:
        """Return the handler of a round: its type's, else the fallback where it reports metrics.

        Raises:
            InvalidRequest: Rounds of that type are not judged, and it reports no metrics.
        """
        reported = any(text.strip() for text in asdict(report.metrics).values())
        if self._fallback is not None and reported and report.action_type not in self._handlers:
            return self._fallback
        return self.get(report.action_type)

    def action_types(self) -> tuple[str, ...]:
        """Return the types that are judged, sorted."""
        return tuple(sorted(self._handlers))

    def get(self, action_type: str) -> MonitorHandler:
        """Return the handler of that type.

        Raises:
            InvalidRequest: Rounds of that type are not judged.
        """
        handler = self._handlers.get(action_type)
        if handler is None:
            known = ", ".join(self.action_types())
            problem = f"no monitor judges {action_type!r}; known are {known}"
            raise InvalidRequest(
                problem,
                reason="NO_MONITOR",
                violations=(FieldViolation(field="report.action_type", description=problem),),
            )
        return handler


def standard_handlers(tools: Tools) -> HandlerRegistry:
    """Return the handlers this package has a module for, and the generic one for other types."""
    found = [each for each in handler_classes() if each is not GenericMonitorHandler]
    return HandlerRegistry(
        [handler(tools) for handler in found], fallback=GenericMonitorHandler(tools)
    )


def handler_classes() -> tuple[type[MonitorHandler], ...]:
    """Return the handlers of all modules beside this one; a new module is found by being there."""
    package = __name__.rpartition(".")[0]
    names = sorted(each.name for each in iter_modules(import_module(package).__path__))
    modules = [import_module(f"{package}.{name}") for name in names]
    return tuple(
        value
        for module in modules
        for value in vars(module).values()
        if _is_handler(value) and value.__module__ == module.__name__
    )


def _is_handler(value: object) -> TypeGuard[type[MonitorHandler]]:
    return isinstance(value, type) and issubclass(value, MonitorHandler) and not isabstract(value)
