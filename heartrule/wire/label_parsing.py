"""Checks labels, and the mask that says which of them change."""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.domain.labels import LABEL_NAME, LONGEST_LABEL, MOST_LABELS, LabelChange
from heartrule.v1 import session_pb2
from heartrule.wire.inbound import Reading, check_text
from heartrule.wire.message_mapping import refuse

_ALL = "labels"
_ONE = "labels."


def check_labels(labels: Mapping[str, str]) -> None:
    """Check the labels of a new session.

    Raises:
        InvalidRequest: there are too many, or a name or a value is not one.
    """
    reading = Reading()
    _check(labels, reading)
    refuse(reading)


def parse_label_change(request: session_pb2.UpdateSessionRequest) -> LabelChange:
    """Return what becomes of the labels that the mask names.

    Raises:
        InvalidRequest: the mask is empty or has a path that is none, labels are given that no path
            names, or a name or a value is not one.
    """
    reading, paths, labels = Reading(), set(request.update_mask.paths), dict(request.labels)
    named = {path.removeprefix(_ONE) for path in paths if path.startswith(_ONE)}
    if not paths:
        reading.wrong(
            "update_mask", f"is required: `{_ALL}`, or `{_ONE}NAME` for each that changes"
        )
    for path in sorted(paths - {_ALL} - {_ONE + name for name in named}):
        reading.wrong("update_mask", f"unknown path {path[:LONGEST_LABEL]!r}")
    for name in sorted(named):
        _check_name(name, "update_mask", reading)
    for name in sorted(labels.keys() - named if paths and _ALL not in paths else ()):
        reading.wrong("labels", f"{name[:LONGEST_LABEL]!r} is not in the mask")
    _check(labels, reading)
    refuse(reading)
    return LabelChange(
        labels=labels,
        removed=frozenset(named - labels.keys()),
        replaces_all=_ALL in paths,
    )


def _check(labels: Mapping[str, str], reading: Reading) -> None:
    if len(labels) > MOST_LABELS:
        reading.wrong("labels", f"must be at most {MOST_LABELS}")
        return
    for name, value in sorted(labels.items()):
        _check_name(name, "labels", reading)
        if len(value.encode()) > LONGEST_LABEL:
            reading.wrong(
                "labels",
                f"the value of {name[:LONGEST_LABEL]!r} must have at most {LONGEST_LABEL} bytes",
            )
        check_text(value, "labels", reading)


def _check_name(name: str, path: str, reading: Reading) -> None:
    if not LABEL_NAME.fullmatch(name):
        reading.wrong(
            path,
            f"{name[:LONGEST_LABEL]!r} is no name of a label: 1 to 63 letters, digits, `_` and "
            "`-`, a letter or `_` first",
        )
