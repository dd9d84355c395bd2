"""Strategies for tests: decisions, a model's answers, an adviser."""

from __future__ import annotations

import json

from executor_service.strategy.adviser import Strategies, StrategyAdviser
from executor_service.strategy.profile import StrategyProfile, StrategyProfiles
from heartrule.domain.conversation import Role
from heartrule.domain.keys import SessionKey
from heartrule.domain.strategy import (
    StrategyAction,
    StrategyContext,
    StrategyDecision,
    StrategyLine,
    StrategyReasoning,
    StrategyRecommendation,
    StrategySituation,
)
from heartrule.model.ports import ChatModel
from heartrule.model.prompt_words import base_words
from tests.support.written_templates import written_templates

PROFILES = StrategyProfiles(default=StrategyProfile(fields={"educationLevel": ("学历",)}))


def decision(round_: int = 1) -> StrategyDecision:
    """Return a decision that holds something of everything."""
    return StrategyDecision(
        action_id="explain_abc",
        action_instance_id="act_3",
        round=round_,
        context=StrategyContext(
            user_profile={"educationLevel": "本科", "age": 29},
            conversation_history=(StrategyLine(role=Role.CLIENT, content="说不清楚"),),
            current_situation=StrategySituation(
                topic_description="认识情绪：分清想法和感受",
                current_phase="探索",
                progress_summary="第 1 次说明，最多 3 次",
                understanding_trend="理解程度 35、60，在上升",
            ),
            action_config=StrategyAction(
                action_type="ai_say",
                subtype="introduce_concept",
                max_rounds=3,
                exit_criteria={"understanding_threshold": 80},
            ),
        ),
        recommendation=StrategyRecommendation(
            strategy_prompt="【沟通策略建议】\n用日常的例子，语气缓一些",
            reasoning=StrategyReasoning(
                user_state_analysis="情绪低落，愿意谈",
                key_considerations=("先接住情绪", "一次一个意思"),
                strategy_rationale="对方说不清楚，先不讲概念",
            ),
        ),
    )


def strategy_reply(prompt: str = "用短句", **fields: object) -> str:
    """Return a whole answer of the strategy engine's model."""
    reasoning = {
        "userStateAnalysis": "低落，愿意谈",
        "keyConsiderations": ["先接住"],
        "strategyRationale": "负担小",
    }
    reply = {"reasoning": reasoning, "strategyPrompt": prompt}
    return json.dumps({**reply, **fields}, ensure_ascii=False)


def adviser(
    model: ChatModel, *, wait_s: float = 5.0, timeout_s: float = 5.0, scheme: str = ""
) -> StrategyAdviser:
    """Return an adviser over a written template; its ledger is empty."""
    return StrategyAdviser(
        model=model,
        templates=written_templates(),
        ledger=[],
        session=SessionKey("default", "ses_1"),
        instance_id="act_1",
        round=1,
        scheme=scheme,
        language="",
        words=base_words(),
        strategies=Strategies(wait_s=wait_s, timeout_s=timeout_s, profiles=PROFILES),
    )
