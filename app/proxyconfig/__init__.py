"""From a LiteLLMInstance to ``proxy_server_config.yaml``: tables to hold against LiteLLM's documentation, and no I/O.

``rendering`` puts the sections together; each table is in the module of its subject. Where a key differs from what the field's
name suggests, a comment says where LiteLLM reads it. All were checked against the sources of 1.81.14, 1.108.14 and 1.110.2.
"""

from __future__ import annotations

from app.proxyconfig.rendering import Rendered, config, render, unlicensed
from app.proxyconfig.text import config_text

__all__ = ["Rendered", "config", "config_text", "render", "unlicensed"]
