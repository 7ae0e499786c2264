"""Values of related Secrets. Errors name Secret and key and never hold a value."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest

LONGEST_TOKEN = 4096
"""Characters of a bearer token; servers commonly refuse headers of twice that."""


class SecretUnavailable(Exception):
    """The Secret or the key is missing or cannot be used. The text is the subject and verb of a sentence."""

    def __init__(self, message: str, resource_version: str = "") -> None:
        super().__init__(message)
        self.resource_version = resource_version
        """The Secret's, where it exists."""


@dataclass(frozen=True, slots=True)
class SecretValue:
    """One key's bytes. Its representation does not show them."""

    data: bytes
    resource_version: str

    def __repr__(self) -> str:
        return f"SecretValue({len(self.data)} bytes, resource_version={self.resource_version!r})"


def secret_value(request: SyncRequest, name: str, key: str) -> SecretValue:
    """The bytes under a key of a related Secret in the parent's namespace. Raises :class:`SecretUnavailable`."""
    return value_in(request.related.find(SECRET, request.namespace, name), name, key)


def value_in(secret: Object | None, name: str, key: str) -> SecretValue:
    """The bytes under a key of the Secret of that name, if it exists. Raises :class:`SecretUnavailable`."""
    if secret is None:
        raise SecretUnavailable(f"Secret {name} does not exist")
    version = str(secret["metadata"].get("resourceVersion", ""))
    data: Any = secret.get("data")
    encoded = cast("Object", data).get(key) if isinstance(data, dict) else None
    if not isinstance(encoded, str):
        raise SecretUnavailable(f"Secret {name} has no key {key}", version)
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except ValueError:
        raise SecretUnavailable(f"key {key} of Secret {name} is not base64", version) from None
    if not decoded:
        raise SecretUnavailable(f"key {key} of Secret {name} is empty", version)
    return SecretValue(decoded, version)


def has_key(request: SyncRequest, name: str, key: str) -> bool:
    """Whether the related Secret exists and has a value under the key."""
    secret = request.related.find(SECRET, request.namespace, name)
    if secret is None:
        return False
    try:
        value_in(secret, name, key)
    except SecretUnavailable:
        return False
    return True


def bearer_token(request: SyncRequest, name: str, key: str) -> tuple[str, str]:
    """A key as it goes into an ``Authorization`` header, and the Secret's resourceVersion. Raises :class:`SecretUnavailable`."""
    value = secret_value(request, name, key)
    return _token(value, name, key), value.resource_version


def token_in(secret: Object | None, name: str, key: str) -> str:
    """A key of the Secret of that name as it goes into an ``Authorization`` header. Raises :class:`SecretUnavailable`.

    Trailing line ends come from ``echo`` and files, and are dropped. Beside them a header takes printable ASCII alone, and no
    blank at either end.
    """
    return _token(value_in(secret, name, key), name, key)


def _token(value: SecretValue, name: str, key: str) -> str:
    try:
        token = value.data.decode("ascii").rstrip("\r\n")
    except UnicodeDecodeError:
        raise SecretUnavailable(f"key {key} of Secret {name} is not ASCII text", value.resource_version) from None
    if not token.strip():
        raise SecretUnavailable(f"key {key} of Secret {name} is empty", value.resource_version)
    if not token.isprintable():
        raise SecretUnavailable(f"key {key} of Secret {name} holds a control character", value.resource_version)
    if token != token.strip():
        raise SecretUnavailable(f"key {key} of Secret {name} begins or ends with a blank", value.resource_version)
    if len(token) > LONGEST_TOKEN:
        raise SecretUnavailable(f"key {key} of Secret {name} is longer than {LONGEST_TOKEN} characters", value.resource_version)
    return token
