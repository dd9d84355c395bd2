"""Means with 95 % intervals by Student's t, and the quantile they need. Pure.

The unit is the conversation: its repeats are averaged first, then arms are compared within each
conversation. A single conversation is compared by its repeats, which are independent (Welch).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, variance
from typing import TypeAlias

LEVEL = 0.95
_TINY = 1e-12
"""Differences below this are rounding."""
_SLICES = 400
"""Even; with so many the quantiles of the tables come out to all their digits."""

Contrast: TypeAlias = Sequence[tuple[float, Sequence[float]]]
"""Weights, each with the repeats it counts for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean, or a difference of means."""

    mean: float
    low: float | None = None
    """None where a single number says nothing about others."""
    high: float | None = None
    same: bool = False
    """The same in every conversation, of a single one in every run: there is no spread."""

    @property
    def is_zero(self) -> bool:
        """True where nothing differs anywhere, as far as it was played."""
        return abs(self.mean) <= _TINY and (self.same or self.low is None)


def estimate(contrasts: Mapping[str, Contrast]) -> Estimate:
    """Return the estimate over conversations, by their contrasts of arms.

    Args:
        contrasts: At least one, by conversation; each has at least one run of each arm.
    """
    if len(contrasts) == 1:
        (only,) = contrasts.values()
        return _of_repeats(only)
    units = [_value(contrast) for contrast in contrasts.values()]
    mean = fmean(units)
    if max(units) - min(units) <= _TINY:
        return Estimate(mean=mean, low=mean, high=mean, same=True)
    half = t_quantile(len(units) - 1) * math.sqrt(variance(units) / len(units))
    return Estimate(mean=mean, low=mean - half, high=mean + half)


def t_quantile(df: float, level: float = LEVEL) -> float:
    """Return t such that a Student variable lies within ±t with probability `level`."""
    low, high = 0.0, 1.0
    while _within(high, df) < level:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, df) < level else (low, middle)
    return high


def _value(contrast: Contrast) -> float:
    return math.fsum(weight * fmean(runs) for weight, runs in contrast)


def _of_repeats(contrast: Contrast) -> Estimate:
    """Return the estimate by the spread of repeats (Welch and Satterthwaite)."""
    mean = _value(contrast)
    if any(len(runs) < 2 for _, runs in contrast):
        return Estimate(mean=mean)
    parts = [(weight**2 * variance(runs) / len(runs), len(runs)) for weight, runs in contrast]
    spread = math.fsum(part for part, _ in parts)
    if spread <= _TINY**2:
        return Estimate(mean=mean, low=mean, high=mean, same=True)
    df = spread**2 / math.fsum(part**2 / (count - 1) for part, count in parts)
    half = t_quantile(df) * math.sqrt(spread)
    return Estimate(mean=mean, low=mean - half, high=mean + half)


def _within(t: float, df: float) -> float:
    """Return the probability that a Student variable lies within ±t, by Simpson's rule.

    With t = √df · tan θ the density is a power of cos θ: smooth, on a bounded interval.
    """
    end = math.atan(t / math.sqrt(df))
    step = end / _SLICES
    area = math.fsum(
        (1 if i in {0, _SLICES} else 4 if i % 2 else 2) * math.cos(i * step) ** (df - 1)
        for i in range(_SLICES + 1)
    )
    log_scale = math.lgamma((df + 1) / 2) - math.lgamma(df / 2)
    return 2 * area * step / 3 * math.exp(log_scale) / math.sqrt(math.pi)
