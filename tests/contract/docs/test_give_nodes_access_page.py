"""docs/how-to/give-nodes-access.md holds as it is printed: its files are loaded."""

from __future__ import annotations

import re
from pathlib import Path

from executor_service.decisions.policy import load_decision_policies
from executor_service.decisions.policy_access import read_access
from heartrule.model.providers import read_providers
from tests.support.documents import page

PAGE = page("docs/how-to/give-nodes-access.md")
POLICY, SECRETS, PROVIDERS = re.findall(
    r"^```yaml\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE
)


def test_the_policy_and_its_secrets_file_fit(tmp_path: Path) -> None:
    """Every name that the policy declares has its value in the file beside it."""
    policy, secrets = tmp_path / "policy.yaml", tmp_path / "secrets.yaml"
    policy.write_text(re.sub(r"(?<=secrets_file: ).*", str(secrets), POLICY), "utf-8")
    secrets.write_text(SECRETS, "utf-8")
    given = read_access(load_decision_policies(policy)).default
    assert given.domains == ("api.weather.com", "mail.internal.example")
    assert [str(each) for each in given.networks] == ["10.20.0.0/16"]
    assert given.models == {"gpt-4": "my-large-model"}
    assert list(given.secrets) == ["WEATHER_API_KEY"]
    assert {each.partition(":")[0] for each in given.connections.values()} == {
        "postgresql",
        "sqlite",
    }


def test_the_model_of_the_policy_is_one_of_the_providers_file() -> None:
    """The name on the right of `models` is the provider's."""
    providers = read_providers(PROVIDERS, source="providers.yaml")
    assert "my-large-model" in str(providers)
    assert "models: {gpt-4: my-large-model}" in POLICY
