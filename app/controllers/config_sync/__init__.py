"""Compares what a proxy has with the custom resources of its instance: counts, and deletes what the policy gives up."""
