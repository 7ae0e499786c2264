"""Golden exchanges: a situation, the request it makes, and the answer, as one small YAML file each.

``make golden`` writes the answers again; review the difference like code.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from app.sim.fake_litellm import Behaviour, FakeLiteLLM
from tests.unit.controllers.exchange import ATTACH_ONLY, FULL, Palena
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

FOLDER = Path(__file__).parent / "golden"
FILES = sorted(FOLDER.glob("*.yaml"))


def load(path: Path) -> Object:
    """``situation``, ``proxies``, ``shape``, ``parent``, ``related``, ``children`` and ``answer``."""
    return yaml.safe_load(path.read_text("utf-8"))


def answer(case: Object) -> Object:
    """What the service answers now."""

    async def scenario() -> Object:
        proxies = {url: _proxy(**fields) for url, fields in case.get("proxies", {}).items()}
        palena = Palena(proxies, ATTACH_ONLY if case.get("shape") == "attach-only" else FULL)
        return await palena.sync(case["parent"], case.get("related", []), case.get("children", []))

    return run(scenario())


def _proxy(behaviour: str = "NORMAL", **fields: Any) -> FakeLiteLLM:
    return FakeLiteLLM(behaviour=Behaviour[behaviour], **fields)


def main() -> int:
    """Writes every answer again."""
    for path in FILES:
        case = load(path)
        head, _, _ = path.read_text("utf-8").partition("\nanswer:")
        text = yaml.safe_dump({"answer": answer(case)}, sort_keys=False, width=120, allow_unicode=True)
        path.write_text(f"{head.rstrip()}\n\n{text}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
