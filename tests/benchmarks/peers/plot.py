"""Draws the goals of a report: `plot.py REPORT.json PICTURE.png`, in the peers' environment.

One bar per measured goal: the figure over its limit, so that 1 is the limit whatever the unit; of a
goal that must be at least its limit, the limit over the figure. Shorter is better.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

_REACHED, _MISSED = "#2a7f62", "#b5482f"
_LONGEST = 4.0
"""Bars are cut there; their figures are written beside them."""


def draw(report: dict[str, Any], picture: Path) -> None:
    """Write the picture."""
    goals = [goal for row in report["rows"] for goal in row["goals"] if goal["share"] is not None]
    shares = [goal["share"] for goal in goals]
    _, axes = plt.subplots(figsize=(11, 0.32 * len(goals) + 1.6))
    colours = [_REACHED if each <= 1 else _MISSED for each in shares]
    places = range(len(goals))
    axes.barh(places, [min(each, _LONGEST) for each in shares], color=colours, height=0.7)
    axes.set_yticks(places, [_label(goal) for goal in goals], fontsize=7)
    for place, goal, each in zip(places, goals, shares, strict=True):
        label = f"{goal['figure']:.3g}  ({'≥' if goal['at_least'] else '≤'} {goal['limit']:g})"
        axes.text(min(each, _LONGEST) + 0.03, place, label, va="center", fontsize=7)
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.invert_yaxis()
    axes.set_xlim(0, _LONGEST + 1)
    axes.set_xlabel("figure over limit; left of 1: reached")
    machine = report["machine"]
    axes.set_title(f"{machine['cpu']}, {machine['cores']} cores, {machine['time']}", fontsize=8)
    plt.tight_layout()
    plt.savefig(picture, dpi=130)


def _label(goal: dict[str, Any]) -> str:
    unit = f", {goal['unit']}" if goal["unit"] else ""
    return f"{goal['what']}{unit}"


if __name__ == "__main__":
    draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
