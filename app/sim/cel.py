"""The Common Expression Language, behind one small interface.

The engine is ``cel-expr-python``, imported only when the first rule is compiled: the service itself never needs it. Where it is
not installed (or a rule uses what it has not), the caller's Python twin of the rule is used instead; :attr:`Engine.uses_twins`
says so. A rule with neither raises :class:`CelUnavailable`. What differs from the API server's own CEL is smoothed out in
:func:`cel_value`: numbers of a ``number`` field are doubles, and names that are no CEL identifiers are escaped.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from app.sim.json_values import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.hooks.objects import Object

    Twin = Callable[[Any, Any], object]
    """A rule in Python: called with ``self`` and ``oldSelf`` (none when there is no old value) as plain JSON."""


class CelError(Exception):
    """A rule could not be evaluated on this value. The API server refuses the object then."""


class CelUnavailable(Exception):
    """No way to evaluate a rule: no engine, and no Python twin of the rule."""


class Program(Protocol):
    """A compiled rule."""

    def evaluate(self, self_value: Any, old_self: Any = None, schema: Object | None = None) -> Any:
        """The rule's value on ``self``, plain JSON of this schema; :class:`CelError` if it has none."""
        ...


class Engine:
    """Compiles rules. ``twins`` maps the text of a rule to its Python twin, for where CEL itself is not at hand."""

    def __init__(self, twins: Mapping[str, Twin] | None = None) -> None:
        self._twins = dict(twins or {})
        self._programs: dict[str, Program] = {}

    @cached_property
    def uses_twins(self) -> bool:
        """Whether the CEL engine is missing, so that rules are evaluated by their twins."""
        return _environment() is None

    def compile(self, rule: str) -> Program:
        """The program of a rule, compiled once."""
        if rule not in self._programs:
            self._programs[rule] = self._compiled(rule)
        return self._programs[rule]

    def _compiled(self, rule: str) -> Program:
        environment = _environment()
        if environment is None:
            reason = "the package cel-expr-python is not installed (pip install 'palena[cel]')"
        else:
            try:
                return _CelProgram(environment.compile(rule))
            except Exception as error:
                reason = f"the CEL engine does not take it: {error}"
        if rule in self._twins:
            return _TwinProgram(self._twins[rule])
        raise CelUnavailable(f"the rule {rule!r} has no Python twin and {reason}")


_ERROR = "ERROR"
"""The name of the type that the engine gives a failed evaluation."""


class _CelProgram:
    def __init__(self, expression: Any) -> None:
        self._expression = expression

    def evaluate(self, self_value: Any, old_self: Any = None, schema: Object | None = None) -> Any:
        data = {"self": cel_value(self_value, schema or {}), "oldSelf": cel_value(old_self, schema or {})}
        try:
            result = self._expression.eval(data=data)
        except Exception as error:
            raise CelError(str(error)) from error
        if result.type().name() == _ERROR:
            raise CelError(str(result.value()))
        return result.plain_value()


class _TwinProgram:
    def __init__(self, twin: Twin) -> None:
        self._twin = twin

    def evaluate(self, self_value: Any, old_self: Any = None, schema: Object | None = None) -> Any:
        try:
            return self._twin(self_value, old_self)
        except (TypeError, KeyError, ValueError, AttributeError, IndexError) as error:
            raise CelError(str(error)) from error


@lru_cache(maxsize=1)
def _environment() -> Any:
    """The engine's environment with the variables and extensions of Kubernetes; none if the engine is not installed."""
    try:
        cel = import_module("cel_expr_python.cel")
        optional = import_module("cel_expr_python.ext.ext_optional")
        strings = import_module("cel_expr_python.ext.ext_strings")
    except ImportError:
        return None
    variables = {"self": cel.Type.DYN, "oldSelf": cel.Type.DYN}
    return cel.NewEnv(variables=variables, extensions=[strings.ExtStrings(), optional.ExtOptional()])


_RESERVED = frozenset(
    {"true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let"}
    | {"loop", "package", "namespace", "return", "var", "void", "while"}
)
_ESCAPES = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}


@lru_cache(maxsize=4096)
def escaped(name: str) -> str:
    """A field name as a rule writes it: ``namespace`` is ``__namespace__``, ``a-b`` is ``a__dash__b``."""
    if name in _RESERVED:
        return f"__{name}__"
    return re.sub(r"__|[./-]", lambda match: _ESCAPES[match.group()], name)


def cel_value(value: Any, schema: Object) -> Any:
    """A JSON value as a rule sees it, by its schema. A field that is null is absent."""
    if is_object(value):
        properties: Object = schema.get("properties", {})
        others: Object = schema["additionalProperties"] if is_object(schema.get("additionalProperties")) else {}
        return {
            escaped(name) if name in properties else name: cel_value(one, properties.get(name, others))
            for name, one in value.items()
            if one is not None
        }
    if is_list(value):
        return [cel_value(item, schema.get("items", {})) for item in value]
    if schema.get("type") == "number" and isinstance(value, int):
        return float(value)
    return value
