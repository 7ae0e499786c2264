"""Run by a release's own Python: what LiteLLM makes of guardrails and of a configuration, without a server.

Standard input is ``{"guardrails": [entry, …], "config": path}``, the last line of standard output a map of the same names:
``guardrails`` tells by name whether LiteLLM starts with it and whether it then does anything in its mode, ``config`` who uses
Redis once the file is loaded.
"""

import asyncio
import json
import sys

from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.proxy import proxy_server
from litellm.proxy.guardrails.guardrail_registry import IN_MEMORY_GUARDRAIL_HANDLER as HANDLER
from litellm.proxy.guardrails.init_guardrails import init_guardrails_v2

HOOKS = {
    "pre_call": "async_pre_call_hook",
    "during_call": "async_moderation_hook",
    "post_call": "async_post_call_success_hook",
    "logging_only": "async_logging_hook",
}
"""The method that the proxy calls in each mode."""
ANY_MODE = "apply_guardrail"
"""A class that has this method itself is called through it in every mode."""


def guardrail(entry):
    """``{"starts": …, "runs": …, "error": …}`` of one entry of the configuration."""
    error = ""
    try:
        init_guardrails_v2([entry])
    except Exception as raised:  # Whatever it is, the oldest release ends with it.
        error = f"{type(raised).__name__}: {raised}"
    made = [key for key, known in HANDLER.IN_MEMORY_GUARDRAILS.items() if known["guardrail_name"] == entry["guardrail_name"]]
    callback = HANDLER.guardrail_id_to_custom_guardrail.get(made[0]) if made else None
    return {"starts": callback is not None, "runs": runs(callback, entry["litellm_params"]["mode"]), "error": error}


def runs(callback, mode):
    """Whether the guardrail's class does anything in the mode: LiteLLM's base class does nothing in all of them."""
    if callback is None:
        return False
    hook = HOOKS[mode]
    return ANY_MODE in vars(type(callback)) or getattr(type(callback), hook) is not getattr(CustomGuardrail, hook)


async def loaded(path):
    """Where Redis is in use after the configuration is loaded: the proxy's coordination, its router, its cache."""
    router, *_ = await proxy_server.ProxyConfig().load_config(router=None, config_file_path=path)
    cache = proxy_server.litellm.cache
    return {
        "coordination": proxy_server.redis_usage_cache is not None,
        "router": router is not None and router.cache.redis_cache is not None,
        "cache": cache is not None and type(cache.cache).__name__,
    }


def main():
    """Answer the question on standard input."""
    asked = json.load(sys.stdin)
    answer = {
        "guardrails": {entry["guardrail_name"]: guardrail(entry) for entry in asked["guardrails"]},
        "config": asyncio.run(loaded(asked["config"])),
    }
    sys.stdout.write("\n" + json.dumps(answer) + "\n")


main()
