"""The monitor of fill_form: it judges as that of ai_ask."""

from __future__ import annotations

from typing import ClassVar

from monitor_service.handlers.ai_ask_monitor import AiAskMonitorHandler


class FillFormMonitorHandler(AiAskMonitorHandler):
    """Judges rounds of fill_form."""

    action_type: ClassVar[str] = "fill_form"
    closing: ClassVar[str] = "请根据以上建议调整你的问法。"
