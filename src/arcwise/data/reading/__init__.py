"""How files and data frames become a Dataset; the one door is door.py."""
