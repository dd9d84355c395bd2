"""The monitor of fill_form: it judges as that of ai_ask."""

from __future__ import annotations

from typing import ClassVar

from heartrule.model.prompt_words import AdviceWords, MonitorWords
from monitor_service.handlers.ai_ask_monitor import AiAskMonitorHandler


class FillFormMonitorHandler(AiAskMonitorHandler):
    """Judges rounds of fill_form."""

    action_type: ClassVar[str] = "fill_form"

    def said_by(self, words: MonitorWords) -> AdviceWords:
        """Return the titles and the last sentence of a block of advice."""
        return words.fill_form
