"""Conditional distributions of one column given others, and networks made of them."""
