"""The queue of columns whose thresholds are learned anew for a network."""
