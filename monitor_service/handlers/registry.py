"""Finds the handler of an action type."""

from __future__ import annotations

from collections.abc import Iterable

from heartrule.domain.errors import FieldViolation, InvalidRequest
from monitor_service.asking import Tools
from monitor_service.handlers.ai_ask import AiAskMonitorHandler
from monitor_service.handlers.ai_say import AiSayMonitorHandler
from monitor_service.handlers.base import MonitorHandler
from monitor_service.handlers.fill_form import FillFormMonitorHandler


class HandlerRegistry:
    """All handlers of a process by action type."""

    def __init__(self, handlers: Iterable[MonitorHandler]) -> None:
        """Of two handlers of one type the last counts."""
        self._handlers = {handler.action_type: handler for handler in handlers}

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
    """Return the handlers this release has: ai_ask, ai_say and fill_form."""
    return HandlerRegistry(
        (AiAskMonitorHandler(tools), AiSayMonitorHandler(tools), FillFormMonitorHandler(tools))
    )
