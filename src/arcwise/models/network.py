from arcwise.networks.network import FittedNetwork

__all__ = ["FittedNetwork"]
