"""A LiteLLM proxy in memory, held to the same tables of answers as the real one, and misbehaving on request."""

from __future__ import annotations

from app.sim.fake_litellm.network import FakeNetwork
from app.sim.fake_litellm.proxy import Behaviour, Call, FakeLiteLLM, Fault

__all__ = ["Behaviour", "Call", "FakeLiteLLM", "FakeNetwork", "Fault"]
