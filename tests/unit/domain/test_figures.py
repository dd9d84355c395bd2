"""What the calls of models cost, where prices are given."""

from __future__ import annotations

import pytest

from heartrule.domain.figures import ModelFigures, Prices, ScriptFigures, prices_of


def figures(*models: str) -> ScriptFigures:
    """Return figures in which each model had a million tokens of prompts, and half of answers."""
    used = tuple(
        ModelFigures(
            purpose="talk",
            provider="openai",
            model=model,
            prompt_tokens=1_000_000,
            completion_tokens=500_000,
        )
        for model in models
    )
    return ScriptFigures(script_id="s", script_version="v", models=used)


def test_a_model_with_a_price_has_its_cost_and_another_has_none() -> None:
    """A model's name may hold what separates prices."""
    prices = Prices(currency="CNY", by_model=prices_of(["lab/a=b=2.5/10"]))
    priced = prices.priced(figures("lab/a=b", "other"))
    assert priced.currency == "CNY"
    assert [each.cost for each in priced.models] == ["7.500000", ""]


def test_costs_that_nobody_has_have_no_currency() -> None:
    """Nothing is shown where no price is known."""
    assert Prices(currency="USD").priced(figures("other")).currency == ""


@pytest.mark.parametrize("written", ["gpt-4o", "=1/2", "gpt-4o=1", "gpt-4o=-1/2", "gpt-4o=1e9/2"])
def test_what_is_no_price_is_refused(written: str) -> None:
    """With a sentence that shows how one is written."""
    with pytest.raises(ValueError, match="MODEL=PROMPT/ANSWER"):
        prices_of([written])
