"""The peer itself: models with a provider on loopback, spend that is counted, a proxy that goes away and comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.contract.peer.provider import DIMENSIONS, WORDS
from tests.contract.stub_model import CHAT_COST, add_model, answered, chat, eventually, new_key, spent

if TYPE_CHECKING:
    import httpx2

    from tests.contract.peer.provider import Provider
    from tests.contract.peer.proxy import Proxy

pytestmark = pytest.mark.proxies("oldest-default", "lts-default", "newest-default")


def test_a_model_answers_from_the_provider_and_its_key_pays(admin: httpx2.Client, provider: Provider) -> None:
    model = add_model(admin, provider, "paid")
    key = new_key(admin)
    answer = answered(chat(admin, model, "hello", key))
    assert answer["choices"][0]["message"]["content"] == WORDS
    asked = provider.asked[-1]
    assert (asked.headers["authorization"], asked.body["model"]) == (f"Bearer {provider.key}", model)
    eventually(lambda: spent(admin, key) == pytest.approx(CHAT_COST), "the key's spend")


def test_a_model_with_a_wrong_provider_key_is_refused_by_the_provider(admin: httpx2.Client, provider: Provider) -> None:
    model = add_model(admin, provider, "refused", key="sk-not-the-providers")
    refusal = chat(admin, model, "hello")
    assert refusal.status_code == 401
    assert "Incorrect API key provided" in refusal.text


def test_a_model_embeds(admin: httpx2.Client, provider: Provider) -> None:
    model = add_model(admin, provider, "embedding")
    answer = answered(admin.post("/embeddings", json={"model": model, "input": ["one", "two"]}))
    assert [len(row["embedding"]) for row in answer["data"]] == [DIMENSIONS, DIMENSIONS]


@pytest.mark.proxies("lts-default")
def test_a_restarted_proxy_has_its_models_and_keys_again(proxy: Proxy, admin: httpx2.Client, provider: Provider) -> None:
    model, key = add_model(admin, provider, "lasting"), new_key(admin)
    proxy.stop()
    with pytest.raises(OSError, match="refused"):
        proxy.get("/health/liveliness")
    proxy.start()
    # Models come from the database a little after the proxy is ready.
    eventually(lambda: chat(admin, model, "again", key).status_code == 200, "the model after the restart")
