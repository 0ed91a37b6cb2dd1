"""How well methods foretell rows that they have not seen, measured alike for all of them."""
