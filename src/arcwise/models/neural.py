from arcwise.networks.models.neural import fit_neural

__all__ = ["fit_neural"]
