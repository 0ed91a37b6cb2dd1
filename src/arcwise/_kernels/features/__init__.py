"""Features of kernels."""
