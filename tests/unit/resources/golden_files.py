"""Every object of the sample gateways as YAML. ``python -m tests.unit.resources.golden_files`` writes them anew.

A difference here is a rollout at every user's: review it as one.
"""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.unit.resources.fullest import ANOTHER, FULLEST
from tests.unit.resources.gateways import everything, gateway

FOLDER = Path(__file__).parents[2] / "golden" / "resources"
SPECS = {"minimal": {}, "fullest": FULLEST, "another": ANOTHER}


def texts() -> dict[str, str]:
    """Every file's text by its name."""
    return {
        f"{name}.yaml": yaml.safe_dump_all(everything(gateway(spec)), sort_keys=False, width=120) for name, spec in SPECS.items()
    }


if __name__ == "__main__":
    for file, text in texts().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
