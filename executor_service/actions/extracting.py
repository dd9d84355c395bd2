"""From the values of a reply to variables: names, types, and what the client said for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from executor_service.actions.action_context import RoundContext
from executor_service.scripts.model.fields import Collect, Output
from executor_service.variables.client_words import ClientWords, normalized
from executor_service.variables.outputs import Renamed, convert_outputs, rename
from executor_service.variables.quotes import LONGEST_QUOTE, Claim, Rules, Supported, supported
from executor_service.variables.records import gather
from heartrule.domain.action_result import GATHERED_AHEAD
from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Degradation
from heartrule.domain.variables import Provenance, ValueSupport
from heartrule.model.reply.typed_replies import TalkReply

#: What a template names in `asks` that has the client's words quoted beside each value.
QUOTES = "quotes"
#: Key of an instance's memory: the reply before had names that no output has.
WRONG_NAMES = "wrong_names"
# Characters of a foreign name that are recorded.
_LONGEST_NAME = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What became of the values the reply held."""

    values: Mapping[str, JsonValue] = field(default_factory=dict)
    """Those that stand now, by variable."""
    given: frozenset[str] = frozenset()
    """The variables among them that the client gave."""
    degradations: tuple[Degradation, ...] = ()
    complete: str = ""
    """In words, that a form is filled in."""
    refused: bool = False
    """True when the model gave a value its field does not take: its EXIT rests on a mistake."""
    facts: Mapping[str, JsonValue] = field(default_factory=dict)
    """Further facts of the result."""
    memory: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the next prompt of the action has to say."""


#: Of a reply that gave no value.
NOTHING = Extracted()


def extract_outputs(
    context: RoundContext, outputs: Sequence[Output], reply: TalkReply
) -> Extracted:
    """Write the outputs that a reply holds and the client's words support."""
    if not reply.variables and not reply.foreign:
        return NOTHING
    asked = _Asked.of(context, outputs, reply)
    own = write_supported(context, asked.claims, asked.rules)
    beside = _beside(context, outputs, reply, asked)
    if not beside:
        return asked.extracted(own)
    found = write_supported(context, beside, replace(asked.rules, quotes_asked=True))
    extracted = asked.extracted(_joined(own, found))
    later = {each.get for each in context.beside.later}
    ahead: list[JsonValue] = [name for name in found.values if name in later]
    if not ahead:
        return extracted
    return replace(extracted, facts={**extracted.facts, GATHERED_AHEAD: ahead})


def _beside(
    context: RoundContext, outputs: Sequence[Output], reply: TalkReply, asked: _Asked
) -> tuple[Claim, ...]:
    """Return what a reply gives for other questions: values not known yet, and corrections.

    A correction is said in the newest words, and by words that give nothing else.
    """
    own = {output.get for output in outputs}
    later = [each for each in context.beside.later if each.get not in own]
    known = [each for each in context.beside.known if each.get not in own]
    told = _claims(later, reply.variables, reply.quotes)[0]
    taken = {normalized(claim.quote) for claim in (*asked.claims, *told)}
    corrections = (
        claim
        for claim in _claims(known, reply.variables, reply.quotes)[0]
        if claim.value != context.variables.get(claim.output.get)
        and normalized(claim.quote) not in taken
        and asked.rules.words.newest_hold(claim.quote)
    )
    return (*told, *corrections)


def _joined(own: Supported, beside: Supported) -> Supported:
    return Supported(
        values={**own.values, **beside.values},
        provenance={**own.provenance, **beside.provenance},
        unsupported={**own.unsupported, **beside.unsupported},
        given=own.given | beside.given,
    )


def _claims(
    outputs: Sequence[Output], given: Mapping[str, JsonValue], quotes: Mapping[str, str]
) -> tuple[list[Claim], tuple[Degradation, ...]]:
    """Return the values given for outputs in their types, and what does not convert."""
    converted = convert_outputs(given, outputs)
    claims = [
        Claim.of(each, converted.values[name], given[name], quotes.get(name))
        for each in outputs
        if (name := each.get) in converted.values
    ]
    return claims, converted.degradations


def extract_record(context: RoundContext, collect: Collect, reply: TalkReply) -> Extracted:
    """Add to a list the record of what a reply holds and the client's words support."""
    asked = _Asked.of(context, collect.outputs, reply)
    found = supported(asked.claims, asked.rules)
    added = gather(collect, context.variables.get(collect.into), found.values)
    quotes = dict.fromkeys(each.quote for each in found.provenance.values() if each.quote)
    said = ValueSupport.CLIENT_WORDS if found.given else ValueSupport.UNQUOTED
    quote = context.scene.words.semicolon.join(quotes)[:LONGEST_QUOTE]
    rests_on = Provenance(support=said, quote=quote)
    context.write(added, {collect.into: rests_on})
    given = frozenset(added) if found.given else frozenset[str]()
    return replace(asked.extracted(found), values=added, given=given)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a reply gives for the outputs that were asked for."""

    claims: Sequence[Claim]
    rules: Rules
    renamed: Renamed
    degradations: tuple[Degradation, ...]

    @classmethod
    def of(cls, context: RoundContext, outputs: Sequence[Output], reply: TalkReply) -> _Asked:
        """Convert what the reply gives, under the names the outputs have."""
        rules = rules_of(context, outputs)
        renamed = _renamed(context, outputs, reply, rules)
        given, quotes = dict(reply.variables), dict(reply.quotes)
        for output, name in renamed.names.items():
            given[output] = reply.foreign[name]
            if name in quotes:
                quotes[output] = quotes[name]
        claims, unconverted = _claims(outputs, given, quotes)
        return cls(claims=claims, rules=rules, renamed=renamed, degradations=unconverted)

    def extracted(self, found: Supported) -> Extracted:
        """Return what became of it."""
        facts = found.facts()
        if names := self.renamed.names:
            facts["renamed"] = {name[:_LONGEST_NAME]: output for output, name in names.items()}
        if unknown := self.renamed.unknown:
            facts["unknown_names"] = [name[:_LONGEST_NAME] for name in unknown]
        return Extracted(
            values=found.values,
            given=found.given,
            degradations=(*self.degradations, *found.degradations()),
            facts=facts,
            memory={WRONG_NAMES: True} if unknown else {},
        )


def rules_of(context: RoundContext, outputs: Iterable[Output]) -> Rules:
    """Return what the values of this round's reply are held against."""
    scene = context.scene
    template = context.templates.get(context.action.action_type.value, scene.scheme, scene.language)
    said = [message.content for message in context.history if message.role == "user"]
    newest = context.reply if context.reply is not None else context.beside.unjudged
    return Rules(
        words=ClientWords(newest, said),
        quotes_asked=QUOTES in template.asks,
        not_values=tuple(output.define for output in outputs),
        held=context.variables.visible(),
    )


def write_supported(context: RoundContext, claims: Iterable[Claim], rules: Rules) -> Supported:
    """Write the claims that the client's words support; what is known already is left as it is."""
    standing: dict[str, JsonValue] = {}
    fresh = []
    for claim in claims:
        if _stands(context, claim):
            standing[claim.output.get] = claim.value
        else:
            fresh.append(claim)
    found = supported(fresh, rules)
    context.write(found.values, found.provenance)
    return replace(found, values={**standing, **found.values}, given=found.given | standing.keys())


def _stands(context: RoundContext, claim: Claim) -> bool:
    """Return whether a model only repeats what the client gave before."""
    name = claim.output.get
    return context.variables.get(name) == claim.value and context.known(name)


def _renamed(
    context: RoundContext, outputs: Sequence[Output], reply: TalkReply, rules: Rules
) -> Renamed:
    if not reply.foreign:
        return Renamed()

    def fits(output: Output, name: str) -> bool:
        value = convert_outputs({output.get: reply.foreign[name]}, (output,)).values.get(output.get)
        if value is None:
            return False
        claim = Claim.of(output, value, reply.foreign[name], reply.quotes.get(name))
        # What a template that asks for no quotes leaves open is no ground for a guess.
        return bool(supported((claim,), replace(rules, quotes_asked=True)).values)

    unfilled = [
        output
        for output in outputs
        if output.get not in reply.variables and not context.known(output.get)
    ]
    return rename(reply.foreign, unfilled, fits=fits)
