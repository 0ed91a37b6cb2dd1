"""Questions that users ask of a network, and answers in their words."""
