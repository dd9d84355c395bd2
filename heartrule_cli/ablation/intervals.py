"""Means with 95 % intervals by Student's t, and the quantile they need. Pure.

The unit is the conversation: its repeats are averaged first, then arms are compared within each
conversation. A single conversation is compared by its repeats, which are independent (Welch).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance
from typing import TypeAlias

LEVEL = 0.95
# Differences below this are rounding.
_TINY = 1e-12
# Even, as Simpson's rule demands; so many give the quantiles of the tables to all their digits.
_SLICES = 400

# Weights of arms within one conversation, each with the figures of its repeats.
Contrast: TypeAlias = Sequence[tuple[float, Sequence[float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean, or a difference of means."""

    mean: float
    low: float | None = None
    """None where a single number says nothing about others."""
    high: float | None = None
    same: bool = False
    """True without any spread: the same in every conversation, or in every run of a single one."""

    @property
    def is_zero(self) -> bool:
        """True where nothing differs anywhere, as far as it was played."""
        return abs(self.mean) <= _TINY and (self.same or self.low is None)


def estimate(contrasts: Sequence[Contrast]) -> Estimate:
    """Return the estimate over conversations: at least one, each with a run of every arm."""
    units = [math.fsum(weight * fmean(runs) for weight, runs in each) for each in contrasts]
    mean = fmean(units)
    if len(units) > 1:
        parts = [(variance(units) / len(units), len(units) - 1)]
    elif all(len(runs) > 1 for _, runs in contrasts[0]):
        parts = [
            (weight**2 * variance(runs) / len(runs), len(runs) - 1) for weight, runs in contrasts[0]
        ]
    else:
        return Estimate(mean=mean)
    spread = math.fsum(part for part, _ in parts)
    if spread <= _TINY**2:
        return Estimate(mean=mean, low=mean, high=mean, same=True)
    # Welch and Satterthwaite; over conversations there is one part, whose degrees these are.
    df = spread**2 / math.fsum(part**2 / free for part, free in parts)
    half = t_quantile(df) * math.sqrt(spread)
    return Estimate(mean=mean, low=mean - half, high=mean + half)


def t_quantile(df: float) -> float:
    """Return t such that a Student variable lies within ±t with probability LEVEL."""
    low, high = 0.0, 1.0
    while _within(high, df) < LEVEL:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, df) < LEVEL else (low, middle)
    return high


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
