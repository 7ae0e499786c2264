"""A small typed framework for Metacontroller's hooks, version 2, that knows nothing of our kinds.

::

    def sync(request: SyncRequest, context: None) -> SyncResponse:
        return SyncResponse(status={}, children=[config_map(request.namespace, request.name)], retained=[])

    app = application([CompositeController(name="toys", parent=TOY, children=(RULE,), sync=sync)])

``application`` is loaded on first use, so that what only needs the declarations does not load an HTTP stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.hooks.controller import ChildRule, CompositeController, Controller, DecoratorController, Update
from app.hooks.errors import (
    AnswerRefused,
    BadRequest,
    BodyTooLarge,
    DeadlineExceeded,
    HookError,
    MethodNotAllowed,
    NotFound,
    NotYet,
    Unauthorized,
)
from app.hooks.objects import Object, Resource
from app.hooks.replay import replay, replay_all
from app.hooks.request import CustomizeRequest, Observed, SyncRequest
from app.hooks.response import CustomizeResponse, DecoratorResponse, RelatedRule, Retained, SyncResponse

if TYPE_CHECKING:
    from app.hooks.asgi import application

__all__ = [
    "AnswerRefused",
    "BadRequest",
    "BodyTooLarge",
    "ChildRule",
    "CompositeController",
    "Controller",
    "CustomizeRequest",
    "CustomizeResponse",
    "DeadlineExceeded",
    "DecoratorController",
    "DecoratorResponse",
    "HookError",
    "MethodNotAllowed",
    "NotFound",
    "NotYet",
    "Object",
    "Observed",
    "RelatedRule",
    "Resource",
    "Retained",
    "SyncRequest",
    "SyncResponse",
    "Unauthorized",
    "Update",
    "application",
    "replay",
    "replay_all",
]


def __getattr__(name: str) -> Any:
    if name == "application":
        from app.hooks.asgi import application

        return application
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
