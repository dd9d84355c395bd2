"""The tokens a model's prompts may have; its estimates are corrected while it is used."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from operator import mul

from heartrule.domain.errors import PromptTooLong
from heartrule.model.model_limits import LEAST_CONTEXT, ModelLimits
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.prompt_fitting import FittedPrompt, fit
from heartrule.model.providers import Provider
from heartrule.model.token_counting import (
    PER_MESSAGE,
    PER_PROMPT,
    PartCounter,
    estimated_parts,
    exact_counter,
    tokens_of,
)

# Bounds of the correction: a server that reports nonsense must not empty its prompts, nor fill
# them without end. Vocabularies differ from our estimate by less.
_LEAST_FACTOR = 0.4
_MOST_FACTOR = 2.5
# A prompt with fewer tokens says little about the next one.
_LEAST_COMPARED = 200
# How much of a lower measurement is believed at once; a higher one counts in full.
_BELIEVED = 0.2

# Estimates may be a fifth too high when a limit is learned in them, and are corrected later.
_SURE = 0.8
# What a refusal may say, in the error's metadata.
_SAID = ("limit_tokens", "prompt_tokens", "completion_tokens")


class TokenBudget:
    """What one model of one provider takes, and how the tokens of its prompts are counted."""

    def __init__(self, limits: ModelLimits) -> None:
        """Start with estimates; `prepare` looks for something better."""
        self.limits = limits
        # Of the longest prompt that was answered.
        self._taken = 0
        self._use(estimated_parts)

    async def prepare(self) -> None:
        """Count by the model's encoding where its file lies on this machine."""
        if self.limits.encoding and self._parts is estimated_parts:
            exact = await asyncio.to_thread(exact_counter, self.limits.encoding)
            self._use(exact or estimated_parts)

    def _use(self, parts: PartCounter) -> None:
        self._parts = parts
        # Tokens as the provider counts them over tokens as we do, for each kind of characters.
        self._factors = [1.0] * len(parts(""))

    def count(self, text: str) -> int:
        """Return the tokens of a text, corrected."""
        tokens: float = sum(map(mul, self._factors, self._parts(text)))
        return round(tokens)

    def fit(self, request: ChatRequest, *, most_tokens: int = 0) -> FittedPrompt:
        """Return the request's messages within the budget, and what gave way.

        `most_tokens`, where it is not 0, is a further limit.
        """
        budget = self.limits.prompt_tokens
        return fit(request, min(most_tokens or budget, budget), self.count)

    def note_usage(self, messages: tuple[ChatMessage, ...], prompt_tokens: int) -> None:
        """Correct the estimates by what the provider counted for a prompt; 0: it said nothing.

        Of the difference each kind of characters gets its share (normalised least mean squares).
        """
        sums = [sum(each) for each in zip(*(self._parts(m.content) for m in messages), strict=True)]
        if not prompt_tokens or sum(sums) < _LEAST_COMPARED:
            return
        counted = PER_PROMPT + PER_MESSAGE * len(messages) + sum(map(mul, self._factors, sums))
        difference = prompt_tokens - counted
        believed = 1.0 if difference > 0 else _BELIEVED
        step = believed * difference / sum(map(mul, sums, sums))
        self._factors = [
            min(max(factor + step * part, _LEAST_FACTOR), _MOST_FACTOR)
            for factor, part in zip(self._factors, sums, strict=True)
        ]

    def note_refusal(
        self, messages: tuple[ChatMessage, ...], error: PromptTooLong, *, asked: int = 0
    ) -> None:
        """Learn from a refused prompt: the limit that was named, else what is tried next.

        A limit that leaves room for the prompt, and for the reply that was `asked` for, is not why
        it was refused.
        """
        said = {name: int(error.metadata.get(name, "0")) for name in _SAID}
        limit, reply = said["limit_tokens"], said["completion_tokens"] or asked
        least = said["prompt_tokens"] or limit - reply
        if said["prompt_tokens"] or least > tokens_of(messages, self.count):
            self.note_usage(messages, least)
        if limit:
            self.learn_limit(limit, reply, asked=asked)
        refused = tokens_of(messages, self.count)
        whole = refused + (reply or self.limits.max_output_tokens)
        if not limit or whole <= self.limits.context_tokens:
            self.learn_prompt(refused // 2)

    def note_answer(self, prompt_tokens: int) -> None:
        """Remember that a prompt of so many tokens was taken."""
        self._taken = max(self._taken, prompt_tokens)

    def has_taken(self, prompt_tokens: int) -> bool:
        """Return whether a prompt as long as that was answered before."""
        return prompt_tokens <= self._taken

    def learn_prompt(self, prompt_tokens: int) -> None:
        """Take no prompt that might have more tokens, by estimates not yet corrected."""
        prompt_tokens = round(_SURE * prompt_tokens)
        reply = min(self.limits.max_output_tokens, prompt_tokens // 3)
        self.learn_limit(prompt_tokens + reply)

    def learn_limit(self, context_tokens: int, reply: int = 0, *, asked: int = 0) -> None:
        """Take no more than that from now on: the model refused a prompt.

        `reply` is what the server kept free for the reply, where that is known. What was `asked`
        for is asked for no more where it leaves the prompt less than half.
        """
        # A server that says less must not leave a prompt without its words.
        context = max(min(context_tokens, self.limits.context_tokens), LEAST_CONTEXT)
        known = self.limits.max_output_tokens
        if context == self.limits.context_tokens and reply <= known:
            return
        most = context // 2 if asked else context // 4
        if reply and not asked:  # nothing that we send makes it less
            most = context - LEAST_CONTEXT
        self.limits = replace(
            self.limits, context_tokens=context, max_output_tokens=min(max(known, reply), most)
        )


class TokenBudgets:
    """The budgets of one provider's models."""

    def __init__(self, provider: Provider) -> None:
        """Make them when a model is first used."""
        self._provider = provider
        self._budgets: dict[str, TokenBudget] = {}

    def of(self, model: str) -> TokenBudget:
        """Return the budget of a model."""
        if model not in self._budgets:
            self._budgets[model] = TokenBudget(self._provider.limits_of(model))
        return self._budgets[model]

    async def prepare(self) -> None:
        """Load the encodings of the provider's models."""
        for model in self._provider.models.all_named():
            await self.of(model).prepare()
