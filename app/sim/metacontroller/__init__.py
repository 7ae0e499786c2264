"""Metacontroller's semantics, one idea a module; :mod:`app.sim.loop` is the way in.

Read :mod:`~app.sim.metacontroller.composite` first: its ``sync`` is one pass over a parent, in Metacontroller's order. What
the modules do is held to recordings of the real thing (``tests/recordings``).

Left out: version 1 hooks, the rolling update methods, ETags, and credentials in the controller's manifest. A manifest that
asks for one of the first three is refused when the controller starts; credentials belong to the caller of the hooks.
"""
