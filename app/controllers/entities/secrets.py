"""Secrets that entities refer to: those of their own spec come with the request, others are read by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.controllers.entities.unsettled import Unsettled
from app.controllers.secrets import SecretUnavailable, value_in
from app.kube.reader import ReaderOff, ReadFailed
from app.resources.kinds import SECRET
from app.status import resync
from app.status.entity.reasons import SECRET_FETCH_FAILED, SECRET_KEY_MISSING, SECRET_NOT_FOUND

if TYPE_CHECKING:
    from app.controllers.context import Context
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest


async def find_secret(request: SyncRequest, name: str, context: Context, *, version: str = "") -> Object | None:
    """The Secret of that name, or nothing if it does not exist. ``version`` is its resourceVersion, where that is known.

    Raises :class:`~app.kube.reader.ReadFailed`.
    """
    given = request.related.find(SECRET, request.namespace, name) or request.children.find(SECRET, request.namespace, name)
    if given is not None:
        return given
    return await context.reader.secret(request.namespace, name, version=version)


async def secret_text(request: SyncRequest, name: str, key: str, field: str, context: Context, *, version: str = "") -> str:
    """A value that goes into a request to LiteLLM, without the line end that files have.

    ``field`` is where the spec refers to it, ``version`` as for :func:`find_secret`. Raises
    :class:`~app.controllers.entities.unsettled.Unsettled`.
    """
    secret = await related_secret(request, name, field, context, version=version)
    try:
        text = value_in(secret, name, key).data.decode().rstrip("\r\n")
    except SecretUnavailable as error:
        raise Unsettled(SECRET_KEY_MISSING, f"{error} ({field})", resync.MISSING_REFERENCE) from error
    except UnicodeDecodeError as error:
        message = f"key {key} of Secret {name} is not UTF-8 text ({field})"
        raise Unsettled(SECRET_KEY_MISSING, message, resync.MISSING_REFERENCE) from error
    if not text:
        raise Unsettled(SECRET_KEY_MISSING, f"key {key} of Secret {name} is empty ({field})", resync.MISSING_REFERENCE)
    return text


async def related_secret(request: SyncRequest, name: str, field: str, context: Context, *, version: str = "") -> Object:
    """The Secret that ``field`` of the spec refers to. Raises :class:`~app.controllers.entities.unsettled.Unsettled`."""
    try:
        secret = await find_secret(request, name, context, version=version)
    except ReaderOff:
        # With nothing to read from, what came with the request is all there is.
        secret = None
    except ReadFailed as error:
        raise Unsettled(SECRET_FETCH_FAILED, f"{error} ({field})") from error
    if secret is None:
        raise Unsettled(SECRET_NOT_FOUND, f"Secret {name} does not exist ({field})", resync.MISSING_REFERENCE)
    return secret


def texts_in(secret: Object) -> dict[str, str]:
    """Every value of a Secret that is text, without the line end that files have."""
    data: Any = secret.get("data")
    name = str(secret["metadata"]["name"])
    texts: dict[str, str] = {}
    for key in cast("Object", data) if isinstance(data, dict) else ():
        try:
            texts[key] = value_in(secret, name, key).data.decode().rstrip("\r\n")
        except (SecretUnavailable, UnicodeDecodeError):
            continue
    return texts
