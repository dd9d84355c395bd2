"""What a node of each type is configured with (document 002, scenarios 2 and 3)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    Strict,
    ValidationInfo,
    WithJsonSchema,
)

from executor_service.workflows.recovery_plan import RecoveryPlan
from executor_service.workflows.strict_model import (
    NOT_BLANK,
    WHOLE,
    AtLeastOne,
    ConditionalField,
    Free,
    Id,
    Json,
    StrictModel,
    Text,
    Unread,
    objection,
)
from heartrule.domain.decisions import FindingCode
from heartrule.domain.workflows import MOST_NODES, Node, NodeType

MOST_SECONDS = 300
"""A single node's time (section 3.1; RESOLUTIONS D4)."""
Timeout: TypeAlias = Annotated[float, Field(gt=0, le=MOST_SECONDS)]


class RetryConfig(StrictModel):
    """How often a node is tried again, and after how long."""

    max_retries: Annotated[int, Field(ge=0, le=10), WHOLE] | None = None
    """Retries after the first run; none where it is not said."""
    retry_delay: Annotated[float, Field(ge=0, le=60)] | None = None
    """Seconds before the first of them, doubled for each further one up to 60; 1 where it is not
    said."""


class BoundaryConfig(StrictModel):
    """START and END have nothing to configure."""


class TimedConfig(StrictModel):
    """What does something has a time for it."""

    timeout: Timeout | None = None
    """Seconds that one run of the node may take."""


class LlmMessage(StrictModel):
    """A message that the model is given."""

    role: Literal["system", "user", "assistant"]
    """Who says it."""
    content: Text
    """What is said; `${name}` and `${node.output.name}` are filled in."""


class LlmConfig(TimedConfig):
    """Asks a model."""

    conditions: ClassVar[tuple[ConditionalField, ...]] = (ConditionalField(("prompt", "messages")),)
    model: Text | None = None
    """The model's name; the installation's own where none is given."""
    prompt: Text | None = None
    """What it is asked; a bare `${name}` that nothing gives is an input still to be mapped."""
    messages: AtLeastOne[LlmMessage] | None = None
    """A conversation, in place of the prompt or behind it."""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    """How freely it answers."""
    max_tokens: Annotated[int, Field(ge=1, le=10_000), WHOLE] | None = None
    """The longest answer."""


class HttpConfig(TimedConfig):
    """Calls an address."""

    url: Text
    """http or https, without a user part."""
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    """GET where it is missing, as a correction."""
    params: Free | None = None
    """The query's parameters."""
    headers: Free | None = None
    """The request's headers."""
    body: Json = None
    """The request's body, any JSON."""


class PythonConfig(TimedConfig):
    """Runs the body of a Python function in a sandbox."""

    code: Text
    """It sees its mapped inputs as names and ends in `return {…}`."""


class DatabaseConfig(TimedConfig):
    """Reads from a database."""

    query: Text
    """One statement that reads; `${name}` becomes a bound parameter."""
    connection: Id | None = None
    """The name of a connection that the installation has."""
    params: Free | None = None
    """Values of further parameters."""


class ConditionConfig(TimedConfig):
    """Computes a condition that edges may ask for."""

    expression: Text
    """CEL, with `${node.output.name}` for values."""


def _items(value: Any) -> Any:
    """Pass a list, or a text that refers to one; null is nothing."""
    if value is None:
        return None
    if not isinstance(value, str | list | tuple):
        raise objection(
            FindingCode.WRONG_TYPE, "must be a list, or a text such as ${node.output.x}."
        )
    if not value or (isinstance(value, str) and not value.strip()):
        raise objection(FindingCode.EMPTY_VALUE, "must not be empty.")
    return value


_ITEMS_SCHEMA = WithJsonSchema(
    {"type": ["string", "array", "null"], "pattern": NOT_BLANK, "minItems": 1}
)


def config_of_its_type(config: Unread, info: ValidationInfo) -> Unread:
    """Return the configuration if it is one of the node's type; if the type is none, anyhow.

    The fields are read in order, so the type is known if it is one.
    """
    node_type = info.data.get("type", info.data.get("node_type"))
    if node_type is not None:
        config_model(NodeType(node_type)).model_validate(config)
    return config


def few_nodes(nodes: Any) -> Any:
    """Pass what has at most as many nodes as a workflow; further ones are not read."""
    if isinstance(nodes, list | tuple) and len(nodes) > MOST_NODES:
        raise objection(FindingCode.TOO_MANY_NODES, f"has more than {MOST_NODES} nodes.")
    return nodes


N = TypeVar("N")
NodesOf: TypeAlias = Annotated[
    # A list of nodes is counted before it is read, as each may bear many errors.
    tuple[N, ...],
    Strict(False),
    Field(min_length=1, max_length=MOST_NODES),
    BeforeValidator(few_nodes),
]


class WrittenNode(StrictModel):
    """A node as a plan writes it."""

    node_id: Id | None = None
    """Unique in the plan."""
    type: str
    """What it does."""
    name: Text
    """For readers."""
    config: Annotated[Unread, AfterValidator(config_of_its_type)]
    """What its type needs."""
    input_mapping: Free | None = None
    """Names that the node sees, each with a value or a reference such as `${node.output.x}`."""
    output_mapping: Free | None = None
    """Names under which later nodes find what it gave."""
    description: str | None = None
    """For readers."""
    retry_config: RetryConfig | None = None
    """How often it is tried again."""
    on_failure: RecoveryPlan | None = None
    """What is done when it failed and is not tried again; else what the installation does."""

    def node(self, node_id: str) -> Node:
        """Return the node, with the id that it has or is given."""
        return Node(
            node_id=node_id,
            type=NodeType(self.type),
            name=self.name,
            config=self.config,
            input_mapping=self.input_mapping or {},
            output_mapping=self.output_mapping or {},
            description=self.description or "",
            retry_config=self.retry_config.given() if self.retry_config else None,
            on_failure=self.on_failure.given() if self.on_failure else None,
        )


BodyNodeType = Literal["LLM", "HTTP", "PYTHON", "DATABASE", "CONDITION"]
BODY_TYPES: frozenset[str] = frozenset(get_args(BodyNodeType))
"""Types of nodes that a loop's body may have."""


class BodyNodeModel(WrittenNode):
    """A node of a loop's body, which is run in the order of the list; no loop among them."""

    node_id: Id
    """Unique in the plan, the nodes of loops counted."""
    type: BodyNodeType
    """What it does."""


class LoopConfig(TimedConfig):
    """Runs its body again and again; with items and a condition, until either ends it."""

    conditions: ClassVar[tuple[ConditionalField, ...]] = (ConditionalField(("items", "condition")),)
    items: Annotated[Json, AfterValidator(_items), _ITEMS_SCHEMA] = None
    """A list, or a reference to one: the body runs once for each item."""
    condition: Text | None = None
    """CEL: the body runs while it is true."""
    body: NodesOf[BodyNodeModel]
    """What is run, in order."""
    max_iterations: Annotated[int, Field(ge=1, le=100), WHOLE]
    """At most so many runs of the body."""


CONFIGS: Mapping[NodeType, type[StrictModel]] = MappingProxyType(
    {
        NodeType.LLM: LlmConfig,
        NodeType.HTTP: HttpConfig,
        NodeType.PYTHON: PythonConfig,
        NodeType.DATABASE: DatabaseConfig,
        NodeType.CONDITION: ConditionConfig,
        NodeType.LOOP: LoopConfig,
        NodeType.START: BoundaryConfig,
        NodeType.END: BoundaryConfig,
    }
)


def config_model(node_type: NodeType) -> type[StrictModel]:
    """Return the model of a type's configuration."""
    return CONFIGS[node_type]
