"""Caches the analyses of rounds that are equal in every respect (RESOLUTIONS C14)."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from heartrule.domain.action_result import ActionMetrics
from heartrule.domain.monitoring import AnalysisReport, MonitorAnalysis

# Key of an analysis's metadata: true where it was copied.
CACHED = "cached"
# Seconds an analysis is kept: a client's text must not outlive its session for long.
_KEPT_S = 600.0

# A digest: no text of a client is kept in a key.
CacheKey: TypeAlias = bytes


def key_of(report: AnalysisReport, metrics: ActionMetrics, *, template_hash: str) -> CacheKey:
    """Return the key of rounds that need no second analysis: a digest of all that is judged."""
    parts = (
        (report.tenant, report.session_id, report.action_instance_id, report.action_type),
        (template_hash, report.language),
        (metrics, report.progress_suggestion, report.trend),
        (report.topic_strategy, report.completed, report.exit_reason, report.exit_decision),
        (report.dialogue_before, report.dialogue, report.earlier_replies, report.signals),
        (report.known_outputs, report.known_quotes),
        (report.task, report.exit_condition, report.topic_goal),
    )
    return hashlib.sha256(repr(parts).encode()).digest()


class AnalysisCache:
    """The least recently used analyses of this process are dropped, and those that are too old."""

    def __init__(self, size: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Keep at most `size` of them; 0 keeps none."""
        self._size = size
        self._clock = clock
        self._kept: OrderedDict[CacheKey, tuple[float, MonitorAnalysis]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: CacheKey) -> MonitorAnalysis | None:
        """Return a copy marked as cached; None where there is none, or an old one."""
        found = self._kept.get(key)
        if found is None:
            return None
        made, analysis = found
        if self._clock() - made > _KEPT_S:
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return replace(analysis, metadata={**analysis.metadata, CACHED: True})

    def put(self, key: CacheKey, analysis: MonitorAnalysis) -> None:
        """Keep an analysis, and forget the one unused for longest where there are too many."""
        self._kept[key] = (self._clock(), analysis)
        self._kept.move_to_end(key)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)
