"""``python -m app.cli``: the command from a checkout, or in an image without its launcher."""

from __future__ import annotations

from app.cli import main

main()
