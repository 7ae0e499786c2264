"""A model provider of OpenAI's kind on loopback, for models whose ``apiBase`` points at it, and for pass-through endpoints.

It runs in the test's own process and remembers what it was asked. It refuses every key but its own, as OpenAI does.
"""

from __future__ import annotations

import json
import secrets
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

PROMPT_TOKENS, COMPLETION_TOKENS = 11, 7
"""What every answer is said to have used, so that a test can tell what must be spent."""

DIMENSIONS = 3
WORDS = "good morning"
"""What the model always says."""


@dataclass(frozen=True)
class Asked:
    """One request."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]
    """By lower-case name."""
    body: Any


@dataclass
class Provider:
    """A running provider. ``key`` is the one that it takes."""

    key: str = field(default_factory=lambda: f"sk-provider-{secrets.token_hex(8)}")
    asked: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *arguments: _Handler(self, *arguments))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def api_base(self) -> str:
        """What a LiteLLMModel's ``apiBase`` has to be."""
        return f"{self.address}/v1"

    def stop(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, provider: Provider, *arguments: Any) -> None:
        self.provider = provider
        super().__init__(*arguments)

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(parts.path, dict(parse_qsl(parts.query)), headers, json.loads(text or "null"))
        self.provider.asked.append(asked)
        answer = _ROUTES.get(asked.path)
        if headers.get("authorization") != f"Bearer {self.provider.key}":
            self._reply(401, _error("Incorrect API key provided", "invalid_request_error", "invalid_api_key"))
        elif answer is None:
            self._reply(404, _error(f"Unknown request URL: POST {asked.path}", "invalid_request_error", "unknown_url"))
        else:
            self._reply(200, answer(asked.body))

    def _reply(self, status: int, body: Any) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        """Nothing: what was asked is in ``asked``."""


def _error(message: str, kind: str, code: str) -> Any:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _completion(body: Any) -> Any:
    return {
        "id": f"chatcmpl-{secrets.token_hex(8)}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": body["model"],
        "choices": [{"index": 0, "message": {"role": "assistant", "content": WORDS}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": PROMPT_TOKENS,
            "completion_tokens": COMPLETION_TOKENS,
            "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
        },
    }


def _embeddings(body: Any) -> Any:
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    data = [{"object": "embedding", "index": index, "embedding": [0.5] * DIMENSIONS} for index, _ in enumerate(texts)]
    usage = {"prompt_tokens": PROMPT_TOKENS, "total_tokens": PROMPT_TOKENS}
    return {"object": "list", "model": body["model"], "data": data, "usage": usage}


def _rerank(_: Any) -> Any:
    return {"results": [{"index": 0, "relevance_score": 0.9}]}


_ROUTES: dict[str, Callable[[Any], Any]] = {
    "/v1/chat/completions": _completion,
    "/v1/embeddings": _embeddings,
    "/v1/rerank": _rerank,
}
