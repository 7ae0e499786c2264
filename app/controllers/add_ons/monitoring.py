"""ServiceMonitor and PrometheusRule, where a Prometheus operator is installed.

Prometheus checks the proxy's certificate by the same authority as everybody here does: ``spec.tls.trustedCASecretRef`` says it
outright, else ``ca.crt`` beside the certificate. Whether that is there only the Secret tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.controllers.add_ons.add_on import add_on
from app.controllers.secrets import has_key
from app.hooks.names import name_problem
from app.hooks.response import RelatedRule
from app.resources.gateway import SecretKey
from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.hooks.request import CustomizeRequest, SyncRequest

_CA = "ca.crt"


def _certificate(request: CustomizeRequest) -> tuple[RelatedRule, ...]:
    """The Secret with the proxy's certificate; any spec gets an answer."""
    name: Any = request.parent.get("spec")
    for key in ("tls", "serverCertSecretRef", "name"):
        name = cast("dict[str, Any]", name).get(key) if isinstance(name, dict) else None
    if not isinstance(name, str) or name_problem("", name):
        return ()
    return (RelatedRule(resource=SECRET, namespace=request.namespace, names=(name,)),)


def _authority(request: SyncRequest, spec: LiteLLMInstanceSpec) -> SecretKey | None:
    if spec.tls is None:
        return None
    if (authority := spec.tls.trusted_ca_secret_ref) is not None:
        return SecretKey(name=authority.name, key=authority.key)
    certificate = spec.tls.server_cert_secret_ref
    if certificate is not None and has_key(request, certificate.name, _CA):
        return SecretKey(name=certificate.name, key=_CA)
    return None


MONITORING = add_on("monitoring", "monitoring.coreos.com", secrets=_certificate, looks_at=(SECRET,), authority=_authority)
