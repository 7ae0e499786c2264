"""What everything is measured against: an ASGI application that does nothing but read and write JSON with orjson."""

from __future__ import annotations

from typing import Any

import orjson


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers a body with itself, parsed and serialised."""
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
    body = orjson.dumps(orjson.loads(b"".join(chunks))) if chunks != [b""] else b"ok"
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
