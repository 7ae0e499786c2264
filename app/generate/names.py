"""Names that the installation is made of. Users meet them in commands, so they change with a release note only."""

from __future__ import annotations

from app import __version__
from app.hooks.manifests import Address, SecretKey

NAMESPACE = "palena-system"
NAME = "palena"
"""The Deployment, Service, ServiceAccount, PodDisruptionBudget and NetworkPolicy."""

SELECTOR = {"app.kubernetes.io/name": "palena", "app.kubernetes.io/component": "hooks"}
"""Picks the service's pods. A Deployment's selector can never change: neither may this."""

LABELS = {"app.kubernetes.io/name": "palena", "app.kubernetes.io/part-of": "palena"}
"""On everything that is installed."""

IMAGE = "palena"
"""Kustomize replaces it: ``images: [{name: palena, newName: …, newTag: …}]``."""

CONTAINER_PORT = 8080
PORT = 80
TLS_PORT = 443

TOKEN = SecretKey(namespace=NAMESPACE, name="palena-hook-token", key="token")
"""What Metacontroller presents and the service demands. Made by one command before the installation, never by a manifest."""

CERTIFICATE = SecretKey(namespace=NAMESPACE, name="palena-tls", key="ca.crt")
"""The user's certificate, for the TLS component: ``tls.crt``, ``tls.key`` and the authority in ``ca.crt``."""

METACONTROLLER_NAMESPACE = "metacontroller"
METACONTROLLER_ACCOUNT = "metacontroller"
"""Where Metacontroller's own installation puts it."""

HOST = f"{NAME}.{NAMESPACE}.svc"

PLAIN = Address(url=f"http://{HOST}", revision=__version__, token=TOKEN)
TLS = Address(url=f"https://{HOST}", revision=__version__, token=TOKEN, ca=CERTIFICATE)
