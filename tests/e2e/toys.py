"""The toy API of the recordings: Widget is a parent, Gadget a child."""

from __future__ import annotations

from pathlib import Path

import yaml

from app.hooks.objects import Object, Resource

WIDGET = Resource("toy.example.com/v1", "Widget", "widgets")
GADGET = Resource("toy.example.com/v1", "Gadget", "gadgets")
TOY = Path(__file__).resolve().parents[1] / "recordings" / "toy"


def toy_crds() -> list[Object]:
    """Its definitions."""
    return list(yaml.safe_load_all((TOY / "crds.yaml").read_text()))
