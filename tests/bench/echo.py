"""What everything is measured against: ASGI applications that do nothing but read and write JSON with orjson."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers a body with itself, parsed and serialised."""
    await _answer(scope, receive, send, lambda request: request)


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    """A hook that does nothing: every parent is ready and has no children, nothing is related, and a deletion is done."""
    await _answer(scope, receive, send, _ready)


def _ready(request: Any) -> Any:
    metadata = request["parent"]["metadata"]
    made = metadata.get("creationTimestamp", "")
    condition = {"type": "Ready", "status": "True", "reason": "Nothing", "message": "", "lastTransitionTime": made}
    status = {"observedGeneration": metadata["generation"], "conditions": [condition]}
    if "finalizing" not in request:
        return {"relatedResources": []}
    return {"status": status, "children": [], "finalized": request["finalizing"], "resyncAfterSeconds": 0}


async def _answer(scope: Any, receive: Any, send: Any, decide: Callable[[Any], Any]) -> None:
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
    chunks = []
    more = True
    while more:
        message = await receive()
        chunks.append(message.get("body", b""))
        more = message.get("more_body", False)
    body = orjson.dumps(decide(orjson.loads(b"".join(chunks)))) if chunks != [b""] else b"ok"
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
