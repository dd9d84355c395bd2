"""The client's profile: found by name in the variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.strategy.profile import (
    FILE,
    HISTORY,
    LONGEST_VALUE,
    StrategyProfile,
    load_profiles,
)
from heartrule.chassis.config_files import InvalidConfigFile
from heartrule.chassis.system_files import system_dir

PROFILE = StrategyProfile(fields={"educationLevel": ("教育程度", "学历"), "age": ("年龄",)})


def written(folder: Path, layer: str, text: str) -> Path:
    """Write one file and return the config folder."""
    place = folder / layer
    place.mkdir(parents=True, exist_ok=True)
    (place / FILE).write_text(text, encoding="utf-8")
    return folder


def test_a_field_is_the_first_of_its_variables_with_a_value() -> None:
    """Names are tried in order; an empty text is no value, 0 is one."""
    assert PROFILE.of({"教育程度": "", "学历": "本科", "年龄": 0}) == {
        "educationLevel": "本科",
        "age": 0,
    }


def test_what_is_unknown_is_absent() -> None:
    """Nothing is made up for a field without a variable."""
    assert PROFILE.of({"别的": "x", "学历": None}) == {}


def test_a_value_is_short() -> None:
    """A long text is cut; a list becomes text."""
    found = PROFILE.of({"学历": "很" * 500, "年龄": ["三", "十"]})
    assert found == {"educationLevel": "很" * LONGEST_VALUE, "age": "三、十"}


def test_without_a_file_nothing_is_told(tmp_path: Path) -> None:
    """An installation may do without a profile."""
    assert load_profiles(tmp_path).get("") == StrategyProfile()


def test_a_scheme_adds_and_replaces(tmp_path: Path) -> None:
    """A scheme's fields stand beside the default ones and win over those of their names."""
    written(tmp_path, "default", "history: 10\nfields: {age: [年龄], currentEmotion: [情绪]}")
    profiles = load_profiles(
        written(tmp_path, "custom/worry", "fields: {currentEmotion: [焦虑], fear: [怕什么]}")
    )
    assert profiles.get("other").fields == {"age": ("年龄",), "currentEmotion": ("情绪",)}
    own = profiles.get("worry")
    assert (own.history, set(own.fields)) == (10, {"age", "currentEmotion", "fear"})
    assert own.fields["currentEmotion"] == ("焦虑",)


@pytest.mark.parametrize("text", ["history: 9", "history: 21", "fields: {a: []}", "other: 1"])
def test_a_wrong_file_is_refused(tmp_path: Path, text: str) -> None:
    """Ten to twenty messages, at least one variable for a field, and no other key."""
    with pytest.raises(InvalidConfigFile):
        load_profiles(written(tmp_path, "default", text))


def test_the_shipped_profile_has_the_documents_fields() -> None:
    """The six fields of document 001 are looked for, each under several names."""
    profile = load_profiles(system_dir() / "config").get("")
    assert list(profile.fields) == [
        *("educationLevel", "age", "psychologyKnowledge"),
        *("learningStyle", "currentEmotion", "cognitiveAbility"),
    ]
    assert all(len(names) > 1 for names in profile.fields.values())
    assert profile.history == HISTORY
