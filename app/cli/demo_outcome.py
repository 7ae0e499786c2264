"""What must be seen of an object at the end of an act of the demo, and how it differs from what is seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.cli.timeline import conditions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.cli.timeline import Condition
    from app.hooks.objects import Object


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The status that one object must come to."""

    object: str
    """Kind, namespace and name: ``LiteLLMInstance ai/gateway``."""
    status: Mapping[str, Any]
    """Fields of the status. One that is empty may be missing as well."""
    conditions: Mapping[str, tuple[str, str]]
    """Status and reason by type. A type that is not here must not be there either."""
    says: Mapping[str, str] = field(default_factory=dict[str, str])
    """A part of a condition's message, by type."""

    def differences(self, item: Object) -> list[str]:
        """What is not as it must be; nothing if all is."""
        status: Object = item.get("status", {})
        shown = {condition.type: condition for condition in conditions(item)}
        facts = [(name, status.get(name, type(must)()), must) for name, must in self.status.items()]
        found = [f"status.{name} is {is_!r}, not {must!r}" for name, is_, must in facts if is_ != must]
        for kind in sorted({*shown, *self.conditions}):
            is_, must = _state(shown.get(kind)), "=".join(self.conditions[kind]) if kind in self.conditions else "absent"
            if is_ != must:
                found.append(f"{kind} is {is_}, not {must}")
        for kind, text in self.says.items():
            if kind in shown and text not in shown[kind].message:
                found.append(f"{kind} does not mention {text!r}")
        return found


def _state(condition: Condition | None) -> str:
    return f"{condition.status}={condition.reason}" if condition else "absent"
