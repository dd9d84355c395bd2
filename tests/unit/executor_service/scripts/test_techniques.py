"""Technique files and use_skill: found, checked, nested, pinned."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from executor_service.scripts.checking.environment import LintEnvironment, trusting
from executor_service.scripts.loading.bundle import completed, make_bundle
from executor_service.scripts.loading.loader import LoadResult, load_script
from executor_service.scripts.model.actions import SkillConfig
from executor_service.scripts.model.fields import SkillInput, SkillOutput
from heartrule.domain.output_type import OutputType

Load = Callable[..., LoadResult]

BREATHE = """\
technique_id: breathe
technique_name: 呼吸
input_parameters:
- {name: 称呼, required: true}
- {name: 次数, required: false}
output_variables: [感受, 分数]
topic:
  topic_id: t
  actions:
  - {action_type: ai_say, action_id: say, content: "{称呼}，{次数}"}
  - {action_type: ai_ask, action_id: ask, content: x,
     output: [{get: 感受}, {get: 分数, type: integer}]}
"""
USE = """\
- action_type: use_skill
  action_id: a
  skill: breathe
  input: [{name: 称呼, value: 朋友}]
  output: [{get: 之后, from: 分数}]
"""


def script(actions: str) -> str:
    """Return a script; its actions begin in line 8."""
    head = "session:\n  session_id: s\n  phases:\n  - phase_id: p\n    topics:\n    - topic_id: t\n"
    body = "".join(f"      {line}\n" for line in actions.splitlines())
    return f"{head}      actions:\n{body}"


def load_all(
    actions: str, techniques: Mapping[str, str], installed: Mapping[str, str] | None = None
) -> LoadResult:
    """Load a script with techniques beside it, and others that the installation ships."""
    files = {f"skills/{name}.yaml": text.encode() for name, text in techniques.items()}
    shipped = {name: text.encode() for name, text in (installed or {}).items()}
    files["s.yaml"] = script(actions).encode()
    return load_script(files, main="s.yaml", environment=LintEnvironment(skill=shipped.get))


def nest(name: str, inner: str) -> str:
    """Return a technique that uses another one, in line 5."""
    use = f"- {{action_type: use_skill, action_id: a, skill: {inner}}}"
    return f"technique_id: {name}\ntopic:\n  topic_id: t\n  actions:\n  {use}\n"


PLAIN = """\
technique_id: plain
topic:
  topic_id: t
  actions:
  - {action_type: ai_say, action_id: a, content: x}
"""


def test_a_skill_beside_the_script_is_read_with_its_types() -> None:
    """Its outputs arrive under the names the script gives them."""
    result = load_all(USE, {"breathe": BREATHE})
    assert result.script is not None, result.findings
    config = result.script.phases[0].topics[0].actions[0].config
    assert config == SkillConfig(
        skill="breathe",
        input=(SkillInput(name="称呼", value="朋友"),),
        outputs=(SkillOutput(get="之后", source="分数", type=OutputType.INTEGER),),
    )
    assert list(result.script.techniques) == ["breathe"]
    assert not result.warnings


def test_a_condition_knows_the_type_a_skill_hands_out() -> None:
    """An integer inside is an integer outside."""
    behind = "- {action_type: ai_say, action_id: b, content: x, condition: '{之后} > 3'}\n"
    assert not load_all(USE + behind, {"breathe": BREATHE}).findings


USES = [
    (USE.replace("breathe", "breath"), "10:16", "did you mean `breathe`?"),
    (USE.replace("breathe", "a b"), "10:16", "letters, digits, _ and -"),
    (USE.replace("  skill: breathe\n", ""), "8:9", "use_skill needs `skill`"),
    (USE.replace("name: 称呼", "name: 名字"), "10:16", "needs the input `称呼`"),
    (USE.replace("from: 分数", "from: 得分"), "12:34", "no output variable '得分'"),
    (USE.replace(", from: 分数", ""), "12:18", "needs `from`"),
    (USE.replace("get: 之后", "get: EXIT"), "12:24", "the model's own reply"),
    (USE.replace("value: 朋友", "value: [a]"), "11:35", "`value` is a list"),
    (USE.replace(", value: 朋友", ""), "11:17", "needs `value`"),
    (USE.replace("value: 朋友}", "value: 朋友}, {name: 称呼, value: a}"), "11:40", "given twice"),
    (
        USE.replace("get: 之后, from: 分数}", "get: 甲, from: 分数}, {get: 甲, from: 感受}"),
        "12:38",
        "twice",
    ),
]


@pytest.mark.parametrize(("actions", "place", "said"), USES)
def test_a_mistake_in_the_use_of_a_skill_is_told_at_its_place(
    actions: str, place: str, said: str
) -> None:
    """Inputs and outputs are held against what the technique takes and gives."""
    errors = load_all(actions, {"breathe": BREATHE}).errors
    (error,) = (found for found in errors if said in found.message)
    assert error.where == f"s.yaml:{place}"


TYPED = BREATHE.replace("  actions", "  declare: [{var: 次数, type: integer}]\n  actions")
VALUES = [("3", True), ("三次", False), ("true", False), ("'约 3 次'", True), ("'{n}'", True)]


@pytest.mark.parametrize(("value", "fits"), VALUES)
def test_a_fixed_value_must_fit_the_type_its_parameter_takes(value: str, *, fits: bool) -> None:
    """What a placeholder gives is known only when the skill runs."""
    given = USE.replace("value: 朋友}", f"value: 朋友}}, {{name: 次数, value: {value}}}")
    errors = load_all(given, {"breathe": TYPED}).errors
    assert ["takes integer" in found.message for found in errors] == [True] * (not fits)


FILES = [
    (BREATHE.replace("[感受, 分数]", "[感觉, 分数]"), "6:20", "no action of the technique yields"),
    (BREATHE.replace("[感受, 分数]", "[感受, 感受]"), "6:24", "stands here twice"),
    (BREATHE.replace("required: true", "required: 是"), "4:24", "write true or false"),
    (
        BREATHE.replace("name: 次数", "name: 称呼"),
        "5:3",
        "the input parameter `称呼` stands here twice",
    ),
    (BREATHE.replace("technique_name", "technique_nam"), "2:1", "did you mean `technique_name`?"),
    (BREATHE.replace("  topic_id: t\n", ""), "8:3", "a topic needs `topic_id`"),
    (BREATHE.replace("get: 感受", "get: BRIEF"), "12:21", "the model's own reply"),
    (
        BREATHE.replace("  actions", "  declare: [{var: 甲, scope: session}]\n  actions"),
        "9:13",
        "a technique keeps its variables to itself",
    ),
    ("technique_id: breathe\n", "1:1", "a technique file needs `topic`"),
    ("technique_id: breathe\ntopic: x\n", "2:8", "write a mapping with topic_id"),
]


@pytest.mark.parametrize(("text", "place", "said"), FILES)
def test_a_mistake_in_a_technique_names_its_own_file(text: str, place: str, said: str) -> None:
    """The script that uses it is not blamed."""
    result = load_all(USE, {"breathe": text})
    error = result.errors[0]
    assert result.script is None
    assert error.where == f"skills/breathe.yaml:{place}"
    assert said in error.message
    assert {found.file for found in result.errors} == {"skills/breathe.yaml"}


def test_a_technique_that_nothing_uses_is_checked_as_well() -> None:
    """It is told, but it is not among those of the script."""
    say = "- {action_type: ai_say, action_id: a, content: x}"
    assert load_all(say, {"breathe": "technique_id: breathe\n"}).errors
    unused = load_all(say, {"breathe": BREATHE}).script
    assert unused is not None
    assert not unused.techniques


def test_a_skill_that_is_not_there_is_told_at_each_use() -> None:
    """Not only where it is met first."""
    use = "- {action_type: use_skill, action_id: a%d, skill: none}\n"
    errors = load_all(use % 1 + use % 2, {}).errors
    assert [found.line for found in errors] == [8, 9]


def test_two_files_of_one_id_are_an_error() -> None:
    """The second is told, with the first."""
    (error,) = load_all(USE, {"breathe": BREATHE, "other": BREATHE}).errors
    assert error.where == "skills/other.yaml:1:15"
    assert "in skills/breathe.yaml already" in error.message


def test_a_technique_may_lie_anywhere_in_the_bundle() -> None:
    """What it says it is counts, not where it lies; it is not taken for the script."""
    files = {"s.yaml": script(USE).encode(), "练习/呼吸.yml": BREATHE.encode()}
    assert not load_script(files, environment=LintEnvironment()).errors


def test_a_skill_may_not_use_itself() -> None:
    """The error stands where the circle closes and shows the way round."""
    use = "- {action_type: use_skill, action_id: a, skill: one}"
    (error,) = load_all(use, {"one": nest("one", "two"), "two": nest("two", "one")}).errors
    assert error.where == "skills/two.yaml:5:51"
    assert "one → two → one" in error.message


def test_five_skills_may_be_nested_and_not_six() -> None:
    """The error stands where the sixth is used."""
    five = {f"s{n}": nest(f"s{n}", f"s{n + 1}") for n in range(1, 5)}
    five["s5"] = PLAIN.replace("plain", "s5")
    use = "- {action_type: use_skill, action_id: a, skill: s1}"
    assert not load_all(use, five).errors
    six = {**five, "s5": nest("s5", "s6"), "s6": PLAIN.replace("plain", "s6")}
    (error,) = load_all(use, six).errors
    assert error.file == "skills/s5.yaml"
    assert "nested deeper than 5" in error.message


def test_depth_counts_wherever_a_skill_was_read_first() -> None:
    """A chain of five read alone is too deep inside another skill."""
    files = {f"s{n}": nest(f"s{n}", f"s{n + 1}") for n in range(1, 5)}
    files |= {"s5": PLAIN.replace("plain", "s5"), "s0": nest("s0", "s1")}
    uses = "".join(f"- {{action_type: use_skill, action_id: a{n}, skill: s{n}}}\n" for n in (1, 0))
    (error,) = load_all(uses, files).errors
    assert (error.file, error.line) == ("skills/s0.yaml", 5)


def test_what_skills_bring_counts_as_actions() -> None:
    """Skills of skills cannot make more actions than a script may have."""
    many = "".join(
        f"  - {{action_type: use_skill, action_id: a{n}, skill: %s}}\n" for n in range(80)
    )
    head = "technique_id: %s\ntopic:\n  topic_id: t\n  actions:\n"
    files = {
        "one": (head + many.replace("%s", "two")) % "one",
        "two": (head + many.replace("%s", "plain")) % "two",
        "plain": PLAIN,
    }
    result = load_all("- {action_type: use_skill, action_id: a, skill: one}", files)
    assert any("more than 5,000 actions" in found.message for found in result.errors)


def test_a_skill_of_the_installation_goes_into_the_bundle() -> None:
    """Its file is pinned by the version; without the installation it loads the same."""
    result = load_all(USE, {}, {"breathe": BREATHE})
    assert result.script is not None
    assert list(result.added) == ["_system/skills/breathe.yaml"]
    bare = make_bundle({"s.yaml": script(USE).encode()})
    bundle = completed(bare, result.added)
    assert bundle.version != bare.version
    again = load_script(bundle.files, main=bundle.main, environment=trusting())
    assert again.script == result.script
    assert not again.added


def test_a_skill_beside_the_script_wins_over_one_of_the_installation() -> None:
    """An author may change what ships."""
    result = load_all(USE, {"breathe": BREATHE}, {"breathe": "broken"})
    assert not result.errors
    assert not result.added


def test_a_broken_skill_of_the_installation_is_told_under_its_path() -> None:
    """Its author is somebody else, but the script cannot run."""
    (error,) = load_all(USE, {}, {"breathe": "technique_id: breathe\n"}).errors
    assert error.file == "_system/skills/breathe.yaml"


def test_a_technique_reads_only_what_it_is_given() -> None:
    """A variable of the script is not its own; the hint is told in its own file."""
    text = BREATHE.replace("{次数}", "{主诉}")
    (warning,) = load_all(USE, {"breathe": text}).warnings
    assert warning.where == "skills/breathe.yaml:10:58"


def test_a_technique_that_waits_lets_a_turn_begin_anew() -> None:
    """What a skill runs counts where it is used."""
    think = "- {action_type: ai_think, action_id: %s%d, goal: x}\n"
    many = "".join(think % ("a", n) for n in range(70))
    more = "".join(think % ("b", n) for n in range(70))
    use = "- {action_type: use_skill, action_id: u, skill: plain}\n"
    assert not load_all(many + use + more, {"plain": PLAIN}).warnings
    silent = PLAIN.replace("ai_say", "ai_think").replace("content", "goal")
    (warning,) = load_all(many + use + more, {"plain": silent}).warnings
    assert "unreachable in its turn" in warning.message


def test_a_parameter_has_one_type_for_loader_and_engine() -> None:
    """That of its declaration, else of an output of its name; a bare declaration names none."""
    technique = (
        "technique_id: count\ninput_parameters: [{name: 甲}, {name: 乙}, {name: 丙}]\n"
        "output_variables: [甲]\ntopic:\n  topic_id: t\n"
        "  declare: [{var: 甲}, {var: 乙, type: date}, {var: 丙, value: 0}]\n  actions:\n"
        '  - {action_type: ai_say, action_id: s, content: "{乙}{丙}"}\n'
        "  - {action_type: ai_ask, action_id: a, content: x, output: [{get: 甲, type: integer}]}\n"
    )
    given = ", ".join(f"{{name: {name}, value: 7}}" for name in "甲丙")
    use = f"- {{action_type: use_skill, action_id: a, skill: count, input: [{given}]}}"
    use = use.replace("]}", ', {name: 乙, value: "{x}"}]}')
    loaded = load_all(use, {"count": technique}).script
    assert loaded is not None
    types = [each.type for each in loaded.techniques["count"].input_parameters]
    assert types == [OutputType.INTEGER, OutputType.DATE, OutputType.NUMBER]
