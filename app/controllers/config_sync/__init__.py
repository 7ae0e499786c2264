"""Compares what a proxy has with the custom resources of its instance: counts, and deletes what the policy gives up."""

PUT_BACK, RECREATED, PRUNED = "put_back", "recreated", "pruned"

CHANGES = (PUT_BACK, RECREATED, PRUNED)
"""What config sync does to objects in LiteLLM."""
