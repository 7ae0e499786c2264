"""Where a team's requests are logged to: entries in its metadata, under the key where LiteLLM looks for them.

The route for single destinations can neither change nor remove one at 1.81, and refuses one that is there. Written with the
metadata they come and go like everything else in there. But LiteLLM checks nothing then, and 1.81 fails every request of a
team with a variable that it does not know, so only known ones are passed on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.apis.litellm.team.spec import TeamCallback
    from app.hooks.objects import Object

ENTRY = "logging"
"""The key in the metadata. A list there is all that counts: neither older settings nor the configuration file are looked at."""

_ANY = frozenset({"turn_off_message_logging"})

KNOWN: Mapping[str, frozenset[str]] = {
    "langfuse": frozenset({"langfuse_public_key", "langfuse_secret", "langfuse_secret_key", "langfuse_host"}),
    "gcs_bucket": frozenset({"gcs_bucket_name", "gcs_path_service_account"}),
    "langsmith": frozenset(
        {"langsmith_api_key", "langsmith_project", "langsmith_base_url", "langsmith_sampling_rate", "langsmith_tenant_id"}
    ),
    "arize": frozenset({"arize_api_key", "arize_space_key", "arize_space_id"}),
}
"""The variables of each destination that every supported release knows."""

_FROM_ENVIRONMENT = "os.environ/"
"""Begins a value that 1.81 replaces by a variable of the proxy's environment, which is not the team's to read."""


def entry(callback: TeamCallback, variables: Mapping[str, str]) -> Object:
    """One destination as LiteLLM keeps it."""
    return {"callback_name": callback.name, "callback_type": callback.type, "callback_vars": dict(variables)}


def passed_on(callback: TeamCallback, secret: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The variables of a destination that LiteLLM is told, and the names of the others. The spec's own go before the Secret's."""
    given = {**secret, **(callback.config or {})}
    known = KNOWN[callback.name] | _ANY
    told = {name: value for name, value in given.items() if name in known and not value.startswith(_FROM_ENVIRONMENT)}
    return told, tuple(sorted(given.keys() - told.keys()))
