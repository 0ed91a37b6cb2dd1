"""`arcwise.networks.models` under its earlier name."""

from arcwise.models import fit, network, neural

__all__ = ["fit", "network", "neural"]
