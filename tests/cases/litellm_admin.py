"""Reads ``litellm_admin_*.yaml`` and plays its scenarios against a proxy, real or fake.

A scenario is a list of requests with the master key, from nothing: ``<id>`` in it stands for a name that nobody has used.

    situation  the scenario in words, and why it matters to us
    releases   the releases that it is about: oldest, lts, newest; default all
    steps      each with
      ask        verb and path with query
      body       JSON of the request
      status     the HTTP status
      answer     parts of the JSON that must be there with these values, however deep; lists item by item
      absent     keys that the JSON object must not have
      text       what the raw body has in it, whatever its shape
      of         the same (status, answer, absent, text) for single releases, instead
      waits      seconds within which the answer becomes so; default 0
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import orjson
import yaml

FILES = tuple(sorted(Path(__file__).parent.glob("litellm_admin_*.yaml")))
EVERY_RELEASE = ("oldest", "lts", "newest")

Ask = Callable[[str, str, Any], Awaitable[tuple[int, bytes]]]
"""Verb, path with query, JSON of the request; to the status and the body."""


@dataclass(frozen=True)
class Scenario:
    """One scenario of one file."""

    file: str
    situation: str
    releases: tuple[str, ...]
    steps: tuple[dict[str, Any], ...]

    @property
    def name(self) -> str:
        """For test reports."""
        return f"{self.file.removeprefix('litellm_admin_')}: {self.situation}"

    async def play(self, release: str, ask: Ask) -> str:
        """The first thing in which the proxy differs from the table, in words; empty if there is none."""
        unique = f"s{uuid4().hex[:12]}"
        for number, template in enumerate(self.steps, 1):
            step = cast("dict[str, Any]", _filled(template, unique))
            step |= cast("dict[str, Any]", step.get("of", {}).get(release, {}))
            verb, target = step["ask"].split(" ", 1)
            left = float(step.get("waits", 0))
            while True:
                status, body = await ask(verb, target, step.get("body"))
                problem = _problem(step, status, body)
                if not problem or left <= 0:
                    break
                await asyncio.sleep(1)
                left -= 1
            if problem:
                return f"step {number}, {step['ask']}: {problem}"
        return ""


def scenarios() -> tuple[Scenario, ...]:
    """All of them."""
    return tuple(
        Scenario(path.stem, item["situation"], tuple(item.get("releases", EVERY_RELEASE)), tuple(item["steps"]))
        for path in FILES
        for item in yaml.safe_load(path.read_text("utf-8"))
    )


def _problem(step: dict[str, Any], status: int, body: bytes) -> str:
    shown = body[:600].decode("utf-8", "replace")
    if status != step["status"]:
        return f"status {status} instead of {step['status']}, with {shown}"
    if "text" in step and step["text"] not in body.decode("utf-8", "replace"):
        return f"{step['text']!r} is not in {shown}"
    if "answer" in step or "absent" in step:
        found: Any = orjson.loads(body)
        if problem := _difference(step.get("answer", {} if isinstance(found, dict) else found), found, ""):
            return f"{problem}, in {shown}"
        for name in step.get("absent", ()):
            if name in found:
                return f"{name} should not be there, in {shown}"
    return ""


def _difference(wanted: Any, found: Any, where: str) -> str:
    if isinstance(wanted, dict):
        if not isinstance(found, dict):
            return f"{where or 'the answer'} is no object"
        for name, value in cast("dict[str, Any]", wanted).items():
            if problem := _difference(value, cast("dict[str, Any]", found).get(name), f"{where}.{name}".lstrip(".")):
                return problem
        return ""
    if isinstance(wanted, list):
        items = cast("list[Any]", wanted)
        if not isinstance(found, list) or len(cast("list[Any]", found)) != len(items):
            return f"{where or 'the answer'} is {found!r} instead of {wanted!r}"
        pairs = enumerate(zip(items, cast("list[Any]", found), strict=True))
        return next((text for place, (one, other) in pairs if (text := _difference(one, other, f"{where}[{place}]"))), "")
    same = wanted == found and isinstance(wanted, bool) == isinstance(found, bool)
    return "" if same else f"{where or 'the answer'} is {found!r} instead of {wanted!r}"


def _filled(value: Any, unique: str) -> Any:
    if isinstance(value, str):
        return value.replace("<id>", unique)
    if isinstance(value, dict):
        return {_filled(key, unique): _filled(item, unique) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_filled(item, unique) for item in cast("list[Any]", value)]
    return value
