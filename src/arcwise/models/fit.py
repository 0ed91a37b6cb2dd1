from arcwise.networks.models.fit import MODELS, fit, fit_gaussian, read_options

__all__ = ["MODELS", "fit", "fit_gaussian", "read_options"]
