"""The ConfigMap that the proxy reads its configuration from. What is in it is decided in :mod:`app.proxyconfig`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources import names
from app.resources.child import child
from app.resources.kinds import CONFIG_MAP

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

CONFIG_FOLDER = "/app/config"
CONFIG_FILE = "proxy_server_config.yaml"
"""Key of the ConfigMap and name of the mounted file."""
GUARDRAILS = "litellm.palena.ai/guardrails"
"""Annotation: the specs of the guardrails in the configuration, as JSON by name of their objects."""


def config_map(gateway: Gateway, text: str) -> Object:
    """``text`` is the whole ``proxy_server_config.yaml``; it holds no secret value."""
    record = {GUARDRAILS: gateway.guardrail_record} if gateway.guardrail_record else None
    return child(CONFIG_MAP, gateway, names.config(gateway.name), annotations=record, data={CONFIG_FILE: text})
