"""Ways to fill hidden cells with draws."""
