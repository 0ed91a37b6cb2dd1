"""How well methods predict rows that they have not seen, measured alike for all of them."""
