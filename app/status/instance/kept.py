"""What an earlier status says while a probe is still under way.

A restarted service knows nothing of a slow proxy. Turning its instance to Unknown for two seconds would wake everyone who
waits for Ready, so the observed conditions stay, as long as they are about the same proxy, CA and key. What an earlier status
holds is taken for what it looks like only: anybody may have written it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.status.conditions import observed_conditions
from app.status.instance.reasons import MASTER_KEY_ACCEPTED, REASONS
from app.status.reason import LONGEST_MESSAGE, READY, Condition

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.status.instance.proxy import AttachedProxy, MasterKeySource

_DECLARED = {(reason.type, reason.status, reason.reason) for reason in REASONS}


def about_same_proxy(status: Any, endpoint: str, source: MasterKeySource, generation: int) -> bool:
    """Whether the observed ``Ready`` was decided, and for this endpoint, CA reference and key reference.

    The status does not name the CA; but an http endpoint has none, and an unchanged spec refers to the same. A ``Ready`` that
    does not speak of the proxy itself, but of a Secret, a CA or the spec, was decided on what the present request says better.
    """
    ready = kept_condition(status, READY)
    if not endpoint or ready is None or ready.status == "Unknown" or not ready.message.startswith(f"{endpoint} "):
        return False
    fields = cast("Object", status)
    key: Any = fields.get("masterKey")
    same_key = isinstance(key, dict) and (
        (cast("Object", key).get("secretName"), cast("Object", key).get("key")) == (source.secret_name, source.key)
    )
    same_ca = observed_conditions(status)[READY].get("observedGeneration") == generation or endpoint.lower().startswith("http://")
    return fields.get("endpoint") == endpoint and same_key and same_ca


def kept_condition(status: Any, kind: str) -> Condition | None:
    """The observed condition of that type, if it is one of ours."""
    item = observed_conditions(status).get(kind, {})
    message = item.get("message")
    if (kind, item.get("status"), item.get("reason")) not in _DECLARED or not isinstance(message, str):
        return None
    return Condition(kind, item["status"], item["reason"], message[:LONGEST_MESSAGE])


def kept_version(status: Object) -> str:
    """The observed version; empty for what is none."""
    version: Any = status.get("version")
    return version if isinstance(version, str) else ""


def kept_key_condition(status: Object, proxy: AttachedProxy) -> Condition | None:
    """The observed ``MasterKeyAccepted``, if it was decided for the very content that the Secret has now."""
    if status["masterKey"].get("resourceVersion") != proxy.master_key.resource_version:
        return None
    return kept_condition(status, MASTER_KEY_ACCEPTED)
