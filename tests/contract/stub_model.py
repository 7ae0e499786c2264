"""A model of the proxy whose provider is ours, and what a request to it must cost."""

from __future__ import annotations

from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from tests.contract.peer.provider import COMPLETION_TOKENS, PROMPT_TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx2

    from tests.contract.peer.provider import Provider

PROMPT_COST, COMPLETION_COST = 0.01, 0.02
"""Dollars per token."""
CHAT_COST = PROMPT_TOKENS * PROMPT_COST + COMPLETION_TOKENS * COMPLETION_COST
"""Dollars per chat completion."""
PATIENCE = 60
"""Seconds for something that the proxy does in the background."""


def add_model(admin: httpx2.Client, provider: Provider, name: str, *, key: str | None = None) -> str:
    """Register a model under the name, which is its id too; ``key`` is the provider's own unless another is given."""
    parameters = {
        "model": f"openai/{name}",
        "api_base": provider.api_base,
        "api_key": key or provider.key,
        "input_cost_per_token": PROMPT_COST,
        "output_cost_per_token": COMPLETION_COST,
    }
    answered(admin.post("/model/new", json={"model_name": name, "litellm_params": parameters, "model_info": {"id": name}}))
    return name


def chat(client: httpx2.Client, model: str, text: str, key: str | None = None) -> httpx2.Response:
    """Ask the model, with the client's key or another."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    body = {"model": model, "messages": [{"role": "user", "content": text}]}
    return client.post("/chat/completions", json=body, headers=headers)


def new_key(admin: httpx2.Client, **fields: Any) -> str:
    """The value of a new virtual key."""
    return answered(admin.post("/key/generate", json=fields))["key"]


def spent(admin: httpx2.Client, key: str) -> float:
    """What the database says that the key has spent."""
    return answered(admin.get("/key/info", params={"key": key}))["info"]["spend"]


def answered(response: httpx2.Response) -> Any:
    """The body of a good answer."""
    assert response.status_code == 200, (response.status_code, response.text)
    return response.json()


def eventually(happened: Callable[[], bool], what: str) -> None:
    """Return once it has happened."""
    deadline = monotonic() + PATIENCE
    while not happened():
        assert monotonic() < deadline, f"{what}: not in {PATIENCE} s"
        sleep(0.5)
