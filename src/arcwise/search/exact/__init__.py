"""The best network of all, for few columns."""
