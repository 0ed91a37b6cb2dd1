"""Layers, losses and training of small neural networks."""
