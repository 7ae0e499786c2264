"""docs/demo.svg: what lives in LiteLLM, as ``make demo`` shows it. Made by ``make recording``.

Plain text would do for a reader, but marks are told apart by their colour at a glance. Nothing is loaded from anywhere when
the picture is looked at: it names fonts that machines have.
"""

from __future__ import annotations

import asyncio
import io
import re
import sys
from pathlib import Path

from rich.console import Console

from app.cli.demo import play
from app.cli.demo_entities import play_entities
from app.cli.terminal import THEME

TARGET = Path(__file__).parents[1] / "docs" / "demo.svg"
WIDTH = 104
"""Columns."""


def main() -> int:
    """Write the picture; 1 if the demo did not go as it must."""
    target = Console(file=io.StringIO(), record=True, width=WIDTH, theme=THEME, highlight=False, emoji=False, markup=False)
    if not asyncio.run(play(target, [play_entities])):
        sys.stderr.write(target.export_text())
        return 1
    picture = target.export_svg(title="make demo: the last of three plays", unique_id="demo")
    picture = re.sub(r"<!--.*?-->|@font-face \{.*?\}", "", picture, flags=re.DOTALL).replace("Fira Code", "DejaVu Sans Mono")
    TARGET.write_text("\n".join(line.rstrip() for line in picture.splitlines() if line.strip()) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
