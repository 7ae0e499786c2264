"""Master keys with which LiteLLM does not start: a blank one, and the one of its own examples, which everybody knows.

So it is from 1.104.0 on, and in 1.108.14 and 1.110.2: nothing else counts as weak there, and blanks at either end do not count.
A variable or a setting permits such a key all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.proxyconfig.older_releases import release_of
from app.resources.environment.proxy import MASTER_KEY_VARIABLE, proxy_environment
from app.resources.image import proxy_tag
from app.resources.kinds import SECRET
from app.resources.references import references

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

_REFUSED_SINCE = (1, 104)
_EXAMPLE = "sk-1234"
_PERMITTED_BY_VARIABLE = "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY"
_PERMITTED_BY_SETTING = "dangerously_permit_weak_or_unset_master_key"
_CONFIGURED = "master_key"


class WeighedKey(NamedTuple):
    """A master key that LiteLLM looks at before it starts."""

    field: str
    """What in the spec brings it: ``spec.masterKey``."""
    value: str
    """Where the spec itself holds it; empty where a Secret does."""
    secret: str
    key: str
    salted: bool
    """Whether what LiteLLM stores is encrypted with another key."""

    def weakness(self, value: str) -> str:
        """The rest of a sentence about this value, which it does not show; empty where LiteLLM takes it."""
        stripped = value.strip()
        if stripped and stripped != _EXAMPLE:
            return ""
        what = "LiteLLM's example of a master key, which everybody knows" if stripped else "nothing but blanks"
        holder = f"names key {self.key} of Secret {self.secret}, which has" if self.secret else f"gives {MASTER_KEY_VARIABLE}"
        remedy = "put a random one there"
        if not self.salted:
            remedy += (
                ", and the old one into LITELLM_MIGRATE_FROM_MASTER_KEY by spec.extraEnvVars until it has started once, "
                "since without spec.saltKey what it has stored is encrypted with the master key"
            )
        return f"{holder} {what}, and LiteLLM does not start with it from 1.104 on: {remedy}"


def weighed_key(gateway: Gateway) -> WeighedKey | None:
    """The proxy's master key; None where it has none, or starts with any. Raises :class:`~app.resources.errors.Unbuildable`."""
    release = release_of(proxy_tag(gateway))
    if release is not None and release < _REFUSED_SINCE:
        return None
    general = gateway.spec.general_settings
    settings = (general.extra if general else None) or {}
    if settings.get(_PERMITTED_BY_SETTING) is True or _CONFIGURED in settings:
        return None
    variables = {variable["name"]: variable for variable in proxy_environment(gateway)}
    if str(variables.get(_PERMITTED_BY_VARIABLE, {}).get("value", "")).strip().lower() == "true":
        return None
    return _weighed(gateway, variables[MASTER_KEY_VARIABLE]) if MASTER_KEY_VARIABLE in variables else None


def _weighed(gateway: Gateway, variable: Object) -> WeighedKey | None:
    salt = gateway.spec.salt_key
    salted = salt is not None and (salt.secret_ref is not None or salt.auto_generate is True)
    if not variable.get("valueFrom"):
        return WeighedKey(_field(gateway), variable.get("value") or "", "", "", salted)
    named = next(references(variable, ""), None)
    if named is None or named.kind != SECRET.kind:
        return None
    return WeighedKey(_field(gateway), "", named.name, named.key, salted)


def _field(gateway: Gateway) -> str:
    callbacks = gateway.spec.callbacks
    own = {"spec.extraEnvVars": gateway.spec.extra_env_vars, "spec.callbacks.envVars": callbacks.env_vars if callbacks else None}
    given = (field for field, listed in own.items() if any(one.get("name") == MASTER_KEY_VARIABLE for one in listed or ()))
    return next(given, "spec.masterKey")
