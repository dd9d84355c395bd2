"""The model that answers the LLM nodes of a run here."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from executor_service.workflows.graph import each_node
from heartrule.chassis.settings import read
from heartrule.domain.workflows import NodeType, Workflow
from heartrule.model.ports import ChatModel
from heartrule.model.settings import ModelSettings
from heartrule.words.language import language_in
from heartrule_cli.model_choice import choose_model


def local_model(workflow: Workflow, environ: Mapping[str, str]) -> ChatModel:
    """Return the model of the environment, or the rehearsal model; its user is told which one.

    A workflow without LLM nodes asks no model, and nobody is told.

    Raises:
        SettingsError: The environment names a model in a way that cannot be used.
    """
    asks = any(node.type is NodeType.LLM for node, _ in each_node(workflow.nodes))
    return chosen_model(environ, is_asked=asks)


def chosen_model(environ: Mapping[str, str], *, is_asked: bool = True) -> ChatModel:
    """Return the model of the environment, or the rehearsal model; its user is told which one.

    One that is not asked is the rehearsal model, and nobody is told.

    Raises:
        SettingsError: The environment names a model in a way that cannot be used.
    """
    choice = choose_model(environ)
    if choice.rehearsal or not is_asked:
        from heartrule_cli.rehearsal.doubles import RehearsalModel

        if is_asked:
            print(choice.line.told(language_in(environ)), file=sys.stderr)
        return RehearsalModel()
    from heartrule.model.build import build_chat_model

    print(choice.line.told(language_in(environ)), file=sys.stderr)
    return build_chat_model(read(ModelSettings, environ), environ=environ)
