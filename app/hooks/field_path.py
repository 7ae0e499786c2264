"""Paths to a value inside an object, for messages: ``spec.template.spec.containers[0].env``."""

from __future__ import annotations


def field_path(path: str, key: object) -> str:
    """``path`` extended by a map key, quoted where the key holds a dot, a bracket or a quote."""
    text = str(key)
    if not text or any(mark in text for mark in ".[]\"'"):
        return f"{path}[{text!r}]"
    return f"{path}.{text}" if path else text
