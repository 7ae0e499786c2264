"""Reads what an answer of the admin API means, over all releases and routes. Pure.

LiteLLM says "not found" with 404, with 400, with 401, with 500 and with 200; "exists" with 400, 409 and 500. So status and
text decide together, never the field ``type``. ``tests/cases/litellm_admin_*.yaml`` list what the real proxy says.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

import orjson

from app.litellm.admin.errors import (
    AdminError,
    AlreadyExists,
    DatabaseDown,
    EnterpriseOnly,
    Invalid,
    KeyRejected,
    NameTaken,
    NoModels,
    NoSuchRoute,
    NotFound,
    NotKept,
    ServerFault,
    Unreachable,
)
from app.litellm.answers import Answer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object
    from app.litellm.admin.calls import Call

LONGEST_TEXT = 300
"""Characters of LiteLLM's own words that are passed on."""

LARGEST_TEXT = 4 * LONGEST_TEXT
"""Characters of them that are looked at."""

RUN = 12
"""So many characters in a row that a secret has too are a part of it."""

_DATABASE = re.compile(
    r"reach database server|all connection attempts failed|no (connected )?db|db not connected|database not connected"
    r"|prisma client not initialized|authentication database is temporarily unreachable",
    re.IGNORECASE,
)
_NOT_KEPT = re.compile(r"STORE_MODEL_IN_DB|only supported for DB-stored", re.IGNORECASE)
_NO_MODELS = re.compile(r"no models configured on proxy", re.IGNORECASE)
_LICENCE = re.compile(r"enterprise|premium feature|premium user", re.IGNORECASE)
_NOT_FOUND = re.compile(r"not found|does not exist|doesn'?t exist|do not exist|no keys found", re.IGNORECASE)
_EXISTS = re.compile(r"already exists?|unique constraint|duplicate|failed to add model to db|already in team", re.IGNORECASE)
_NAME = re.compile(r"\balias\b|with email|names? and alias", re.IGNORECASE)
_SETTING = re.compile(r"disabled by your administrator", re.IGNORECASE)
"""A setting of the proxy's (``disable_custom_api_keys``) refuses the request, whoever makes it."""
_KEY_LOOKALIKE = re.compile(r"sk-[\w-]{4,}|\b[0-9a-f]{64}\b")


def failure(call: Call, answer: Answer) -> AdminError | None:
    """Why the call did not do what it was for; nothing if it did."""
    if answer.web_page or 300 <= answer.status < 400:
        what = "with a web page" if answer.web_page else "with a redirect, which is not followed"
        return Unreachable(f"was asked {call}, and something else answered {what}", status=answer.status)
    if answer.status < 300:
        return _hidden_failure(call, answer)
    text = _text(answer)
    told = f"answered {answer.status} to {call}" + (f": {redacted(text, call.secrets)}" if text else "")
    return _kind(answer, text)(told, status=answer.status)


def json_of(call: Call, answer: Answer) -> Any:
    """The JSON of an answer that is no failure; nothing for an empty body. Raises :class:`Unreachable`."""
    if not answer.body.strip():
        return None
    try:
        return orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        raise Unreachable(f"was asked {call}, and something else answered without JSON", status=answer.status) from None


def redacted(text: str, secrets: Iterable[str] = ()) -> str:
    """Words of a proxy without anything secret, on one line and cut to :data:`LONGEST_TEXT`.

    Proxies quote a part of a long value (a private key in a document of credentials), and escape what they quote.
    """
    looked_at = text[:LARGEST_TEXT]
    hidden = bytearray(len(looked_at))
    parts = {part for secret in secrets for form in _forms(secret) for part in _parts(form)}
    for size in {len(part) for part in parts}:
        for at in range(len(looked_at) - size + 1):
            if looked_at[at : at + size] in parts:
                hidden[at : at + size] = bytes([1]) * size
    if len(text) > len(looked_at):
        # What is cut off may go on with a secret that begins here.
        hidden[-RUN:] = bytes([1]) * RUN
    text = "".join("…" if hide else character for character, hide in zip(looked_at, hidden, strict=True))
    text = " ".join(_KEY_LOOKALIKE.sub("…", re.sub("…+", "…", text)).split())
    text = "".join(character for character in text if character.isprintable())
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def told_name(name: str) -> str:
    """An id, an alias or an address of LiteLLM's, for a message: whoever made its object may have written anything into it."""
    return redacted(name) or "…"


def _parts(text: str) -> Iterable[str]:
    """Each run of :data:`RUN` characters; of a shorter text the whole."""
    size = min(RUN, len(text))
    return (text[at : at + size] for at in range(len(text) - size + 1))


def _forms(secret: str) -> set[str]:
    """How a text may be written: as it is, in JSON, in Python's repr or in a URL, and in JSON or repr once more."""
    once = {form for one in (secret, secret.strip()) for form in _escaped(one)}
    return {form for one in once for form in _escaped(one)} - {""}


def _escaped(text: str) -> set[str]:
    """As it is, and in each way of writing it down; a lone surrogate is in no Secret."""
    plain = text.encode("utf-8", "replace")
    return {
        text,
        json.dumps(text)[1:-1],
        json.dumps(text, ensure_ascii=False)[1:-1],
        repr(text)[1:-1],
        repr(plain)[2:-1],
        quote(text, safe=""),
    }


def _hidden_failure(call: Call, answer: Answer) -> AdminError | None:
    """1.81 answers 200 to a PATCH of a credential that does not exist, with the error in the body."""
    fields = answer.fields() if b"code" in answer.body else {}
    code = fields.get("code", fields.get("status_code"))
    if "message" in fields and str(code) in {"404", "400", "500"}:
        status = int(str(code))
        return _kind(Answer(status, body=answer.body), str(fields["message"]))(
            f"answered {status} to {call}: {redacted(str(fields['message']), call.secrets)}", status=status
        )
    return None


def _kind(answer: Answer, text: str) -> type[AdminError]:
    status = answer.status
    if _DATABASE.search(text) or b"no_db_connection" in answer.body:
        return DatabaseDown
    if status in {400, 500} and _NOT_KEPT.search(text):
        return NotKept
    if status == 500 and _NO_MODELS.search(text):
        return NoModels
    if status in {400, 403, 500} and _LICENCE.search(text):
        return EnterpriseOnly
    if status in {404, 405} and text in {"Not Found", "Method Not Allowed", ""}:
        return NoSuchRoute
    if status == 409 or (status in {400, 500} and _EXISTS.search(text)):
        return NameTaken if _NAME.search(text) else AlreadyExists
    if status == 404 or (status in {400, 401, 500} and _NOT_FOUND.search(text) and not _is_key_trouble(status, text)):
        return NotFound
    if status in {401, 403}:
        return Invalid if _SETTING.search(text) else KeyRejected
    if status in {429, 502, 503, 504}:
        return Unreachable
    return Invalid if status < 500 else ServerFault


def _is_key_trouble(status: int, text: str) -> bool:
    """1.81 says of an unknown master key that it is "not found in db", as it does of an unknown key to update."""
    return status == 401 and ("received api key" in text.lower() or "unable to find token" in text.lower())


def _text(answer: Answer) -> str:
    """The message, in whichever of the five shapes it comes; for anything else the body, if it is text."""
    try:
        body: Any = orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        return answer.body[: 4 * LARGEST_TEXT].decode("utf-8", "replace")
    found = _message(body)
    return found if found is not None else ""


def _message(body: Any) -> str | None:
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        return "; ".join(text for item in cast("list[Any]", body) if (text := _validation(item)))
    if isinstance(body, dict):
        fields = cast("Object", body)
        for name in ("error", "detail", "message", "title"):
            if name in fields and (text := _message(fields[name])) is not None:
                return text
    return None


def _validation(item: Any) -> str:
    """One entry of a validation error: where, and what; never the input, which it repeats."""
    if not isinstance(item, dict):
        return ""
    fields = cast("Object", item)
    place = fields.get("loc")
    where = ".".join(str(part) for part in cast("list[Any]", place)) if isinstance(place, list) else ""
    return f"{where}: {fields.get('msg', 'is not valid')}" if where else str(fields.get("msg", ""))
