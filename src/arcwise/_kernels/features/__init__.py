"""Features of kernels, and determinants of their correlations."""
