"""What a parent's status says: conditions, reasons and phases, decided by pure functions on observed facts."""
