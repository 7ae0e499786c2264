"""A control loop with Metacontroller's semantics, and a cluster in memory for it to work on."""
