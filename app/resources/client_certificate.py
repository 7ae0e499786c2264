"""The init container that puts the client's certificate and key into one file.

LiteLLM takes a single path (``SSL_CERTIFICATE``) and gives it to its HTTP client, which looks for both in that file; a
``kubernetes.io/tls`` Secret holds them apart. A rotated Secret changes the pod template's digest, so the pods start anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources.image import proxy_image, proxy_pull_policy, runs_as_non_root
from app.resources.security_contexts import container_context
from app.resources.volumes import CLIENT_PEM, TLS_FOLDER

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

_SCRIPT = f"umask 077 && cat {TLS_FOLDER}/client/tls.crt {TLS_FOLDER}/client/tls.key > {CLIENT_PEM}"


def client_certificate(gateway: Gateway) -> list[Object]:
    """The pod's init containers: this one, or none without ``tls.clientCertSecretRef``."""
    if gateway.spec.tls is None or gateway.spec.tls.client_cert_secret_ref is None:
        return []
    return [
        {
            "name": "client-certificate",
            "image": proxy_image(gateway),
            "imagePullPolicy": proxy_pull_policy(gateway),
            "command": ["sh", "-c", _SCRIPT],
            "resources": {"requests": {"cpu": "10m", "memory": "16Mi"}, "limits": {"cpu": "100m", "memory": "32Mi"}},
            "securityContext": container_context(restricted=runs_as_non_root(gateway)),
            "volumeMounts": [
                {"name": "tls-client", "mountPath": f"{TLS_FOLDER}/client", "readOnly": True},
                {"name": "tls-client-pem", "mountPath": CLIENT_PEM.rpartition("/")[0]},
            ],
        }
    ]
